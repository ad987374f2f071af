/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading run.json back. Every value is checked before use.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "record.h"
#include "rundir.h"
#include "say.h"
#include "sheet.h"

static int bad(const char *name)
{
	say("run.json: '%s' is missing or not what a run writes", name);
	return -1;
}

static int read_words(const json_t *root, const char *name, struct words *words)
{
	const json_t *array = json_object_get(root, name);

	if (!json_is_array(array))
		return bad(name);
	for (size_t i = 0; i < json_array_size(array); i++) {
		const char *text = json_string_value(json_array_get(array, i));

		if (!text)
			return bad(name);
		words_add(words, text);
	}
	return words->failed ? say("out of memory") : 0;
}

static int read_integer(const json_t *root, const char *name, json_int_t min, json_int_t max, json_int_t *value)
{
	const json_t *number = json_object_get(root, name);

	if (!json_is_integer(number) || json_integer_value(number) < min || json_integer_value(number) > max)
		return bad(name);
	*value = json_integer_value(number);
	return 0;
}

/* A time as plan_time writes it; the stamp becomes part of commands and ids. */
static int read_time(const json_t *root, const char *name, char *buffer, size_t size)
{
	const char *text = json_string_value(json_object_get(root, name));

	if (!text || text[0] == '\0' || strlen(text) >= size || text[strspn(text, "0123456789-:.TZ")] != '\0' || text[0] == '-')
		return bad(name);
	memcpy(buffer, text, strlen(text) + 1);
	return 0;
}

static int read_collectives(const json_t *root, struct args *args)
{
	struct words names = { 0 };
	char list[1024] = "";
	int rc = read_words(root, "collectives", &names);
	size_t used = 0;

	for (size_t i = 0; rc == 0 && i < names.count; i++) {
		size_t length = strlen(names.list[i]);

		if (used + length + 2 > sizeof(list)) {
			rc = bad("collectives");
			break;
		}
		if (i > 0)
			list[used++] = ',';
		memcpy(list + used, names.list[i], length + 1);
		used += length;
	}
	words_clear(&names);
	return rc == 0 ? args_set_collectives(args, list) : rc;
}

static int read_np(const json_t *root, struct args *args)
{
	const json_t *np = json_object_get(root, "np");
	json_int_t value;

	if (json_is_null(np))
		return 0;
	if (read_integer(root, "np", 1, ARGS_MAX_NP, &value) != 0)
		return -1;
	args->np = args->given & ARGS_LAUNCHER ? 0 : (int)value;
	return 0;
}

static int read_backend(const json_t *root, struct args *args)
{
	const json_t *backend = json_object_get(root, "backend");

	args->backend = json_string_value(backend);
	return args->backend || json_is_null(backend) ? 0 : bad("backend");
}

/* What was chosen is kept: there is no second look. Files of before there was a choice lack both. */
static int read_choice(const json_t *root, struct args *args, struct choice *choice)
{
	const json_t *gpus = json_object_get(root, "gpus"), *why = json_object_get(root, "backend_why");
	json_int_t count = 0;

	if (gpus && !json_is_null(gpus) && (!args_is_nccl(args) || read_integer(root, "gpus", 1, LOOK_MAX_GPUS, &count) != 0))
		return bad("gpus");
	if (why && !json_is_null(why) && (!json_is_string(why) || json_string_length(why) >= sizeof(choice->why)))
		return bad("backend_why");
	choice->likely = choice_likely(json_string_value(json_object_get(root, "algos_of")));
	choice->gpus = (int)count;
	snprintf(choice->why, sizeof(choice->why), "%s", json_is_string(why) ? json_string_value(why) : "");
	return 0;
}

/* Names joined to the list that they once were, so that they are checked as it was. Absent: none. */
static int read_names(const json_t *root, const char *name, int (*read)(const char *list, struct words *words),
		      struct words *words)
{
	struct words names = { 0 };
	char list[VARIANT_MOST * 64] = "";
	size_t used = 0;
	int rc = json_object_get(root, name) ? read_words(root, name, &names) : 0;

	for (size_t i = 0; rc == 0 && i < names.count; i++) {
		if (used + strlen(names.list[i]) + 2 > sizeof(list) || strchr(names.list[i], ','))
			rc = bad(name);
		else
			used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", i > 0 ? "," : "", names.list[i]);
	}
	if (rc == 0 && names.count > 0)
		rc = read(list, words);
	words_clear(&names);
	return rc;
}

static int read_options(const json_t *root, struct args *args)
{
	json_int_t seed, repeat;

	if (read_integer(root, "seed", 0, INT64_MAX, &seed) != 0 ||
	    read_integer(root, "repeat", 1, ARGS_MAX_REPEAT, &repeat) != 0 || read_np(root, args) != 0 ||
	    read_backend(root, args) != 0 || read_collectives(root, args) != 0 || read_words(root, "sweep", &args->sweep) != 0 ||
	    read_names(root, "paths", variant_read_paths, &args->paths) != 0 ||
	    read_names(root, "algos", variant_read_algos, &args->algos) != 0 || args_check_sweep(&args->sweep) != 0)
		return -1;
	args->seed = (uint64_t)seed;
	args->repeat = (int)repeat;
	return 0;
}

