/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of NCCL's own, "host:pid:tid [0] NCCL INFO ...", and where they cut a row in two.
 */
#include <ctype.h>

#include "nccl_text.h"

bool nccl_is_blank(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r')
			return false;
	return true;
}

/* Where the word that ends at `end` begins. */
static size_t word_start(const char *text, size_t end)
{
	while (end > 0 && text[end - 1] != ' ' && text[end - 1] != '\t')
		end--;
	return end;
}

static size_t skip_blanks_back(const char *text, size_t end)
{
	while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == '\t'))
		end--;
	return end;
}

/* "host:123:456" is from `start` on: *host is the length of the host's part. */
static bool is_origin(const char *text, size_t start, size_t end, size_t *host)
{
	for (int part = 0; part < 2; part++) {
		size_t digits = end;

		while (digits > start && isdigit((unsigned char)text[digits - 1]))
			digits--;
		if (digits == end || digits <= start || text[digits - 1] != ':')
			return false;
		end = digits - 1;
	}
	*host = end - start;
	return *host > 0;
}

bool nccl_library_find(const char *text, size_t length, size_t *start, size_t *host)
{
	static const char *const levels[] = { "NCCL INFO", "NCCL WARN", "NCCL TRACE", "NCCL ABORT", "NCCL CALL" };

	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		size_t at = words_find(text, length, levels[i]);

		if (at == length)
			continue;
		/* "[0]", and before WARN a file and line too */
		for (int words = 0; words < 4; words++) {
			at = skip_blanks_back(text, at);
			*start = word_start(text, at);
			if (is_origin(text, *start, at, host))
				return true;
			at = *start;
		}
	}
	return false;
}

bool nccl_library_cut(struct nccl_ranks *ranks, const char *text, size_t start, size_t host, size_t *cut)
{
	char first = text[start];
	size_t known;

	*cut = start;
	/* No row begins with a letter. */
	if (isalpha((unsigned char)first) && nccl_is_blank(text, start))
		return true;
	known = nccl_host_at_end(ranks, text + start, host);
	if (known > 0) {
		*cut = start + host - known;
		return true;
	}
	/* A row's beginning or a host of that name: the first, if it stands alone, is the second. */
	return nccl_is_blank(text, start);
}
