/* SPDX-License-Identifier: Apache-2.0
 *
 * From a command line that was understood to its run: watch, backend, launch, session.
 */
#include "perf.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend.h"
#include "launch.h"
#include "memory.h"
#include "perf_meet.h"
#include "session.h"
#include "steer.h"
#include "step.h"
#include "uneven.h"
#include "watch.h"

const char perf_no_steps[] = "it has no calls that go on beside compute yet";

int perf_printed(const char *program)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return SESSION_OK;
	fprintf(stderr, "%s: cannot write to stdout: %s\n", program, strerror(errno));
	return SESSION_FAILED;
}

/*
 * A standard stream that was closed would be the first file or socket that is opened, and get what is printed. A reader that goes away is a failed write,
 * not a death without a word.
 */
void perf_begin(void)
{
	int file;

	signal(SIGPIPE, SIG_IGN);
	do
		file = open("/dev/null", O_RDONLY);
	while (file >= 0 && file <= STDERR_FILENO);
	if (file >= 0)
		close(file);
}

struct choice {
	const struct backend_ops *ops;
	char reason[256]; /* why it cannot run here; "": it can */
	char note[400];   /* what was passed over, or "" */
	char refusal[512];
};

static int probe(const struct backend_ops *ops, const struct options *options, struct choice *choice)
{
	choice->ops = ops;
	choice->reason[0] = '\0';
	if (options->step && !ops->step) {
		snprintf(choice->reason, sizeof choice->reason, "%s", perf_no_steps);
		return -1;
	}
	if (options->step && ops->step->possible && ops->step->possible(choice->reason, sizeof choice->reason))
		return -1;
	return ops->probe ? ops->probe(choice->reason, sizeof choice->reason) : 0;
}

/* The first that was built, is no simulation, and can run on this machine. */
static int choose_any(const struct options *options, struct choice *choice)
{
	size_t used = 0;

	for (const struct backend_entry *entry = backends; entry->name; entry++) {
		if (!entry->ops || entry->ops == &backend_sim)
			continue;
		if (probe(entry->ops, options, choice) == 0) {
			if (used > 0)
				snprintf(choice->note + used, sizeof choice->note - used, "; taking %s", entry->name);
			return 0;
		}
		used = (size_t)snprintf(choice->note, sizeof choice->note, "--backend auto: %s: %.250s", entry->name,
					choice->reason);
	}
	snprintf(choice->refusal, sizeof choice->refusal, "%s%sno %sbackend was built but sim: use --backend sim", choice->note,
		 used > 0 ? "; " : "", used > 0 ? "other " : "");
	return -1;
}

/* One that was asked for by name and cannot run is refused when all processes can hear of it. */
static int choose_backend(const struct options *options, struct choice *choice)
{
	const char *name = options->backend;

	*choice = (struct choice){ 0 };
	if (strcmp(name, "auto") == 0)
		return choose_any(options, choice);
	const struct backend_entry *entry = perf_backend(name);

	if (entry->ops) {
		probe(entry->ops, options, choice);
		return 0;
	}
	snprintf(choice->refusal, sizeof choice->refusal, "--backend %s: %s", name, entry->missing);
	return -1;
}

/* Collective. A code of the session, SESSION_OK where all were started alike, took the same backend and can run it; rank 0 has said why not. */
static int find_common(const struct session_parts *parts, const struct choice *choice)
{
	struct perf_finding own = { .backend = (int)(perf_backend(choice->ops->name) - backends),
				    .options = options_fingerprint(parts->options, parts->program, COLLPERF_VERSION) };

	snprintf(own.reason, sizeof own.reason, "%s", choice->reason);
	snprintf(own.note, sizeof own.note, "%s", choice->note);
	return perf_meet(parts->program, parts->launch, &own);
}

