/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of UCX's log that are written when a new kind of endpoint is made: its lanes for tagged messages are what MPI's data go through. Forms of 1.6
 * ("ep_cfg[1]: tag(sysv/memory cma/memory);"), 1.13 and 1.14 on ("0x1 intra-node cfg#2 tag(...) rma(...)").
 */
#include <ctype.h>
#include <string.h>

#include "taken.h"
#include "taken_parts.h"

enum { LANE_OTHER = -1, LANE_NOTHING = -2 };

/* What a transport is, by the beginning of its name. */
static const struct {
	const char *prefix;
	int way;
} lanes[] = {
	{ "self", LANE_NOTHING },
	{ "posix", WAY_SHM },
	{ "sysv", WAY_SHM },
	{ "xpmem", WAY_SHM },
	{ "cma", WAY_SHM },
	{ "knem", WAY_SHM },
	{ "tcp", WAY_TCP },
	{ "rc", WAY_IB },
	{ "dc", WAY_IB },
	{ "ud", WAY_IB },
	{ "gga", WAY_IB },
	{ "ib", WAY_IB },
	{ "cuda_copy", LANE_NOTHING },
	{ "gdr_copy", LANE_NOTHING },
	{ "rocm_copy", LANE_NOTHING },
	{ "cuda_ipc", WAY_AUTO },
	{ "rocm_ipc", WAY_AUTO },
	{ "ze_copy", LANE_NOTHING },
	{ "ze_ipc", WAY_AUTO },
};

static int lane_way(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++) {
		const size_t n = strlen(lanes[i].prefix);

		if (n <= length && memcmp(name, lanes[i].prefix, n) == 0 && (n == length || !isalpha((unsigned char)name[n])))
			return lanes[i].way;
	}
	return LANE_OTHER;
}

/* "sysv/memory cma/memory": each is transport/device. *own: the first lane leads to oneself. False: not such a list. */
static bool read_lanes(struct taken *taken, struct taken_text text, unsigned *ways, bool *own)
{
	bool first = true;

	*ways = 0;
	*own = false;
	for (taken_blanks(&text); text.at < text.end; taken_blanks(&text), first = false) {
		const char *name = text.at, *slash;

		while (text.at < text.end && (isgraph((unsigned char)*text.at)))
			text.at++;
		slash = memchr(name, '/', (size_t)(text.at - name));
		if (text.at == name || !slash || slash == name)
			return false;
		const int way = lane_way(name, (size_t)(slash - name));

		*own |= first && *name == 's' && slash - name == 4 && memcmp(name, "self", 4) == 0;
		if (way >= 0)
			*ways |= 1U << way;
		else if (way == LANE_OTHER && !*own)
			taken_copy(&(struct taken_text){ name, slash }, (size_t)(slash - name), taken->network,
				   sizeof taken->network);
	}
	return !first;
}

static int config_line(struct taken *taken, struct taken_text text)
{
	const bool own_by_name = memmem(text.at, (size_t)(text.end - text.at), " self cfg#", 10) != NULL;
	char how[sizeof taken->pairs->how];
	unsigned ways;
	bool own, failed;

	if (!taken_skip_to(&text, "tag("))
		return 0;
	const char *end = memchr(text.at, ')', (size_t)(text.end - text.at));

	if (!end)
		return 0;
	text.end = end;
	if (!read_lanes(taken, text, &ways, &own))
		return 0;
	taken->understood++;
	if (own || own_by_name)
		return 0;
	taken->ways |= ways;
	taken_copy(&text, (size_t)(text.end - text.at), how, sizeof how);
	struct taken_pair *pair = taken_find_pair(taken, -1, -1, how, &failed);

	if (pair)
		pair->ways |= ways;
	return failed ? -1 : 0;
}

static bool version_line(struct taken *taken, struct taken_text text)
{
	const char *end;

	if (!taken_skip_to(&text, " Version ") || text.at == text.end || !isdigit((unsigned char)*text.at))
		return false;
	for (end = text.at; end < text.end && isgraph((unsigned char)*end);)
		end++;
	const size_t used = (size_t)snprintf(taken->version, sizeof taken->version, "UCX ");

	taken_copy(&text, (size_t)(end - text.at), taken->version + used, sizeof taken->version - used);
	return true;
}

int taken_ucx_line(struct taken *taken, const char *line, size_t length)
{
	struct taken_text text = { line, line + (length < TAKEN_LINE ? length : TAKEN_LINE) }, config;
	bool found = false;

	taken->lines++;
	while (taken_skip_to(&text, " UCX  INFO "))
		found = true;
	if (!found)
		return 0;
	config = text;
	if (taken_skip_to(&config, "ep_cfg["))
		return config_line(taken, config);
	if (taken_skip_to(&config, " cfg#"))
		return config_line(taken, text);
	text.at--;
	taken->understood += version_line(taken, text);
	return 0;
}

int taken_ucx_text(struct taken *taken, const char *text, size_t size)
{
	for (const char *end; size > 0; size -= (size_t)(end - text), text = end) {
		const char *newline = memchr(text, '\n', size);

		end = newline ? newline + 1 : text + size;
		if (taken_ucx_line(taken, text, (size_t)((newline ? newline : end) - text)))
			return -1;
	}
	return 0;
}
