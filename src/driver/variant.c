/* SPDX-License-Identifier: Apache-2.0
 *
 * Collectives x paths x algorithms.
 */
#include "variant.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../topo/algo.h"
#include "../../topo/way.h"
#include "say.h"
#include "share.h"
#include "verdict.h"

enum { MOST_NAME = 48 };

const char variant_auto[] = "auto";

static const char *const default_sizes[] = { "-b", "8", "-e", "4M", "-f", "2" };

static bool is_auto(const char *word)
{
	return strcmp(word, variant_auto) == 0;
}

static bool is_algo_name(const char *word)
{
	const size_t length = strlen(word);

	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)word[i]) && word[i] != '_' && (word[i] != '/' || i == 0 || i + 1 == length))
			return false;
	return length > 0 && length <= MOST_NAME;
}

static int add_word(struct words *words, const char *option, const char *word)
{
	for (size_t i = 0; i < words->count; i++)
		if (strcmp(words->list[i], word) == 0)
			return say("%s: %s is named twice", option, word);
	if (words->count == VARIANT_MOST)
		return say("%s: more than %d names", option, VARIANT_MOST);
	words_add(words, word);
	return words->failed ? say("out of memory") : 0;
}

static int refuse_path(const char *word)
{
	char names[128];
	size_t used = 0;

	for (int i = 0; i < WAYS; i++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, " %s", way_names[i]);
	return say("--paths: '%s' is not a path; there are:%s", word, names);
}

static int read_list(const char *list, const char *option, int (*check)(const char *word), struct words *words)
{
	char *copy = strdup(list), *rest = copy, *word;
	int rc = copy ? 0 : say("out of memory");

	words_clear(words);
	while (rc == 0 && (word = strsep(&rest, ","))) {
		rc = check(word);
		if (rc == 0)
			rc = add_word(words, option, word);
	}
	free(copy);
	return rc;
}

static int check_path(const char *word)
{
	return way_find(word) >= 0 ? 0 : refuse_path(word);
}

static int check_algo(const char *word)
{
	return is_algo_name(word) ? 0 : say("--algos: '%s' cannot be the name of an algorithm", word);
}

int variant_read_paths(const char *list, struct words *names)
{
	return read_list(list, "--paths", check_path, names);
}

int variant_read_algos(const char *list, struct words *names)
{
	return read_list(list, "--algos", check_algo, names);
}

/* As simulated ranks have it: a cost model, or what a library's algorithm of that model is also called. */
static bool has_model(const struct collective *coll, const char *algo)
{
	bool has = collective_model(coll, algo) != NULL;

	for (size_t i = 0; i < algo_count && !has; i++)
		has = algos[i].coll == coll->id && algos[i].also && strcmp(algos[i].also, algo) == 0 &&
		      collective_model(coll, algos[i].name);
	return has;
}

static bool has_algo(const struct collective *coll, const char *backend, const char *algo)
{
	if (is_auto(algo))
		return true;
	if (backend && strcmp(backend, "sim") == 0)
		return has_model(coll, algo);
	for (int i = 0; i < WAY_LIBRARIES; i++)
		if ((!backend || strcmp(backend, way_library_names[i]) == 0) && algo_find((enum way_library)i, coll->id, algo))
			return true;
	return false;
}

static bool has_path(const char *backend, enum way way)
{
	if (way == WAY_AUTO)
		return true;
	for (int i = 0; i < WAY_LIBRARIES; i++)
		if ((!backend || strcmp(backend, way_library_names[i]) == 0) && way_variables((enum way_library)i, way))
			return true;
	return false;
}

/* What a machine lacks is seen when it is tried; what the backend lacks is known. */
static int check_paths(const struct args *args, const char *backend)
{
	char names[96] = "";
	unsigned ways = 0;

	for (int i = 0; i < WAYS; i++)
		ways |= i != WAY_AUTO && has_path(backend, (enum way)i) ? 1U << i : 0;
	way_words(ways, names);
	for (char *c = names; *c != '\0'; c++)
		*c = *c == '+' ? ' ' : *c;
	for (size_t i = 0; i < args->paths.count; i++) {
		if (has_path(backend, (enum way)way_find(args->paths.list[i])))
			continue;
		say("--paths: '%s': not with --backend %s, which has: auto%s%s", args->paths.list[i], backend, *names ? " " : "",
		    names);
		return VERDICT_USAGE;
	}
	return 0;
}