/* Four processes that each believe to be alone would run four jobs, and each would look fine. */
static int check_promise(const char *program, const struct launch *launch, const char *note)
{
	const char *variable;
	const int promised = launch_promised_size(&variable);
	const bool by_mpi = strcmp(launch->name, launches[LAUNCH_BY_MPI].name) == 0;

	/* An allocation's SLURM_NTASKS says what may be started; a job step of fewer ranks is no mistake, a single one is. */
	if (launch->simulated || promised <= 1 || promised == launch->size ||
	    (launch->size > 1 && strcmp(variable, "SLURM_NTASKS") == 0))
		return 0;
	if (launch->rank == 0 && launch_env_rank() == 0)
		fprintf(stderr, "%s: the environment promises %d ranks (%s), %s sees %d: %s (or unset %s)%s%s\n", program,
			promised, variable, by_mpi ? "MPI" : launch->name, launch->size,
			by_mpi ? "MPI ranks are started by mpiexec, or by srun, of the MPI library that this program was built "
				 "with"
			       : "ranks of several processes are started by --launch mpi or env",
			variable, note[0] ? "; " : "", note);
	return -1;
}

static int measure(const struct session_parts *parts)
{
	struct launch *launch = parts->launch;
	int code;

	if (watch_connect(parts->watch, launch))
		launch->ops->abort(launch, SESSION_FAILED);
	code = (int)session_run(parts);
	if (parts->options->dry_run && launch->rank == 0 && perf_printed(parts->program))
		code = SESSION_FAILED;
	launch->ops->agree(launch, code, &code);
	return code;
}

/* What rank 0 reads from files is known once the processes know each other. */
static int measure_given(const struct session_parts *parts, struct options *options)
{
	struct uneven uneven;
	int code = SESSION_USAGE;

	if (uneven_open(&uneven, options, parts->launch, parts->program) == 0 &&
	    step_gradients_open(options, parts->launch, parts->program) == 0)
		code = measure(parts);
	uneven_close(&uneven);
	return code;
}

static int run(const struct session_parts *parts, struct options *options, const struct choice *choice)
{
	struct launch *launch = parts->launch;
	int code = SESSION_FAILED;

	watch_phase(parts->watch, WATCH_LAUNCH);
	if (check_promise(parts->program, launch, choice->note) == 0) {
		code = find_common(parts, choice);
		if (code == SESSION_OK)
			code = measure_given(parts, options);
	}
	watch_phase(parts->watch, WATCH_FINISH);
	watch_stop(parts->watch);
	launch->ops->close(launch);
	return code;
}

/* "mpi, env or self" */
static void name_ways(unsigned allowed, char *text, size_t size)
{
	size_t used = 0;

	for (int i = 0; i < LAUNCH_WAYS; i++) {
		const unsigned rest = allowed >> i;

		if (rest & 1)
			used += (size_t)snprintf(text + used, size - used, "%s'%s'",
						 used == 0  ? ""
						 : rest > 1 ? ", "
							    : " or ",
						 launches[i].name);
	}
}

/* A code of the session, SESSION_OK to go on. */
static int choose_launch(const struct session_parts *parts, const struct backend_ops *ops, enum launch_way *way)
{
	const struct options *options = parts->options;
	char *const no_words[] = { NULL }; /* where --launch is what is wrong, the others come by another way */
	char text[400], ways[64];

	*way = options->launch == LAUNCH_AUTO ? launch_choose(ops->launches) : (enum launch_way)(options->launch - 1);
	if (!(ops->launches & 1U << *way)) {
		name_ways(ops->launches, ways, sizeof ways);
		snprintf(text, sizeof text, "--launch: the %s backend is launched by %s only", ops->name, ways);
		return perf_usage(parts->program, no_words, text);
	}
	if (launches[*way].open)
		return SESSION_OK;
	snprintf(text, sizeof text, "--launch %s: %s", launches[*way].name, launches[*way].missing);
	return perf_refuse(parts->program, no_words, SESSION_FAILED, text);
}

static bool is_simulated(void)
{
	for (const struct backend_entry *entry = backends; entry->name; entry++)
		if (entry->ops && entry->ops->is_simulated && entry->ops->is_simulated())
			return true;
	return false;
}

/* Where the options are right for a backend that auto had to pass over, why it did is what matters. */
static int refuse_options(const struct session_parts *parts, const struct options_error *error)
{
	struct options_error other;
	char text[sizeof error->text + 420];

	if (!parts->note || options_check(parts->options, backends[0].name, &other))
		return perf_usage(parts->program, parts->argv, error->text);
	snprintf(text, sizeof text, "%s; but %s", parts->note, error->text);
	return perf_refuse(parts->program, parts->argv, SESSION_FAILED, text);
}

