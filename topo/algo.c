/* SPDX-License-Identifier: Apache-2.0
 *
 * Looking up algorithms: by name, and by what an environment already asks for, in NCCL's grammar of lists for each function.
 */
#include "algo.h"

#include <string.h>
#include <strings.h>

#include "../collectives/collective.h"

/* NCCL's words for what our table can name. */
static const char *const nccl_algorithms[] = { "Ring", "Tree", "CollnetDirect", "CollnetChain", "NVLS", "NVLSTree", "PAT", NULL };
static const char *const nccl_protocols[] = { "LL", "LL128", "Simple", NULL };
static const char *const nccl_functions[COLL_COUNT] = {
	[COLL_BROADCAST] = "broadcast",          [COLL_REDUCE] = "reduce",        [COLL_ALL_GATHER] = "allgather",
	[COLL_REDUCE_SCATTER] = "reducescatter", [COLL_ALL_REDUCE] = "allreduce",
};

const struct algo *algo_find(enum way_library library, enum coll_id coll, const char *name)
{
	for (size_t i = 0; i < algo_count; i++) {
		const struct algo *algo = &algos[i];

		if (algo->library == library && algo->coll == coll &&
		    (strcasecmp(algo->name, name) == 0 || (algo->also && strcasecmp(algo->also, name) == 0)))
			return algo;
	}
	return NULL;
}

const char *algo_cannot(const struct algo *algo, const struct algo_call *call)
{
	if ((algo->needs & ALGO_POWER_OF_TWO) && !coll_is_power_of_two(call->nranks))
		return "the algorithm needs a power of two of ranks";
	if ((algo->needs & ALGO_ELEMENTS) && call->count < (size_t)1 << coll_log2_floor(call->nranks))
		return "the algorithm needs an element for each rank, up to a power of two";
	if ((algo->needs & ALGO_OWN_OP) && call->reduces && !call->has_own_op)
		return "the algorithm needs a type that the library itself can reduce";
	if ((algo->needs & ALGO_OUT_OF_PLACE) && call->in_place)
		return "the library has this algorithm for out-of-place calls alone";
	if ((algo->needs & ALGO_IN_PLACE) && !call->in_place)
		return "the library has this algorithm for in-place calls alone";
	return NULL;
}

struct span {
	const char *text;
	size_t length;
};

/* Cuts off what stands before `stop`, and that. */
static struct span cut(struct span *rest, char stop)
{
	const char *at = memchr(rest->text, stop, rest->length);
	struct span part = { rest->text, at ? (size_t)(at - rest->text) : rest->length };
	const size_t gone = part.length + (at != NULL);

	rest->text += gone;
	rest->length -= gone;
	return part;
}

static bool is_word(struct span span, const char *word)
{
	return strlen(word) == span.length && strncasecmp(span.text, word, span.length) == 0;
}

/* Bits of the words that a list leaves; 0 where it holds another word, or leaves none. */
static unsigned read_list(struct span list, const char *const *words)
{
	const bool without = list.length > 0 && *list.text == '^';
	unsigned named = 0, all = 0;

	list.text += without;
	list.length -= without;
	for (int i = 0; words[i]; i++)
		all |= 1U << i;
	while (list.length > 0) {
		const struct span word = cut(&list, ',');
		int i = 0;

		while (words[i] && !is_word(word, words[i]))
			i++;
		if (!words[i])
			return 0;
		named |= 1U << i;
	}
	return without ? all & ~named : named;
}

/* "ring", "^ring", "ring;broadcast:tree,ring": what counts for this function; all where nothing does. */
static unsigned read_lists(const char *text, const char *function, const char *const *words)
{
	struct span rest = { text ? text : "", text ? strlen(text) : 0 };
	unsigned left = read_list((struct span){ "^", 1 }, words);

	while (rest.length > 0) {
		struct span list = cut(&rest, ';');
		const char *colon = memchr(list.text, ':', list.length);

		if (!colon || is_word(cut(&list, ':'), function))
			left = read_list(list, words);
	}
	return left;
}