/* At least one of those that run must have it. */
static int check_algos(const struct args *args, const char *backend)
{
	for (size_t i = 0; i < args->algos.count; i++) {
		size_t having = 0;

		for (size_t c = 0; c < args->ncolls; c++)
			having += has_algo(args->colls[c], backend, args->algos.list[i]);
		if (having > 0)
			continue;
		say("--algos: none of these collectives has an algorithm '%s'%s%s; a binary's --list names them",
		    args->algos.list[i], backend ? " with --backend " : "", backend ? backend : "");
		return VERDICT_USAGE;
	}
	return 0;
}

void variant_tell(const struct args *args, const char *backend)
{
	for (size_t i = 0; i < args->algos.count; i++) {
		char names[256] = "";
		size_t used = 0;

		for (size_t c = 0; c < args->ncolls && used < sizeof(names); c++)
			if (!has_algo(args->colls[c], backend, args->algos.list[i]))
				used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s", used > 0 ? ", " : "",
							 args->colls[c]->name);
		if (names[0] != '\0')
			say("algorithm %s: skipped for what lacks it: %s", args->algos.list[i], names);
	}
}

static const char *word_at(const struct words *words, size_t i)
{
	return words->count > 0 ? words->list[i] : NULL;
}

int variant_round(const struct args *args, const char *backend, struct variant **list, size_t *count)
{
	const size_t npaths = args->paths.count > 0 ? args->paths.count : 1,
		     nalgos = args->algos.count > 0 ? args->algos.count : 1;
	struct variant *all = calloc(args->ncolls * npaths * nalgos, sizeof(*all));
	size_t n = 0;
	int rc = check_paths(args, backend);

	if (rc == 0)
		rc = check_algos(args, backend);
	if (rc == 0 && share_check(args) != 0)
		rc = VERDICT_USAGE;
	if (!all) {
		say("out of memory");
		rc = VERDICT_FAILED;
	}
	for (size_t i = 0; rc == 0 && i < args->ncolls * npaths * nalgos; i++) {
		const struct variant variant = { .coll = args->colls[i / (npaths * nalgos)],
						 .path = word_at(&args->paths, i / nalgos % npaths),
						 .algo = word_at(&args->algos, i % nalgos) };

		if (!variant.algo || has_algo(variant.coll, backend, variant.algo))
			all[n++] = variant;
	}
	if (rc != 0) {
		free(all);
		return rc;
	}
	*list = all;
	*count = n;
	return 0;
}

void variant_sizes(struct args *args)
{
	static const char *const names[] = { "minbytes", "maxbytes", "stepbytes", "stepfactor" };
	static const char letters[] = "beif";

	if (args->paths.count == 0 && args->algos.count == 0)
		return;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (args_sweep_has(args, letters[i], names[i]))
			return;
	/* Whatever stands behind that is no option. */
	for (size_t i = 0; i < args->sweep.count; i++)
		if (strcmp(args->sweep.list[i], "--") == 0)
			return;
	for (size_t i = 0; i < sizeof(default_sizes) / sizeof(default_sizes[0]); i++)
		words_add(&args->sweep, default_sizes[i]);
}

void variant_suffix(const struct variant *variant, char *text)
{
	snprintf(text, VARIANT_WORDS, "%s%s%s%s", variant->path ? "-" : "", variant->path ? variant->path : "",
		 variant->algo ? "-" : "", variant->algo ? variant->algo : "");
	for (char *c = text; *c != '\0'; c++)
		*c = *c == '/' ? '_' : *c;
}

void variant_words(const struct variant *variant, char *text)
{
	snprintf(text, VARIANT_WORDS, "%s%s%s%s", variant->path ? ", path " : "", variant->path ? variant->path : "",
		 variant->algo ? ", algo " : "", variant->algo ? variant->algo : "");
}
