/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing run.json, and the facts that go into it.
 */
#include "record.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "file.h"
#include "rundir.h"
#include "say.h"

enum { RECORD_SCHEMA = 1, RECORD_MOST_TOPOLOGIES = 32 };

/* NULL where a word is not UTF-8. */
static json_t *words_json(const struct words *words)
{
	json_t *array = json_array();

	for (size_t i = 0; i < words->count; i++) {
		if (json_array_append_new(array, json_string(words->list[i])) != 0) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static json_t *collectives_json(const struct args *args)
{
	json_t *array = json_array();

	for (size_t i = 0; i < args->ncolls; i++)
		json_array_append_new(array, json_string(args->colls[i]->name));
	return array;
}

/* A host may have any name. */
static json_t *system_text(const char *text)
{
	char copy[sizeof(((struct utsname *)NULL)->nodename)];
	size_t n = strnlen(text, sizeof(copy));

	for (size_t i = 0; i < n; i++)
		copy[i] = text[i];
	for (size_t i = 0; i < n; i++) {
		if (copy[i] < ' ' || copy[i] > '~')
			copy[i] = '?';
	}
	return json_stringn(copy, n);
}

static json_t *integer_or_null(bool present, int value)
{
	return present ? json_integer(value) : json_null();
}

/* A launch's facts with the topology, if there is one, as a number in `topologies`. NULL: there are none, or memory is out. */
static json_t *facts_json(json_t *facts, json_t *topologies)
{
	json_t *inner = json_object_get(facts, "facts"), *topology = json_object_get(inner, "topology"), *copy;
	size_t at = 0;

	if (!json_is_object(topology))
		return json_incref(facts);
	while (at < json_array_size(topologies) && json_array_get(topologies, at) != topology)
		at++;
	copy = json_copy(facts);
	inner = json_copy(inner);
	if (at == RECORD_MOST_TOPOLOGIES)
		json_object_del(inner, "topology");
	else if ((at == json_array_size(topologies) && json_array_append(topologies, topology)) ||
		 json_object_set_new(inner, "topology", json_integer((json_int_t)at)))
		inner = NULL; /* out of memory, and soon said */
	json_object_set_new(copy, "facts", inner);
	return copy;
}

static json_t *launch_json(const struct plan *plan, const struct plan_launch *launch, json_t *topologies)
{
	const struct job_end *end = &launch->end;
	bool ran = launch->status != PLAN_PENDING && end->error == 0;
	struct words command = { 0 };
	json_t *object;

	plan_command(plan, launch, &command);
	object = json_pack("{s:s, s:s*, s:s*, s:i, s:s, s:I, s:o, s:s, s:o, s:o, s:o, s:o?}", "collective",
			   launch->variant.coll->name, "path", launch->variant.path, "algo", launch->variant.algo, "repeat",
			   launch->repeat, "run", launch->run, "seed", (json_int_t)launch->seed, "argv", words_json(&command),
			   "status", plan_status_names[launch->status], "exit",
			   integer_or_null(ran && end->signal == 0, end->exit_code), "signal",
			   integer_or_null(ran && end->signal != 0, end->signal), "seconds",
			   ran ? json_real(end->seconds) : json_null(), "facts", facts_json(launch->facts, topologies));
	words_clear(&command);
	return object;
}

static json_t *launches_json(const struct plan *plan, json_t *topologies)
{
	json_t *array = json_array();

	for (size_t i = 0; i < plan->count; i++) {
		if (json_array_append_new(array, launch_json(plan, &plan->launches[i], topologies)) != 0) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static json_t *plan_json(const struct plan *plan, const struct words *command)
{
	const struct args *args = plan->args;
	struct words launcher = { 0 };
	struct utsname system = { 0 };
	json_t *object, *topologies = json_array();

	uname(&system);
	plan_launcher(plan, &launcher);
	object = json_pack(
		"{s:i, s:s, s:O*, s:o, s:s, s:s, s:s?, s:I, s:o, s:s?, s:o, s:s?, s:o, s:i, s:o, s:o, s:o, s:o, s:i, s:o}",
		"schema", RECORD_SCHEMA, "version", COLLPERF_VERSION, "ab", plan->ab, "command", words_json(command), "stamp",
		plan->stamp, "started", plan->started, "ended", plan->ended[0] != '\0' ? plan->ended : NULL, "seed",
		(json_int_t)args->seed, "np", integer_or_null(plan->np > 0, plan->np), "backend", plan->choice.backend, "gpus",
		integer_or_null(plan->choice.gpus > 0, plan->choice.gpus), "backend_why",
		plan->choice.why[0] != '\0' ? plan->choice.why : NULL, "launcher", words_json(&launcher), "repeat", args->repeat,
		"collectives", collectives_json(args), "sweep", words_json(&args->sweep), "host", system_text(system.nodename),
		"kernel", system_text(system.release), "cores", plan->cores, "launches", launches_json(plan, topologies));
	if (json_array_size(topologies) > 0)
		json_object_set(object, "topologies", topologies);
	if (plan->inputs)
		json_object_set(object, "inputs", plan->inputs);
	if (args->paths.count > 0)
		json_object_set_new(object, "paths", words_json(&args->paths));
	if (args->algos.count > 0)
		json_object_set_new(object, "algos", words_json(&args->algos));
	if (plan->choice.likely)
		json_object_set_new(object, "algos_of", json_string(plan->choice.likely));
	json_decref(topologies);
	words_clear(&launcher);
	return object;
}

bool record_can_hold(const char *text)
{
	json_t *held = json_string(text);
	bool can = held != NULL;

	json_decref(held);
	return can;
}

int record_write(const struct plan *plan, const struct words *command)
{
	json_t *object = plan_json(plan, command);
	char *text = object ? json_dumps(object, JSON_INDENT(1)) : NULL;
	char *path = rundir_record(plan->dir);
	int rc;

	if (text && path)
		rc = file_replace(path, text, strlen(text));
	else
		rc = say("%s: run.json cannot be made: out of memory", plan->dir);
	free(path);
	free(text);
	json_decref(object);
	return rc;
}

json_t *record_take_facts(const char *path)
{
	struct file_text text;
	json_error_t error;
	json_t *facts;

	if (file_read(path, &text) != 0) {
		if (errno != ENOENT)
			say("%s: %s: facts left out", path, strerror(errno));
		unlink(path);
		return NULL;
	}
	facts = json_loadb(text.data ? text.data : "", text.size, 0, &error);
	if (!facts)
		say("%s: facts left out: line %d: %s", path, error.line, error.text);
	file_text_clear(&text);
	unlink(path);
	return facts;
}

void record_share_topology(const struct plan *plan, struct json_t *facts)
{
	json_t *inner = json_object_get(facts, "facts"), *topology = json_object_get(inner, "topology"), *last = NULL;

	for (size_t i = 0; i < plan->count && json_is_object(topology); i++) {
		json_t *other = json_object_get(json_object_get(plan->launches[i].facts, "facts"), "topology");

		if (other == last || other == topology || !json_is_object(other))
			continue;
		last = other;
		if (json_equal(other, topology)) {
			json_object_set(inner, "topology", other);
			return;
		}
	}
}
