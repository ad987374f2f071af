/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of a log, and what launchers, collectors of logs and terminals put in front of them.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

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

/* "Nov 29 09:15:42" */
static size_t month_stamp(const char *text, size_t length)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	size_t n = 4, clock;

	for (size_t i = 0; length > n; i += 3) {
		if (i == sizeof(months) - 1)
			return 0;
		if (memcmp(text, months + i, 3) == 0)
			break;
	}
	if (length <= n || text[3] != ' ')
		return 0;
	n += blanks(text + n, length - n);
	clock = digits(text + n, length - n);
	n += clock;
	if (clock < 1 || clock > 2 || n == length || text[n++] != ' ')
		return 0;
	clock = clock_time(text + n, length - n);
	return clock ? n + clock : 0;
}

/* "1732872896.123456": seconds since 1970. Sizes have no fraction. */
static size_t epoch_stamp(const char *text, size_t length)
{
	size_t fraction;

	if (digits(text, length) != 10 || length < 12 || text[10] != '.')
		return 0;
	fraction = digits(text + 11, length - 11);
	return fraction ? 11 + fraction : 0;
}

/* "host prog[123]: ", as syslog has it behind the time. */
static size_t origin(const char *text, size_t length)
{
	size_t n = word(text, length);
	size_t program;

	if (n == 0 || n == length || text[n++] != ' ')
		return 0;
	program = word(text + n, length - n);
	n += program;
	if (program == 0)
		return 0;
	if (n < length && text[n] == '[') {
		n += 1 + digits(text + n + 1, length - n - 1);
		if (n == length || text[n++] != ']')
			return 0;
	}
	return n + 1 < length && text[n] == ':' && text[n + 1] == ' ' ? n + 2 : 0;
}

static size_t stamp_and_blank(const char *text, size_t length)
{
	size_t n = time_stamp(text, length);

	if (n == 0)
		n = month_stamp(text, length);
	if (n == 0)
		n = epoch_stamp(text, length);
	if (n == 0 || n >= length || text[n] != ' ')
		return 0;
	return n + 1 + origin(text + n + 1, length - n - 1);
}

/* Behind a tag's colon: one blank, where it is no part of the line's own indent. */
static size_t one_blank(const char *text, size_t length)
{
	return length > 1 && text[0] == ' ' && text[1] != ' ' && text[1] != '\t';
}

/* "[1,0]<stdout>:", "[0] ", "[default0]:", "[2024-05-06 09:15:42] ", "[pod/name] " */
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
		if (n + 2 > length || text[n] != '>' || text[n + 1] != ':')
			return 0;
		return n + 2 + one_blank(text + n + 2, length - n - 2);
	}
	if (n < length && text[n] == ':')
		return n + 1 + one_blank(text + n + 1, length - n - 1);
	return n < length && text[n] == ' ' ? n + 1 : 0;
}

/* "<rank 0> ", "<stdout>:" */
static size_t angled(const char *text, size_t length)
{
	size_t n = 1;

	if (length < 3 || text[0] != '<')
		return 0;
	while (n < length && (text[n] == ' ' || word(text + n, 1)))
		n++;
	if (n == 1 || n + 1 >= length || text[n++] != '>')
		return 0;
	if (text[n] == ':')
		return n + 1 + one_blank(text + n + 1, length - n - 1);
	return text[n] == ' ' ? n + 1 : 0;
}

/* "(pid=123) ", "(worker pid=123, ip=10.0.0.1) ", perhaps in colour */
static size_t of_process(const char *text, size_t length)
{
	const char *end = length > 0 && text[0] == '(' ? memchr(text, ')', length < 100 ? length : 100) : NULL;
	size_t n;

	if (!end || !memmem(text, (size_t)(end - text), "pid=", 4))
		return 0;
	n = (size_t)(end - text) + 1;
	n += escape_sequence(text + n, length - n);
	return n < length && text[n] == ' ' ? n + 1 : 0;
}

/* "rank 0: " */
static size_t numbered(const char *text, size_t length)
{
	static const char *const names[] = { "rank ", "task ", "process ", "proc ", "worker ", "node ", "host ", "gpu " };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t n = strlen(names[i]);
		size_t count;

		if (length <= n || strncasecmp(text, names[i], n) != 0)
			continue;
		count = digits(text + n, length - n);
		n += count;
		return count > 0 && n < length && text[n] == ':' ? n + 1 + one_blank(text + n + 1, length - n - 1) : 0;
	}
	return 0;
}

/* "0:# nThread", "0:4 1.5"; "09:15 4" may be a time. */
static size_t bare_rank(const char *text, size_t length)
{
	size_t n = digits(text, length);
	size_t own;

	if (n == 0 || n > 7 || n + 1 >= length || text[n] != ':')
		return 0;
	own = digits(text + n + 1, length - n - 1);
	if (own == 0)
		return text[n + 1] == '#' || isalpha((unsigned char)text[n + 1]) ? n + 1 : 0;
	return n + 1 + own < length && text[n + 1 + own] == ' ' && (n != 2 || own != 2) ? n + 1 : 0;
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
	static size_t (*const kinds[])(const char *, size_t) = { escape_sequence, bracketed, stamp_and_blank, angled,
								 of_process,      numbered,  bare_rank,       labelled };
	size_t n = 0;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]);) {
		size_t taken = kinds[i](line + n, length - n);

		n += taken;
		i = taken ? 0 : i + 1;
	}
	return n;
}