static json_t *load(const char *dir)
{
	char *path = rundir_record(dir);
	struct file_text text = { 0 };
	json_error_t error = { 0 };
	json_t *root = NULL;

	if (path && file_read(path, &text) == 0 && text.data)
		root = json_loadb(text.data, text.size, JSON_REJECT_DUPLICATES, &error);
	if (!root)
		say("%s: cannot be read: line %d: %s", path ? path : dir, error.line, error.text);
	file_text_clear(&text);
	free(path);
	return root;
}

int record_read(struct plan *plan, struct args *args, struct words *command, json_t **root)
{
	json_int_t schema;

	*root = load(plan->dir);
	if (!*root)
		return -1;
	/* Its variables are not set, and the launches of the other variant would not stand beside its own. */
	if (json_object_get(*root, "ab"))
		return say("%s: holds one variant of collperf ab: start the comparison anew", plan->dir);
	if (read_integer(*root, "schema", 1, 1, &schema) != 0 ||
	    read_time(*root, "stamp", plan->stamp, sizeof(plan->stamp)) != 0 ||
	    read_time(*root, "started", plan->started, sizeof(plan->started)) != 0 || read_words(*root, "command", command) != 0)
		return -1;
	if (read_options(*root, args) != 0 || read_choice(*root, args, &plan->choice) != 0)
		return -1;
	plan->inputs = json_incref(json_object_get(*root, "inputs"));
	return plan->inputs && !json_is_object(plan->inputs) ? bad("inputs") : 0;
}

/* A command that a file names is never run unless it is given on the command line too. */
static int check_launcher(const json_t *root, const struct plan *plan)
{
	struct words recorded = { 0 }, ours = { 0 };
	int rc = read_words(root, "launcher", &recorded);

	plan_launcher(plan, &ours);
	if (rc == 0 && !words_equal(&recorded, &ours)) {
		rc = say("run.json: the launcher was another one; to use it, give it again with --launcher:");
		for (size_t i = 0; i < recorded.count; i++)
			say_plain("  '%s'", recorded.list[i]);
	}
	words_clear(&ours);
	words_clear(&recorded);
	return rc;
}

static int optional_integer(const json_t *object, const char *name)
{
	const json_t *number = json_object_get(object, name);
	json_int_t value = json_is_integer(number) ? json_integer_value(number) : 0;

	return value >= 0 && value <= 255 ? (int)value : 0;
}

/* A number is that of a topology of the file; what is none is left out. */
static void restore_topology(json_t *facts, const json_t *topologies)
{
	json_t *inner = json_object_get(facts, "facts"), *number = json_object_get(inner, "topology");
	json_int_t at = json_integer_value(number);
	json_t *topology = json_is_integer(number) && at >= 0 ? json_array_get(topologies, (size_t)at) : NULL;

	if (json_is_object(topology))
		json_object_set(inner, "topology", topology);
	else if (json_is_integer(number))
		json_object_del(inner, "topology");
}

static bool is_text(const json_t *object, const char *name, const char *text)
{
	const char *value = json_string_value(json_object_get(object, name));

	return value && text ? strcmp(value, text) == 0 : value == text;
}

static int restore_launch(const json_t *object, const json_t *topologies, struct plan_launch *launch)
{
	const char *status = json_string_value(json_object_get(object, "status"));
	const json_t *seconds = json_object_get(object, "seconds");
	json_t *facts = json_object_get(object, "facts");
	struct sheet sheet;

	if (!status || !is_text(object, "collective", launch->variant.coll->name) ||
	    !is_text(object, "path", launch->variant.path) || !is_text(object, "algo", launch->variant.algo) ||
	    json_integer_value(json_object_get(object, "repeat")) != launch->repeat)
		return bad("launches");
	sheet_check(launch->csv, &sheet);
	if (strcmp(status, plan_status_names[PLAN_OK]) != 0 || !sheet.complete || sheet.wrong > 0)
		return 0;
	launch->status = PLAN_OK;
	launch->end.exit_code = optional_integer(object, "exit");
	launch->end.seconds = json_is_real(seconds) ? json_real_value(seconds) : 0.0;
	if (json_is_object(facts) || json_is_array(facts))
		launch->facts = json_incref(facts);
	restore_topology(launch->facts, topologies);
	return 0;
}

int record_restore(json_t *root, struct plan *plan)
{
	const json_t *launches = json_object_get(root, "launches"), *topologies = json_object_get(root, "topologies");

	if (check_launcher(root, plan) != 0)
		return -1;
	if (!json_is_array(launches) || json_array_size(launches) != plan->count)
		return bad("launches");
	for (size_t i = 0; i < plan->count; i++) {
		if (restore_launch(json_array_get(launches, i), topologies, &plan->launches[i]) != 0)
			return -1;
	}
	return 0;
}
