/* SPDX-License-Identifier: Apache-2.0
 *
 * Starting a binary and judging how it ended.
 */
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record.h"
#include "say.h"
#include "share.h"
#include "sheet.h"

enum { MAX_ANSWER = 1 << 16 };

static void say_start_error(const char *program, int error)
{
	const char *hint = strcmp(program, "mpiexec") == 0 ? " (install an MPI library, or give --launcher or --backend sim)"
							   : "";

	say("%s: cannot be started: %s%s", program, strerror(error), hint);
}

/* What was written to the descriptor so far, to stderr. */
static void show(int fd)
{
	char block[4096];
	ssize_t n;

	lseek(fd, 0, SEEK_SET);
	while ((n = read(fd, block, sizeof(block))) > 0)
		fwrite(block, 1, (size_t)n, stderr);
}

/* A question to a binary. Its words are kept back: only some are worth showing. */
struct question {
	struct words command;
	int out, err; /* what it said; -1: not kept */
	struct job_end end;
};

static void ask(struct question *question, struct job_watch *watch)
{
	question->out = memfd_create("answer", MFD_CLOEXEC);
	question->err = memfd_create("words", MFD_CLOEXEC);
	question->end = (struct job_end){ .error = ENOMEM }; /* unless it is started */
	if (!question->command.failed && question->out >= 0)
		job_run(watch, &question->command, question->out, question->err, &question->end);
}

static void forget(struct question *question)
{
	words_clear(&question->command);
	if (question->err >= 0)
		close(question->err);
	if (question->out >= 0)
		close(question->out);
}

/* 0 or an exit code. */
static int check_start(const struct question *question)
{
	if (question->end.error == 0)
		return 0;
	say_start_error(question->command.count > 0 ? question->command.list[0] : "the launcher", question->end.error);
	return VERDICT_FAILED;
}

static int judge_dry(const struct question *question)
{
	const struct job_end *end = &question->end;

	if (check_start(question) != 0)
		return VERDICT_FAILED;
	if (verdict_of(end->exit_code, end->signal, &(struct verdict_rows){ 0 }) != VERDICT_USAGE)
		return 0;
	if (question->err >= 0)
		show(question->err);
	return VERDICT_USAGE;
}

static int run_dry(const struct plan *plan, const struct collective *coll, struct job_watch *watch)
{
	struct question question = { 0 };
	int rc;

	plan_dry(plan, coll, &question.command);
	ask(&question, watch);
	/* The same words come again with each launch, but those of a refusal. */
	rc = watch->caught != 0 ? VERDICT_FAILED : judge_dry(&question);
	forget(&question);
	return rc;
}

int launch_dry(const struct plan *plan, struct job_watch *watch)
{
	const struct args *args = plan->args;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < args->ncolls; i++)
		if (i == 0 || share_has_own(&args->sweep, args->colls[i]))
			rc = run_dry(plan, args->colls[i], watch);
	return rc;
}

static int read_answer(const struct question *question, struct look *look)
{
	char text[MAX_ANSWER + 1];
	ssize_t n = pread(question->out, text, MAX_ANSWER, 0);

	text[n > 0 ? n : 0] = '\0';
	if (question->end.exit_code == 0 && question->end.signal == 0 && look_read(text, look) == 0)
		return 0;
	if (question->err >= 0)
		show(question->err);
	say("%s --list: does not tell its backends: --backend or --launcher can", question->command.list[0]);
	return VERDICT_FAILED;
}

int launch_look(const struct plan *plan, struct job_watch *watch, struct look *look)
{
	struct question question = { 0 };
	int rc;

	plan_question(plan, &question.command);
	ask(&question, watch);
	rc = watch->caught != 0 ? VERDICT_FAILED : check_start(&question);
	if (rc == 0)
		rc = read_answer(&question, look);
	forget(&question);
	return rc;
}

static void say_heading(const struct plan *plan, size_t i, const struct launch_progress *progress)
{
	const struct plan_launch *launch = &plan->launches[i];
	char variant[VARIANT_WORDS], repeat[48] = "", left[48] = "";

	variant_words(&launch->variant, variant);
	if (plan->args->repeat > 1)
		snprintf(repeat, sizeof(repeat), ", launch %d of %d", launch->repeat, plan->args->repeat);
	if (progress->ended > 0 && isatty(STDERR_FILENO)) {
		double seconds = progress->seconds / (double)progress->ended * (double)(plan_left(plan, i) + progress->others);

		snprintf(left, sizeof(left), ", about %.0f:%02d left", (double)(long)(seconds / 60), (int)((long)seconds % 60));
	}
	say_plain("== %s%s%s%s%s (%zu/%zu%s) ==", plan->side ? plan->side : "", plan->side ? ": " : "",
		  launch->variant.coll->name, variant, repeat, i + 1, plan->count, left);
}

