/* SPDX-License-Identifier: Apache-2.0
 *
 * Slurm's compressed list of nodes: names separated by commas, in each any number of [..] with numbers and ranges, whose width is that of their
 * first number. The first name is wanted, but a list that is wrong anywhere is no list.
 */
#include <ctype.h>
#include <string.h>

#include "env.h"

/* Copies what is asked for into a bounded text. */
struct copy {
	char *to;
	size_t room; /* without the end */
	bool wanted; /* false behind the first name */
	bool full;
};

static void put(struct copy *copy, char c)
{
	if (!copy->wanted)
		return;
	if (copy->room == 0) {
		copy->full = true;
		return;
	}
	*copy->to++ = c;
	copy->room--;
}

static const char *skip_digits(const char *at)
{
	while (isdigit((unsigned char)*at))
		at++;
	return at;
}

/* Of texts of digits alone. */
static bool is_less(const char *a, size_t a_length, const char *b, size_t b_length)
{
	for (; a_length > 0 && *a == '0'; a++)
		a_length--;
	for (; b_length > 0 && *b == '0'; b++)
		b_length--;
	return a_length != b_length ? a_length < b_length : memcmp(a, b, a_length) < 0;
}

/* "01-03,07]" behind its "["; returns what follows, or NULL. */
static const char *read_ranges(const char *at, struct copy *copy)
{
	bool first = true;

	for (;;) {
		const char *low = at, *low_end = skip_digits(at);

		if (low_end == low)
			return NULL;
		for (const char *c = low; first && c < low_end; c++)
			put(copy, *c);
		first = false;
		at = low_end;
		if (*at == '-') {
			const char *high = at + 1;

			at = skip_digits(high);
			if (at == high || is_less(high, (size_t)(at - high), low, (size_t)(low_end - low)))
				return NULL;
		}
		if (*at == ']')
			return at + 1;
		if (*at++ != ',')
			return NULL;
	}
}

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '.' || c == '_' || c == '-';
}

/* One name; returns its end, or NULL. */
static const char *read_name(const char *at, struct copy *copy)
{
	const char *start = at;

	/* A name that began like an option would be taken for one. */
	if (*at == '-')
		return NULL;
	while (at && *at && *at != ',') {
		if (*at == '[') {
			at = read_ranges(at + 1, copy);
		} else if (is_name(*at)) {
			put(copy, *at++);
		} else {
			return NULL;
		}
	}
	return at == start ? NULL : at;
}

int env_nodes_first(const char *list, char *host, size_t size)
{
	char name[ENV_HOST];
	struct copy copy = { .to = name, .room = size < sizeof name ? size - 1 : sizeof name - 1, .wanted = true };
	const char *at = list;

	if (size == 0)
		return -1;
	for (;;) {
		at = read_name(at, &copy);
		if (!at || copy.full)
			return -1;
		copy.wanted = false;
		if (*at == '\0')
			break;
		at++;
	}
	*copy.to = '\0';
	memcpy(host, name, (size_t)(copy.to - name) + 1);
	return 0;
}
