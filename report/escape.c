/* SPDX-License-Identifier: Apache-2.0
 *
 * Escaping for terminals, HTML, Markdown, CSV and gnuplot.
 */
#include "escape.h"

#include <stdarg.h>
#include <string.h>

/* Bytes of the printable UTF-8 character at `text`, 0 when it is none. Overlong forms, surrogates and C1 controls are none. */
static size_t utf8_length(const unsigned char *text)
{
	static const unsigned long least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned long code;
	size_t length;

	if (text[0] < 0x80)
		return text[0] >= 0x20 && text[0] != 0x7f;
	length = text[0] >= 0xf0 && text[0] < 0xf8   ? 4
		 : text[0] >= 0xe0 && text[0] < 0xf0 ? 3
		 : text[0] >= 0xc2 && text[0] < 0xe0 ? 2
						     : 0;
	if (length == 0)
		return 0;
	code = text[0] & (0x7fU >> length);
	for (size_t i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3f);
	}
	if (code < least[length] || code < 0xa0 || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff)
		return 0;
	/* What no XML may hold. */
	if (code == 0xfffe || code == 0xffff)
		return 0;
	/* Marks that turn the direction of what follows can make a line read as something else. */
	if ((code >= 0x200e && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069))
		return 0;
	return length;
}

static const char *html_entity(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	case '`':
		return "&#96;";
	default:
		return NULL;
	}
}

/* Renderers of Markdown pass HTML through, so its characters become entities; the rest is disarmed by a backslash. */
static void put_character(FILE *out, enum escape how, const char *text, size_t length)
{
	const char *entity = html_entity(*text);

	if (entity && (how == ESCAPE_HTML || how == ESCAPE_MARKDOWN))
		fputs(entity, out);
	else if (how == ESCAPE_MARKDOWN && strchr("\\|*_[]()#!~$", *text))
		fprintf(out, "\\%c", *text);
	else
		fwrite(text, 1, length, out);
}

/* What a spreadsheet would take for a formula has a ' in front. Tabs and carriage returns at the start would hide one from it. */
static void put_csv(FILE *out, const char *text)
{
	const char *mark = text[0] && strchr("=+-@", text[0]) ? "'" : "";
	const char *quote = text[strcspn(text, ",\"\n")] ? "\"" : "";

	fprintf(out, "%s%s", quote, mark);
	while (*text) {
		size_t length = *text == '\n' ? 1 : utf8_length((const unsigned char *)text);

		if (length == 0)
			fprintf(out, "\\x%02x", (unsigned int)(unsigned char)*text);
		else if (*text == '"')
			fputs("\"\"", out);
		else
			fwrite(text, 1, length, out);
		text += length > 0 ? length : 1;
	}
	fputs(quote, out);
}

void escape_text(FILE *out, enum escape how, const char *text)
{
	if (how == ESCAPE_CSV) {
		put_csv(out, text);
		return;
	}
	while (*text) {
		size_t length = utf8_length((const unsigned char *)text);

		if (length > 0)
			put_character(out, how, text, length);
		else
			putc(strchr("\t\n\v\f\r", *text) ? ' ' : '?', out);
		text += length > 0 ? length : 1;
	}
}

void escape_put(FILE *out, enum escape how, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	for (const char *p = format; *p; p++) {
		if (*p != '%') {
			putc(*p, out);
		} else if (*++p == 's') {
			escape_text(out, how, va_arg(args, const char *));
		} else if (*p == 'd') {
			fprintf(out, "%d", va_arg(args, int));
		} else if (*p == 'z' && p[1] == 'u') {
			p++;
			fprintf(out, "%zu", va_arg(args, size_t));
		} else {
			putc('%', out);
		}
	}
	va_end(args);
}

void escape_label(char *label, size_t size, const char *text)
{
	size_t n = 0;

	for (; *text && n + 1 < size; text++) {
		int safe = (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') || (*text >= '0' && *text <= '9') ||
			   strchr(" ._-/+", *text);

		label[n++] = safe ? *text : '?';
	}
	label[n] = '\0';
}