/* The word of the one bit, or NULL. */
static const char *only_word(unsigned bits, const char *const *words)
{
	int i = 0;

	if (bits == 0 || (bits & (bits - 1)) != 0)
		return NULL;
	while (!(bits & 1U << i))
		i++;
	return words[i];
}

static bool asks_for(const struct algo *algo, const char *algorithm, const char *protocol)
{
	const struct way_variable *variables = algo->variables;

	if (strcmp(variables[0].value, algorithm) != 0)
		return false;
	return protocol ? variables[1].name && strcmp(variables[1].value, protocol) == 0 : !variables[1].name;
}

static const struct algo *find_words(enum coll_id coll, const char *algorithm, const char *protocol)
{
	for (size_t i = 0; i < algo_count; i++)
		if (algos[i].library == WAY_NCCL && algos[i].coll == coll && asks_for(&algos[i], algorithm, protocol))
			return &algos[i];
	return NULL;
}

/* Several protocols, or one that goes without saying, leave the algorithm certain. */
static const struct algo *find_nccl(enum coll_id coll, const char *(*get)(const char *name))
{
	const char *function = nccl_functions[coll];
	const char *algorithm, *protocol;
	const struct algo *found = NULL;

	if (!function)
		return NULL;
	algorithm = only_word(read_lists(get("NCCL_ALGO"), function, nccl_algorithms), nccl_algorithms);
	protocol = only_word(read_lists(get("NCCL_PROTO"), function, nccl_protocols), nccl_protocols);
	if (algorithm && protocol)
		found = find_words(coll, algorithm, protocol);
	return found || !algorithm ? found : find_words(coll, algorithm, NULL);
}

static bool is_set(const struct way_variable *variables, const char *(*get)(const char *name))
{
	for (; variables->name; variables++) {
		const char *value = get(variables->name);

		if (!value || strcmp(value, variables->value) != 0)
			return false;
	}
	return true;
}

const struct algo *algo_by_environment(enum way_library library, enum coll_id coll, const char *(*get)(const char *name))
{
	if (library == WAY_NCCL)
		return find_nccl(coll, get);
	for (size_t i = 0; i < algo_count; i++)
		if (algos[i].library == library && algos[i].coll == coll && is_set(algos[i].variables, get))
			return &algos[i];
	return NULL;
}

/* "ring[/ll|/ll128|/simple], tree": a protocol follows the algorithm that it is of. */
void algo_names(enum way_library library, enum coll_id coll, char *text, size_t size)
{
	size_t used = 0;
	bool open = false;

	text[0] = '\0';
	for (size_t i = 0; i < algo_count; i++) {
		const char *slash = strchr(algos[i].name, '/');

		if (algos[i].library != library || algos[i].coll != coll || used >= size)
			continue;
		if (slash)
			used += (size_t)snprintf(text + used, size - used, "%s%s", open ? "|" : "[", slash);
		else
			used += (size_t)snprintf(text + used, size - used, "%s%s%s", open ? "]" : "", used > 0 ? ", " : "",
						 algos[i].name);
		open = slash != NULL;
	}
	if (open && used < size)
		snprintf(text + used, size - used, "]");
}

void algo_list(FILE *out, enum coll_id coll)
{
	for (size_t i = 0; i < algo_count; i++) {
		const struct algo *algo = &algos[i];

		if (algo->coll != coll)
			continue;
		fprintf(out, "algo: %s (%s%s%s):", algo->name, way_library_names[algo->library], algo->also ? "; also " : "",
			algo->also ? algo->also : "");
		for (const struct way_variable *variable = algo->variables; variable->name; variable++)
			fprintf(out, " %s=%s", variable->name, variable->value);
		fprintf(out, "\n");
	}
}
