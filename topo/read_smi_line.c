/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of nvidia-smi's matrix, as a terminal, a log or a web page has kept them.
 */
#include <ctype.h>
#include <string.h>

#include "read_smi.h"

/* Bytes of the escape sequence at `text`. */
static size_t escape_length(const char *text, size_t size)
{
	size_t n = 1;

	if (size < 2 || text[1] != '[')
		return 1;
	for (n = 2; n < size && n < 32; n++) {
		if (text[n] >= 0x40 && text[n] <= 0x7e)
			return n + 1;
	}
	return n;
}

static void split(struct read_smi_line *line)
{
	char *at = line->text;

	line->nwords = 0;
	while (line->nwords < READ_SMI_MOST_WORDS) {
		while (*at == ' ')
			at++;
		if (*at == '\0')
			break;
		line->words[line->nwords++] = at;
		while (*at && *at != ' ')
			at++;
		if (*at)
			*at++ = '\0';
	}
}

bool read_smi_next(const char *text, size_t size, size_t *at, struct read_smi_line *line)
{
	size_t length = 0, i = *at;

	if (i >= size)
		return false;
	while (i < size && text[i] != '\n') {
		const unsigned char byte = (unsigned char)text[i];

		if (byte == 0x1b) {
			i += escape_length(text + i, size - i);
			continue;
		}
		if (length < READ_SMI_LONGEST)
			line->text[length++] = byte <= ' ' || byte == 0x7f ? ' ' : (char)byte;
		i++;
	}
	line->text[length] = '\0';
	line->number++;
	*at = i + 1;
	split(line);
	return true;
}

/* The class that `text` begins with, its links and its length; the longest word counts. */
static enum topo_class begins_with(const char *text, int *links, size_t *length)
{
	static const struct {
		const char *word;
		enum topo_class class;
	} words[] = {
		{ "NODE", TOPO_NODE }, { "PIX", TOPO_PIX }, { "PXB", TOPO_PXB }, { "PHB", TOPO_PHB },
		{ "SYS", TOPO_SYS },   { "SOC", TOPO_SYS }, { "X", TOPO_X }, /* SOC: drivers until 2017 */
	};
	size_t digits;

	*links = 0;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		*length = strlen(words[i].word);
		if (strncmp(text, words[i].word, *length) == 0)
			return words[i].class;
	}
	digits = strncmp(text, "NV", 2) == 0 ? strspn(text + 2, "0123456789") : 0;
	if (digits == 0 || digits > 3)
		return TOPO_CLASS_UNKNOWN;
	for (size_t i = 0; i < digits; i++)
		*links = 10 * *links + (text[2 + i] - '0');
	*length = 2 + digits;
	return *links > 0 ? TOPO_NV : TOPO_CLASS_UNKNOWN;
}

enum topo_class read_smi_class(const char *word, int *links)
{
	size_t length = 0;
	enum topo_class class = begins_with(word, links, &length);

	if (class != TOPO_CLASS_UNKNOWN && word[length] == '\0')
		return class;
	*links = 0;
	return TOPO_CLASS_UNKNOWN;
}

/* How many cells a word is made of; 0: it is none. */
static size_t count_cells(const char *word)
{
	size_t count = 0, length = 0;
	int links;

	for (; *word; word += length) {
		if (begins_with(word, &links, &length) == TOPO_CLASS_UNKNOWN)
			return 0;
		count++;
	}
	return count;
}

/* Room for one more NUL behind each cell is not there: all that follows moves by one. */
static char *insert_end(struct read_smi_line *line, char *at)
{
	const char *last = line->words[line->nwords - 1];
	size_t rest = (size_t)(last + strlen(last) + 1 - at);

	if ((size_t)(at - line->text) + rest + 1 > sizeof line->text)
		return NULL;
	memmove(at + 1, at, rest);
	*at = '\0';
	return at + 1;
}

void read_smi_part(struct read_smi_line *line, size_t first)
{
	for (size_t i = first; i < line->nwords; i++) {
		size_t length = 0;
		int links;
		char *next;

		if (count_cells(line->words[i]) < 2 || line->nwords == READ_SMI_MOST_WORDS)
			continue;
		begins_with(line->words[i], &links, &length);
		next = insert_end(line, line->words[i] + length);
		if (!next)
			return;
		for (size_t k = line->nwords; k > i + 1; k--)
			line->words[k] = line->words[k - 1] + 1;
		line->words[i + 1] = next;
		line->nwords++;
	}
}
