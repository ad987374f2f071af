/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages of the driver.
 */
#include "say.h"

#include <stdarg.h>
#include <stdio.h>

static void say_line(const char *prefix, const char *format, va_list args)
{
	char text[4096];

	vsnprintf(text, sizeof(text), format, args);
	for (char *c = text; *c != '\0'; c++) {
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	}
	/* The tables that went to stdout before come first, also where both end in one file. */
	fflush(stdout);
	fprintf(stderr, "%s%s\n", prefix, text);
}

int say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say_line("collperf: run: ", format, args);
	va_end(args);
	return -1;
}

void say_plain(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say_line("", format, args);
	va_end(args);
}
