/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of a plan: four digits, as many as the sizes and times behind them are worth.
 */
#include "words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct unit {
	double factor;
	const char *name;
};

static const struct unit times[] = { { 1, "s" }, { 1e-3, "ms" }, { 1e-6, "us" }, { 1e-9, "ns" }, { 0, NULL } };
static const struct unit sizes[] = { { 1e12, "TB" }, { 1e9, "GB" }, { 1e6, "MB" }, { 1e3, "KB" }, { 1, "B" }, { 0, NULL } };

/* `digits` in all, zeros at the end too, never an exponent below 1e9. */
static void print_digits(double value, int digits, char *text, size_t size)
{
	int decimals = digits - 1 - (fabs(value) > 0 ? (int)floor(log10(fabs(value))) : 0);

	if (fabs(value) >= 1e9 || (fabs(value) > 0 && fabs(value) < 1e-4)) {
		char *plus;

		snprintf(text, size, "%.4g", value);
		/* 7e+09 is written 7e9. */
		plus = strstr(text, "e+");
		if (plus)
			memmove(plus + 1, plus + 2 + strspn(plus + 2, "0"), strlen(plus + 2 + strspn(plus + 2, "0")) + 1);
		return;
	}
	decimals = decimals < 0 ? 0 : decimals;
	snprintf(text, size, "%.*f", fabs(value) > 0 ? decimals : 0, value);
}

static struct plan_word print_unit(double value, const struct unit *units, const char *zero, int digits)
{
	struct plan_word word = { "-" };
	const struct unit *unit = units;
	char number[32];

	if (!isfinite(value))
		return word;
	while (unit[1].name && fabs(value) < unit->factor * 0.99995)
		unit++;
	print_digits(value > 0 ? value / unit->factor : 0, digits, number, sizeof number);
	snprintf(word.text, sizeof word.text, "%s %s", number, value > 0 ? unit->name : zero);
	return word;
}

struct plan_word plan_word_time(double seconds)
{
	return print_unit(seconds, times, "s", 4);
}

struct plan_word plan_word_bytes(double bytes)
{
	return print_unit(bytes, sizes, "B", 5);
}

struct plan_word plan_word_percent(double fraction)
{
	struct plan_word word = { "-" };
	char number[32];

	if (!isfinite(fraction))
		return word;
	print_digits(fraction * 100, 4, number, sizeof number);
	snprintf(word.text, sizeof word.text, "%s %%", number);
	return word;
}

struct plan_word plan_word_number(double number)
{
	struct plan_word word = { "-" };

	if (!isfinite(number))
		return word;
	if (number == floor(number) && fabs(number) < 1e9)
		snprintf(word.text, sizeof word.text, "%.0f", number);
	else
		print_digits(number, 4, word.text, sizeof word.text);
	return word;
}

struct plan_word plan_word_fixed(double number, int decimals)
{
	struct plan_word word = { "-" };

	if (isfinite(number))
		snprintf(word.text, sizeof word.text, fabs(number) < 1e9 ? "%.*f" : "%.*g", decimals, number);
	return word;
}

struct plan_word plan_word_signs(struct plan_word word, const struct plan_marks *marks)
{
	if (strcmp(word.text, "-") != 0)
		plan_word_append(word.text, sizeof word.text, "%s%s%s%s", marks->extrapolated ? "~" : "",
				 marks->scaled ? "*" : "", marks->guess ? "?" : "", marks->stand_in ? "!" : "");
	return word;
}

struct plan_word plan_word_marked(double seconds, const struct plan_marks *marks)
{
	return plan_word_signs(plan_word_time(seconds), marks);
}

void plan_word_append(char *text, size_t size, const char *format, ...)
{
	const size_t length = strlen(text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text + length, size - length, format, arguments);
	va_end(arguments);
}

void plan_word_marks(const struct plan_marks *marks, char *text, size_t size)
{
	const char *const words[] = { marks->extrapolated ? "outside of the measured sizes (~)" : NULL,
				      marks->scaled ? "scaled from another number of ranks (*)" : NULL,
				      marks->guess ? "not told by the fit (?)" : NULL,
				      marks->stand_in ? "of rows that stand in (!)" : NULL };
	const char *before = "; some of these times are ";

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (!words[i])
			continue;
		plan_word_append(text, size, "%s%s", before, words[i]);
		before = ", ";
	}
}

/* Communication that a step visibly waits for. */
static const double notable = 0.1;

int plan_is_bound(const struct plan_strategy *strategy)
{
	if (!isfinite(strategy->ratio))
		return -1;
	return strategy->ratio > 1 || strategy->exposed_overlapped * strategy->ratio > notable * strategy->communication;
}
