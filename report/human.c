/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers for people.
 */
#include "human.h"

#include <math.h>
#include <stdio.h>

#include "result.h"

struct unit {
	double factor;
	const char *name;
};

static const struct unit sizes[] = {
	{ 1099511627776.0, "TiB" }, { 1073741824.0, "GiB" }, { 1048576.0, "MiB" }, { 1024.0, "KiB" }, { 1.0, "B" }, { 0, NULL }
};
static const struct unit times[] = { { 1.0, "s" }, { 1e-3, "ms" }, { 1e-6, "us" }, { 1e-9, "ns" }, { 0, NULL } };
static const struct unit rates[] = { { 1e12, "TB/s" }, { 1e9, "GB/s" }, { 1e6, "MB/s" },
				     { 1e3, "KB/s" },  { 1.0, "B/s" },  { 0, NULL } };

static struct human absent(void)
{
	return (struct human){ "-" };
}

/* Three significant digits, but a whole number below 1024 in full. */
static struct human print(double value, const struct unit *units)
{
	const struct unit *unit = units;
	struct human human;
	double scaled;

	if (!isfinite(value))
		return absent();
	while (unit[1].name && fabs(value) < unit->factor * 0.9995)
		unit++;
	scaled = value / unit->factor;
	if (fabs(scaled) >= 1e6)
		snprintf(human.text, sizeof human.text, "%.3g %s", scaled, unit->name);
	else if (fabs(scaled) >= 99.95)
		snprintf(human.text, sizeof human.text, "%.0f %s", scaled, unit->name);
	else
		snprintf(human.text, sizeof human.text, "%.3g %s", scaled, unit->name);
	return human;
}

struct human human_size(double bytes)
{
	return print(bytes, sizes);
}

struct human human_time(double seconds)
{
	return print(seconds, times);
}

struct human human_rate(double bytes_per_second)
{
	return print(bytes_per_second, rates);
}

struct human human_percent(double fraction)
{
	struct human human;

	if (!isfinite(fraction))
		return absent();
	snprintf(human.text, sizeof human.text,
		 fabs(fraction) < 0.0995 ? "%.2g %%"
		 : fabs(fraction) < 1e4  ? "%.0f %%"
					 : "%.3g %%",
		 fraction * 100);
	return human;
}

struct human human_ratio(double ratio)
{
	struct human human;

	if (!isfinite(ratio))
		return absent();
	snprintf(human.text, sizeof human.text,
		 ratio < 0.0995 || ratio >= 1e6 ? "%.3g"
		 : ratio < 9.995                ? "%.2f"
		 : ratio < 99.95                ? "%.1f"
						: "%.0f",
		 ratio);
	return human;
}

struct human human_times(double ratio)
{
	struct human human;

	if (!isfinite(ratio))
		return absent();
	snprintf(human.text, sizeof human.text, ratio >= 999.5 && ratio < 1e6 ? "%.0f" : "%.3g", ratio);
	return human;
}

struct human human_integer(int64_t value)
{
	struct human human;

	if (value == RESULT_NONE)
		return absent();
	snprintf(human.text, sizeof human.text, "%lld", (long long)value);
	return human;
}
