/* SPDX-License-Identifier: Apache-2.0
 *
 * Walks over the words for the binaries, an option and its value at a time.
 */
#include "share.h"

#include <string.h>

#include "say.h"

size_t share_next(const struct words *sweep, size_t i, const struct own_option **own)
{
	const char *word = sweep->list[i];
	bool has_value;

	*own = own_option_find(word);
	/* A label may look like any option; what else has a value never does. */
	has_value = *own ? (*own)->has_value && !strchr(word, '=') : strcmp(word, "--label") == 0;
	return i + 1 + (has_value && i + 1 < sweep->count);
}

void share_words(const struct words *sweep, const struct collective *coll, struct words *words)
{
	const struct own_option *own;

	for (size_t i = 0, next; i < sweep->count; i = next) {
		next = share_next(sweep, i, &own);
		for (size_t k = i; k < next && (!own || own->coll == coll->id); k++)
			words_add(words, sweep->list[k]);
	}
}

bool share_has_own(const struct words *sweep, const struct collective *coll)
{
	const struct own_option *own;

	for (size_t i = 0; i < sweep->count;) {
		i = share_next(sweep, i, &own);
		if (own && own->coll == coll->id)
			return true;
	}
	return false;
}

static bool runs(const struct args *args, enum coll_id coll)
{
	for (size_t i = 0; i < args->ncolls; i++)
		if (args->colls[i]->id == coll)
			return true;
	return false;
}

int share_check(const struct args *args)
{
	const struct own_option *own;

	for (size_t i = 0; i < args->sweep.count;) {
		i = share_next(&args->sweep, i, &own);
		if (own && !runs(args, own->coll))
			return say("--%s: none of these collectives has it: it is an option of %s", own->name,
				   collectives[own->coll]->name);
	}
	return 0;
}
