/* SPDX-License-Identifier: Apache-2.0
 *
 * main of every <primitive>_perf binary. The Makefile defines COLLPERF_PRIMITIVE as the name of the collective.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../collectives/primitives.h"
#include "../report/writer.h"
#include "backend.h"
#include "launch.h"
#include "memory.h"
#include "options.h"
#include "session.h"
#include "watch.h"

static const struct collective *const primitive = &COLLPERF_PRIMITIVE;

static int usage_error(const char *program, const char *text)
{
	if (launch_env_rank() == 0)
		fprintf(stderr, "%s: %s\nTry '%s --help'.\n", program, text, program);
	return SESSION_USAGE;
}

static void list_models(void)
{
	printf("cost models:");
	for (const struct coll_model *model = primitive->models; model->name; model++)
		printf(" %s", model->name);
	printf("\n");
}

/* What was printed may still fail to reach a full disk or a closed pipe. */
static int printed(const char *program)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return SESSION_OK;
	fprintf(stderr, "%s: cannot write to stdout: %s\n", program, strerror(errno));
	return SESSION_FAILED;
}

/* A standard stream that was closed would be the first file or socket that is opened, and get what is printed. */
static void fill_standard_streams(void)
{
	int file;

	do
		file = open("/dev/null", O_RDONLY);
	while (file >= 0 && file <= STDERR_FILENO);
	if (file >= 0)
		close(file);
}

static void list(void)
{
	static const struct writer_ops *const formats[] = { &writer_console, &writer_wide, &writer_csv, &writer_json };

	printf("primitive: %s (%s)\n", primitive->name, primitive->summary);
	for (const struct backend_entry *entry = backends; entry->name; entry++)
		printf("backend: %s (%s)\n", entry->name, entry->ops ? entry->ops->summary : entry->missing);
	printf("types:");
	for (int i = 0; i < DTYPE_COUNT; i++)
		printf(" %s", dtypes[i].name);
	printf("\nops:");
	for (int i = 0; i < REDOP_COUNT && (primitive->flags & COLL_HAS_REDOP); i++)
		printf(" %s", redop_names[i]);
	printf("%s\n", primitive->flags & COLL_HAS_REDOP ? "" : " none (this primitive does not reduce)");
	for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
		printf("format: %s (%s)\n", formats[i]->name, formats[i]->summary);
	list_models();
}

/* "auto" is the first that was built and is no simulation. */
static const struct backend_ops *choose_backend(const char *program, const char *name)
{
	const int any = strcmp(name, "auto") == 0;

	for (const struct backend_entry *entry = backends; entry->name; entry++) {
		if (any ? entry->ops && entry->ops != &backend_sim : strcmp(entry->name, name) == 0) {
			if (!entry->ops && launch_env_rank() == 0)
				fprintf(stderr, "%s: --backend %s: %s\n", program, name, entry->missing);
			return entry->ops;
		}
	}
	if (launch_env_rank() == 0)
		fprintf(stderr, "%s: no backend was built but sim: use --backend sim\n", program);
	return NULL;
}

/* Four processes that each believe to be alone would run four jobs, and each would look fine. */
static int check_promise(const char *program, const struct launch *launch)
{
	const char *variable;
	const int promised = launch_promised_size(&variable);

	/* An allocation's SLURM_NTASKS says what may be started; a job step of fewer ranks is no mistake, a single one is. */
	if (launch->simulated || promised <= 1 || promised == launch->size ||
	    (launch->size > 1 && strcmp(variable, "SLURM_NTASKS") == 0))
		return 0;
	if (launch->rank == 0 && launch_env_rank() == 0)
		fprintf(stderr,
			"%s: the launcher started %d ranks (%s), this library sees %d: the launcher belongs to another MPI "
			"library than the one "
			"this program was built with, or none was used (then: srun -n 1, or unset %s)\n",
			program, promised, variable, launch->size, variable);
	return -1;
}

static int run(const struct session_parts *parts)
{
	struct launch *launch = parts->launch;
	int code;

	watch_phase(parts->watch, WATCH_LAUNCH);
	if (check_promise(parts->program, launch)) {
		code = SESSION_FAILED;
	} else {
		if (watch_connect(parts->watch, launch))
			launch->ops->abort(launch, SESSION_FAILED);
		code = (int)session_run(parts);
		if (parts->options->dry_run && launch->rank == 0 && printed(parts->program))
			code = SESSION_FAILED;
		launch->ops->agree(launch, code, &code);
	}
	watch_phase(parts->watch, WATCH_FINISH);
	watch_stop(parts->watch);
	launch->ops->close(launch);
	return code;
}

static int start(struct session_parts parts, char **argv)
{
	struct launch launch;
	int argc = parts.argc;
	const bool simulated = parts.backend->is_simulated && parts.backend->is_simulated();

	if (!parts.options->malloc_system)
		memory_tune_malloc();
	parts.watch = watch_start(parts.program, parts.options->timeout, simulated);
	if (!parts.watch)
		return SESSION_FAILED;
	if (parts.backend->launch(&launch, &argc, &argv))
		return SESSION_FAILED;
	parts.launch = &launch;
	return run(&parts);
}

/* --help and its like: whether there was one. */
static bool tell(const char *program, const struct options *options)
{
	if (options->help)
		options_help(stdout, program, primitive->summary);
	else if (options->version)
		printf("collperf %s\n", COLLPERF_VERSION);
	else if (options->man)
		options_man(stdout);
	else if (options->list)
		list();
	else
		return false;
	return true;
}

int main(int argc, char **argv)
{
	char program[64];
	struct options options;
	struct options_error error;

	/* A reader that goes away is a failed write, not a death without a word. */
	signal(SIGPIPE, SIG_IGN);
	fill_standard_streams();
	snprintf(program, sizeof program, "%s_perf", primitive->name);
	if (options_parse(argc, argv, &options, &error))
		return usage_error(program, error.text);
	if (tell(program, &options))
		return printed(program);
	if (options_environment(&options, &error))
		return usage_error(program, error.text);
	const struct backend_ops *backend = choose_backend(program, options.backend);

	if (!backend)
		return SESSION_FAILED;
	if (options_check(&options, backend->name, &error))
		return usage_error(program, error.text);
	struct session_parts parts = {
		.program = program, .coll = primitive, .options = &options, .backend = backend, .argc = argc, .argv = argv
	};

	return start(parts, argv);
}
