/* SPDX-License-Identifier: Apache-2.0
 *
 * A comparison of two variants, written down.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "ab.h"
#include "file.h"
#include "quote.h"
#include "say.h"

enum { AB_SCHEMA = 1 };

static const char *const letters[AB_SIDES] = { "A", "B" };

enum ab_side ab_turn(int pair, int place)
{
	return (pair + place) % 2 == 1 ? AB_A : AB_B;
}

static json_t *words_json(const struct words *words)
{
	json_t *array = json_array();

	for (size_t i = 0; i < words->count; i++)
		json_array_append_new(array, json_string(words->list[i]));
	return array;
}

static json_t *spec_json(const struct ab_spec *spec)
{
	json_t *variables = json_object();

	for (size_t i = 0; i < spec->names.count; i++)
		json_object_set_new(variables, spec->names.list[i], json_string(spec->values.list[i]));
	return json_pack("{s:s, s:o, s:o, s:o}", "spec", spec->text, "variables", variables, "options",
			 words_json(&spec->options), "rest", words_json(&spec->rest));
}

json_t *ab_member(const struct ab_job *job, enum ab_side side)
{
	json_t *member = spec_json(&job->args->spec[side]);

	json_object_set_new(member, "variant", json_string(letters[side]));
	json_object_set_new(member, "other", json_string(job->args->spec[AB_SIDES - 1 - side].text));
	json_object_set_new(member, "comparison", json_string(job->stamp));
	return member;
}

/* Of launch i of both plans, that are the same but for the variant. */
static json_t *launch_json(const struct ab_job *job, size_t i, enum ab_side side)
{
	const struct plan_launch *launch = &job->plans[side].launches[i];

	return json_pack("{s:s, s:s, s:s*, s:s*, s:i, s:s, s:s}", "variant", letters[side], "collective",
			 launch->variant.coll->name, "path", launch->variant.path, "algo", launch->variant.algo, "pair",
			 launch->repeat, "run", launch->run, "status", plan_status_names[launch->status]);
}

static json_t *pair_json(const struct ab_job *job, size_t i)
{
	const struct plan_launch *launch[AB_SIDES] = { &job->plans[AB_A].launches[i], &job->plans[AB_B].launches[i] };

	return json_pack("{s:s, s:s*, s:s*, s:i, s:s, s:s, s:s, s:b}", "collective", launch[AB_A]->variant.coll->name, "path",
			 launch[AB_A]->variant.path, "algo", launch[AB_A]->variant.algo, "pair", launch[AB_A]->repeat, "first",
			 letters[ab_turn(launch[AB_A]->repeat, 0)], "A", launch[AB_A]->run, "B", launch[AB_B]->run, "complete",
			 launch[AB_A]->status == PLAN_OK && launch[AB_B]->status == PLAN_OK);
}

static json_t *job_json(const struct ab_job *job)
{
	const struct plan *first = &job->plans[AB_A], *last = &job->plans[AB_B];
	json_t *order = json_array(), *pairs = json_array();

	for (size_t i = 0; i < first->count; i++) {
		for (int place = 0; place < AB_SIDES; place++)
			json_array_append_new(order, launch_json(job, i, ab_turn(first->launches[i].repeat, place)));
		json_array_append_new(pairs, pair_json(job, i));
	}
	return json_pack("{s:i, s:s, s:o, s:s, s:s?, s:I, s:i, s:o, s:o, s:o, s:o}", "schema", AB_SCHEMA, "version",
			 COLLPERF_VERSION, "command", words_json(job->command), "started", first->started, "ended",
			 last->ended[0] != '\0' ? last->ended : NULL, "seed", (json_int_t)job->args->args[AB_A].seed, "repeat",
			 job->args->args[AB_A].repeat, "A", spec_json(&job->args->spec[AB_A]), "B",
			 spec_json(&job->args->spec[AB_B]), "order", order, "pairs", pairs);
}

int ab_write(const struct ab_job *job)
{
	json_t *object = job_json(job);
	char *text = object ? json_dumps(object, JSON_INDENT(1)) : NULL, *path = NULL;
	int rc = -1;

	if (!text || asprintf(&path, "%s/ab.json", job->dir) < 0)
		say_as("ab", "%s: ab.json cannot be made: out of memory", job->dir);
	else
		rc = file_replace(path, text, strlen(text));
	free(path);
	free(text);
	json_decref(object);
	return rc;
}

static void show_launch(const struct ab_job *job, size_t i, enum ab_side side, FILE *out)
{
	const struct ab_spec *spec = &job->args->spec[side];
	const struct plan_launch *launch = &job->plans[side].launches[i];
	struct words command = { 0 };

	for (size_t v = 0; v < spec->names.count; v++) {
		fprintf(out, "%s=", spec->names.list[v]);
		quote_word(out, spec->values.list[v]);
		fputc(' ', out);
	}
	plan_command(&job->plans[side], launch, &command);
	for (size_t w = 0; w < command.count; w++) {
		quote_word(out, command.list[w]);
		fputc(' ', out);
	}
	fprintf(out, "# %s, pair %d of %d\n", letters[side], launch->repeat, job->args->args[side].repeat);
	words_clear(&command);
}

void ab_show(const struct ab_job *job, FILE *out)
{
	for (size_t i = 0; i < job->plans[AB_A].count; i++)
		for (int place = 0; place < AB_SIDES; place++)
			show_launch(job, i, ab_turn(job->plans[AB_A].launches[i].repeat, place), out);
}