/* A fault that would never come, as a call without data has no sizes and nothing to spoil; NULL: it can come. */
static const char *idle_fault(const struct options *options, const struct collective *coll)
{
	const struct inject *inject = &options->inject;

	if (!(coll->flags & COLL_NO_DATA))
		return NULL;
	if (inject->kind == INJECT_CORRUPT)
		return "--inject: corrupt: there are no data here";
	return inject->bytes > 0 ? "--inject: @SIZE: there are no sizes here" : NULL;
}

/* A code of the session. May start the program anew, which leaves nothing of the watch. */
static int steer(struct session_parts *parts, struct options *options, struct steer *steering)
{
	const int code = steer_begin(steering, parts->program, parts->coll, options, parts->backend);

	if (code != SESSION_OK)
		return perf_refuse(parts->program, parts->argv, code, NULL);
	if (steering->again) {
		watch_stop(parts->watch);
		steer_again(steering, parts->argv);
		parts->watch = watch_start(parts->program, options->timeout, is_simulated());
	}
	parts->steer = steering;
	options->forced = steering->algo[0] ? steering->algo : NULL;
	if (parts->backend == &backend_sim && options->forced)
		options->sim_model = options->forced;
	return parts->watch ? SESSION_OK : SESSION_FAILED;
}

/* Options that only some programs and backends have: what is wrong, or NULL. */
static const char *misplaced(const struct session_parts *parts, const struct backend_ops *ops)
{
	const struct options *options = parts->options;
	const struct step_options *step = options->step;

	if (options->pairs && (parts->coll->id != COLL_SENDRECV || !ops->pairs))
		return ops->pairs ? "--pairs: only sendrecv_perf has pairs of ranks" : "--pairs: this backend cannot";
	if ((options->skew > 0 || options->matrix) && parts->coll->id != COLL_ALLTOALLV)
		return "--skew, --matrix: only alltoallv_perf has uneven blocks";
	if (step && ops->step && ops->step->progress && step->progress_given)
		return "--progress: this backend moves data by itself";
	if (step && ops->step && ops->step->progress && step->period_given)
		return "--progress-us: this backend moves data by itself";
	if (step && ops->step && !ops->step->finish && step->occupancy != STEP_WHOLE)
		return "--occupancy needs --backend nccl";
	if (!exchange_is_plain(&options->exchange) && parts->coll->id != COLL_SENDRECV)
		return "--mode, --stride and --pipeline: only sendrecv_perf has them";
	return NULL;
}

/* The watch forks, so it starts before a library that a backend asks may start threads. */
int perf_run(const struct perf_job *job)
{
	struct options *options = job->options;
	char **argv = job->argv;
	struct session_parts parts = {
		.program = job->program, .coll = job->coll, .options = options, .argc = job->argc, .argv = argv
	};
	struct steer steering;
	struct launch launch;
	struct choice choice;
	struct options_error error;
	enum launch_way way;
	const char *why;
	int argc = parts.argc, code;
	const struct launch_setup setup = {
		.program = parts.program, .argc = &argc, .argv = &argv, .connect_timeout = parts.options->connect_timeout
	};

	parts.watch = watch_start(parts.program, parts.options->timeout, is_simulated());
	if (!parts.watch)
		return SESSION_FAILED;
	if (choose_backend(parts.options, &choice))
		return perf_refuse(parts.program, argv, SESSION_FAILED, choice.refusal);
	parts.backend = choice.ops;
	parts.note = choice.note[0] ? choice.note : NULL;
	if (idle_fault(options, parts.coll))
		return perf_usage(parts.program, parts.argv, idle_fault(options, parts.coll));
	if (options_check(parts.options, choice.ops->name, &error))
		return refuse_options(&parts, &error);
	why = misplaced(&parts, choice.ops);
	if (why)
		return perf_usage(parts.program, argv, why);
	code = steer(&parts, options, &steering);
	if (code != SESSION_OK)
		return code;
	code = choose_launch(&parts, choice.ops, &way);
	if (code != SESSION_OK)
		return code;
	if (launches[way].open(&launch, &setup))
		return SESSION_FAILED;
	parts.launch = &launch;
	return run(&parts, options, &choice);
}
