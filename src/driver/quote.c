/* SPDX-License-Identifier: Apache-2.0
 *
 * Quotes words for a POSIX shell.
 */
#include "quote.h"

#include <string.h>

void quote_word(FILE *out, const char *text)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./+-";

	if (text[0] != '\0' && text[strspn(text, plain)] == '\0') {
		fputs(text, out);
		return;
	}
	fputc('\'', out);
	for (const char *c = text; *c != '\0'; c++) {
		if (*c == '\'')
			fputs("'\\''", out);
		else
			fputc(*c, out);
	}
	fputc('\'', out);
}

void quote_path(FILE *out, const char *path)
{
	if (path[0] == '-')
		fputs("./", out);
	quote_word(out, path);
}
