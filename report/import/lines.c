/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of a log, and what launchers, collectors of logs and terminals put in front of them.
 */
#include <ctype.h>
#include <string.h>

#include "import.h"

bool import_next_line(const struct import_text *text, size_t *at, const char **line, size_t *length, size_t *number)
{
	const char *start = text->data + *at;
	size_t left = text->size - *at;
	const char *end;

	if (left == 0)
		return false;
	end = memchr(start, '\n', left);
	*line = start;
	*length = end ? (size_t)(end - start) : left;
	*at += *length + (end != NULL);
	if (*length > 0 && start[*length - 1] == '\r')
		--*length;
	++*number;
	return true;
}

static size_t span(const char *text, size_t length, const char *set)
{
	size_t n = 0;

	while (n < length && text[n] && strchr(set, text[n]))
		n++;
	return n;
}

static size_t digits(const char *text, size_t length)
{
	return span(text, length, "0123456789");
}

static size_t blanks(const char *text, size_t length)
{
	return span(text, length, " \t");
}

/* Letters, digits and what names of hosts, jobs and pods have beside them. */
static size_t word(const char *text, size_t length)
{
	size_t n = 0;

	while (n < length && (isalnum((unsigned char)text[n]) || (text[n] && strchr("._-/", text[n]))))
		n++;
	return n;
}

/* ESC [ ... letter */
static size_t escape_sequence(const char *text, size_t length)
{
	size_t n;

	if (length < 3 || text[0] != '\x1b' || text[1] != '[')
		return 0;
	n = 2 + span(text + 2, length - 2, "0123456789;?");
	return n < length && isalpha((unsigned char)text[n]) ? n + 1 : 0;
}

/* "09:15:42", with or without fraction and zone. */
static size_t clock_time(const char *text, size_t length)
{
	size_t n = 0;

	for (int part = 0; part < 3; part++) {
		if (digits(text + n, length - n) != 2)
			return 0;
		n += 2;
		if (part < 2 && (n == length || text[n++] != ':'))
			return 0;
	}
	if (n < length && (text[n] == '.' || text[n] == ','))
		n += 1 + digits(text + n + 1, length - n - 1);
	if (n < length && text[n] == 'Z')
		n++;
	else if (n < length && (text[n] == '+' || text[n] == '-'))
		n += 1 + span(text + n + 1, length - n - 1, "0123456789:");
	return n;
}

/* "2024-05-06T09:15:42.123Z", "2024/05/06 09:15:42", or the time alone. */
static size_t time_stamp(const char *text, size_t length)
{
	size_t n = 0;
	size_t clock;

	if (length > 11 && digits(text, 5) == 4 && (text[4] == '-' || text[4] == '/') && digits(text + 5, 3) == 2 &&
	    text[7] == text[4] && digits(text + 8, 3) == 2 && (text[10] == 'T' || text[10] == ' '))
		n = 11;
	clock = clock_time(text + n, length - n);
	return clock ? n + clock : 0;
}

static size_t stamp_and_blank(const char *text, size_t length)
{
	size_t n = time_stamp(text, length);

	return n > 0 && n < length && text[n] == ' ' ? n + 1 : 0;
}

/* "[1,0]<stdout>:", "[0] ", "[2024-05-06 09:15:42] ", "[pod/name] " */
static size_t bracketed(const char *text, size_t length)
{
	size_t n;

	if (length < 3 || text[0] != '[')
		return 0;
	n = time_stamp(text + 1, length - 1);
	if (n == 0)
		n = span(text + 1, length - 1, "0123456789,@.-_/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
	if (n == 0 || ++n >= length || text[n++] != ']')
		return 0;
	if (n < length && text[n] == '<') {
		n += 1 + word(text + n + 1, length - n - 1);
		return n + 2 <= length && text[n] == '>' && text[n + 1] == ':' ? n + 2 : 0;
	}
	return n < length && text[n] == ' ' ? n + 1 : 0;
}

/* Whether a line of a table or a comment follows: only then is a word in front of it not the line's own. */
static bool is_table(const char *text, size_t length)
{
	size_t n = blanks(text, length);

	return n < length && (text[n] == '#' || text[n] == '[' || text[n] == '\x1b' || isdigit((unsigned char)text[n]));
}

/* "3: ", "node17: ", "worker-0  | " */
static size_t labelled(const char *text, size_t length)
{
	size_t start = blanks(text, length);
	size_t n = start + word(text + start, length - start);

	if (n == start)
		return 0;
	if (n + 1 < length && text[n] == ':' && text[n + 1] == ' ')
		n += 2;
	else if ((n += blanks(text + n, length - n)) + 1 < length && text[n] == '|' && text[n + 1] == ' ')
		n += 2;
	else
		return 0;
	return digits(text + start, n - start) == n - start - 2 || is_table(text + n, length - n) ? n : 0;
}

size_t import_prefix(const char *line, size_t length)
{
	static size_t (*const kinds[])(const char *, size_t) = { escape_sequence, bracketed, stamp_and_blank, labelled };
	size_t n = 0;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]);) {
		size_t taken = kinds[i](line + n, length - n);

		n += taken;
		i = taken ? 0 : i + 1;
	}
	return n;
}