/* The rows of an attempt before stay beside the new ones, which may be fewer. */
static void put_aside(const struct plan_launch *launch)
{
	char *previous = NULL;

	if (asprintf(&previous, "%s.previous", launch->csv) >= 0) {
		rename(launch->csv, previous);
		free(previous);
	}
	unlink(launch->facts_file);
}

/* -1: our own stdout. */
static int open_log(const struct plan *plan, const struct plan_launch *launch)
{
	char *path;
	int fd;

	if (!(plan->args->given & ARGS_QUIET))
		return -1;
	path = plan_file(plan, launch->variant.coll, "log");
	fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
	if (fd < 0)
		say("%s: %s: the table goes to stdout", path ? path : "log", strerror(errno));
	free(path);
	return fd;
}

/* What the launch left: the rows are counted on, but a binary that could not write them may have counted in its facts. */
static struct sheet read_rows(const struct plan_launch *launch)
{
	json_int_t wrong = json_integer_value(json_object_get(json_object_get(launch->facts, "summary"), "wrong"));
	struct sheet sheet;

	sheet_check(launch->csv, &sheet);
	if (wrong > 0 && (uint64_t)wrong > sheet.wrong)
		sheet.wrong = (uint64_t)wrong;
	return sheet;
}

static void say_end(const struct plan_launch *launch, const char *program, enum verdict verdict, const struct sheet *sheet)
{
	const struct job_end *end = &launch->end;
	char name[VARIANT_WORDS + 32], variant[VARIANT_WORDS], wrong[64] = "";

	variant_words(&launch->variant, variant);
	snprintf(name, sizeof(name), "%s%s", launch->variant.coll->name, variant);

	if (sheet->wrong > 0)
		snprintf(wrong, sizeof(wrong), ", wrong data: %" PRIu64 " elements", sheet->wrong);
	if (end->error != 0)
		say_start_error(program, end->error);
	else if (launch->status == PLAN_INTERRUPTED)
		say("%s: interrupted: its rows so far are in %s%s", name, launch->csv, wrong);
	else if (end->signal != 0)
		say("%s: failed: ended by signal %d (%s)%s", name, end->signal, strsignal(end->signal), wrong);
	else if (verdict == VERDICT_SKIPPED)
		say("%s: skipped: nothing could run (exit code %d)", name, end->exit_code);
	else if (end->exit_code == 0 && !sheet->complete)
		say("%s: ended well, but %s has %zu whole rows of %zu%s", name, launch->csv, sheet->rows, sheet->points, wrong);
	else if (verdict != VERDICT_OK)
		say("%s: failed: exit code %d%s", name, end->exit_code, wrong);
}

static enum verdict judge_end(const struct job_end *end, const struct sheet *sheet)
{
	const struct verdict_rows rows = { .complete = sheet->complete, .wrong = sheet->wrong };
	enum verdict verdict = end->error != 0 ? VERDICT_FAILED : verdict_of(end->exit_code, end->signal, &rows);

	return verdict == VERDICT_OK && !sheet->complete ? VERDICT_FAILED : verdict;
}

static enum verdict judge(struct plan_launch *launch, const char *program, bool interrupted)
{
	struct sheet sheet = read_rows(launch);
	enum verdict verdict = judge_end(&launch->end, &sheet);

	if (verdict == VERDICT_OK)
		launch->status = PLAN_OK;
	else if (interrupted)
		launch->status = PLAN_INTERRUPTED;
	else
		launch->status = verdict == VERDICT_SKIPPED ? PLAN_SKIPPED : PLAN_FAILED;
	say_end(launch, program, verdict, &sheet);
	return verdict;
}

/* -1 after one line. */
static int join_sheets(const struct plan *plan, const struct collective *coll)
{
	struct words files = { 0 };
	char *path = plan_file(plan, coll, "csv");
	int rc = -1;

	plan_sheets(plan, coll, &files);
	if (path)
		rc = sheet_join(path, &files);
	words_clear(&files);
	free(path);
	return rc;
}

enum verdict launch_run(struct plan *plan, size_t i, struct job_watch *watch, struct launch_progress *progress)
{
	struct plan_launch *launch = &plan->launches[i];
	struct words command = { 0 };
	enum verdict verdict;
	int log;

	plan_command(plan, launch, &command);
	if (command.failed) {
		say("out of memory");
		words_clear(&command);
		return VERDICT_FAILED;
	}
	put_aside(launch);
	say_heading(plan, i, progress);
	log = open_log(plan, launch);
	job_run(watch, &command, log, -1, &launch->end);
	if (log >= 0)
		close(log);
	launch->facts = record_take_facts(launch->facts_file);
	record_share_topology(plan, launch->facts);
	verdict = judge(launch, command.list[0], watch->caught != 0);
	words_clear(&command);
	if (plan_joins(plan) && join_sheets(plan, launch->variant.coll) != 0)
		verdict = verdict_worse(verdict, VERDICT_FAILED);
	progress->seconds += launch->end.seconds;
	progress->ended++;
	return verdict;
}
