/* SPDX-License-Identifier: Apache-2.0
 *
 * Peaks of PCI Express, InfiniBand and Ethernet.
 */
#include "peak.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* PCI Express base specifications 1.1 to 7.0: signalling of a lane and what its encoding leaves. */
static const struct {
	double gts, encoding;
	const char *name;
} generations[] = {
	{ 2.5, 8.0 / 10, "1.0" },   { 5, 8.0 / 10, "2.0" },     { 8, 128.0 / 130, "3.0" },   { 16, 128.0 / 130, "4.0" },
	{ 32, 128.0 / 130, "5.0" }, { 64, 242.0 / 256, "6.0" }, { 128, 242.0 / 256, "7.0" },
};

enum { GENERATIONS = sizeof generations / sizeof *generations };

/* IBTA: data of a lane in Gb/s. From EDR on the name's number is data; before it the encoding takes a part. */
static const struct {
	const char *name;
	double lane;
} lanes[] = {
	{ "SDR", 2.5 * 8 / 10 },
	{ "DDR", 5.0 * 8 / 10 },
	{ "QDR", 10.0 * 8 / 10 },
	{ "FDR10", 10.3125 * 64 / 66 },
	{ "FDR", 14.0625 * 64 / 66 },
	{ "EDR", 25 },
	{ "HDR", 50 },
	{ "NDR", 100 },
	{ "XDR", 200 },
};

enum { LANES = sizeof lanes / sizeof *lanes };

/* What sources round: 2.5 may be "2". */
static int generation(double gts)
{
	for (int i = 0; i < GENERATIONS; i++) {
		if (fabs(gts - generations[i].gts) <= generations[i].gts * 0.02)
			return i;
	}
	return TOPO_UNKNOWN;
}

const char *peak_pcie_generation(double gts)
{
	int i = generation(gts);

	return i == TOPO_UNKNOWN ? "" : generations[i].name;
}

double peak_pcie(const struct topo_pcie *link)
{
	int i = generation(link->gts);

	if (i == TOPO_UNKNOWN || link->width <= 0)
		return 0;
	return generations[i].gts * 1e9 / 8 * link->width * generations[i].encoding;
}

/* A number at the start of a text; behind it, or NULL. No locale: digits and a point. */
static const char *number(const char *text, double *value)
{
	size_t digits = strspn(text, "0123456789");
	double scale = 0.1;

	if (digits == 0 || digits > 9)
		return NULL;
	*value = (double)strtol(text, NULL, 10);
	text += digits;
	if (*text != '.')
		return text;
	for (text++; *text >= '0' && *text <= '9'; text++) {
		*value += scale * (*text - '0');
		scale /= 10;
	}
	return text;
}

double peak_pcie_parse(const char *text)
{
	double gts;
	const char *unit = number(text + strspn(text, " "), &gts);

	if (!unit || strncmp(unit + strspn(unit, " "), "GT/s", 4) != 0 || generation(gts) == TOPO_UNKNOWN)
		return 0;
	return generations[generation(gts)].gts;
}

/* The lane rate named at `text` ("HDR)"), or TOPO_UNKNOWN. */
static int lane(const char *text)
{
	size_t length = strcspn(text, ") \n");

	for (int i = 0; i < LANES; i++) {
		if (strlen(lanes[i].name) == length && strncmp(text, lanes[i].name, length) == 0)
			return i;
	}
	return TOPO_UNKNOWN;
}

double peak_infiniband(const char *text, const char **name)
{
	double said, width = 0;
	const char *at = number(text + strspn(text, " "), &said), *open;
	int i = TOPO_UNKNOWN;

	if (name)
		*name = "";
	if (!at || said <= 0 || strncmp(at + strspn(at, " "), "Gb/sec", 6) != 0)
		return 0;
	open = strchr(at, '(');
	at = open ? number(open + 1, &width) : NULL;
	if (at && *at == 'X' && width > 0) {
		at++;
		at += strspn(at, " ");
		/* Older kernels give the first speed no name. */
		i = *at == ')' && said == 2.5 * width ? 0 : lane(at);
	}
	if (i == TOPO_UNKNOWN)
		return said * 1e9 / 8;
	if (name)
		*name = lanes[i].name;
	return lanes[i].lane * width * 1e9 / 8;
}

double peak_ethernet(double megabits)
{
	/* Drivers say 2^32 - 1 for what they do not know. */
	return megabits > 0 && megabits < 4e9 ? megabits * 1e6 / 8 : 0;
}
