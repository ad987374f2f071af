/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts of a topology: made harmless, bus ids in one spelling, lists of hardware threads.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "topo.h"

/* Bytes of the character at `text` that may be printed; 0: none such. */
static size_t printable(const unsigned char *text)
{
	static const struct {
		unsigned char low, high, second_low, second_high;
		size_t length;
	} forms[] = {
		{ 0xc2, 0xc2, 0xa0, 0xbf, 2 }, { 0xc3, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
		{ 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
		{ 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
	};

	if (text[0] < 0x80)
		return text[0] >= ' ' && text[0] != 0x7f;
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		if (text[0] < forms[i].low || text[0] > forms[i].high)
			continue;
		if (text[1] < forms[i].second_low || text[1] > forms[i].second_high)
			return 0;
		for (size_t k = 2; k < forms[i].length; k++) {
			if ((text[k] & 0xc0) != 0x80)
				return 0;
		}
		return forms[i].length;
	}
	return 0;
}

/* A list of hardware threads that is cut within a number would say another one. */
static size_t list_length(const char *value)
{
	size_t length = strspn(value, "0123456789,-");

	if (value[length] != '\0')
		return 0;
	if (length > TOPO_LONGEST_LIST) {
		length = TOPO_LONGEST_LIST;
		while (length > 0 && value[length] != ',')
			length--;
	}
	return length;
}

int topo_set(char **text, const char *value)
{
	const char *from = value ? value : "";
	size_t list = list_length(from), most = list > 0 ? list : TOPO_LONGEST_TEXT, length = 0;
	char *made = malloc(most + 1);

	if (!made)
		return -1;
	while (*from && length < most) {
		size_t bytes = printable((const unsigned char *)from);

		if (bytes > most - length)
			break;
		if (bytes == 0)
			made[length++] = '?';
		else
			memcpy(made + length, from, bytes);
		length += bytes;
		from += bytes > 0 ? bytes : 1;
	}
	made[length] = '\0';
	free(*text);
	*text = made;
	return 0;
}

/* Up to `most` hexadecimal digits, lower case; behind them, or NULL. */
static const char *hex(const char *text, size_t most, char *digits)
{
	size_t length = strspn(text, "0123456789abcdefABCDEF");

	if (length == 0 || length > most)
		return NULL;
	for (size_t i = 0; i < length; i++)
		digits[i] = text[i] >= 'A' && text[i] <= 'F' ? (char)(text[i] - 'A' + 'a') : text[i];
	digits[length] = '\0';
	return text + length;
}

int topo_bus(const char *text, char *bus)
{
	const char *at = text;
	char domain[9] = "0", number[3], device[3], function[2];
	const char *second = strchr(text, ':');

	if (second && strchr(second + 1, ':')) {
		at = hex(at, 8, domain);
		if (!at || *at++ != ':')
			return -1;
	}
	at = hex(at, 2, number);
	if (!at || *at++ != ':')
		return -1;
	at = hex(at, 2, device);
	if (!at || *at++ != '.')
		return -1;
	at = hex(at, 1, function);
	if (!at || *at != '\0')
		return -1;
	snprintf(bus, 24, "%04lx:%02lx:%02lx.%s", strtoul(domain, NULL, 16), strtoul(number, NULL, 16), strtoul(device, NULL, 16),
		 function);
	return 0;
}

int topo_find_pci(const struct topo_host *host, const char *bus)
{
	char wanted[24];

	if (topo_bus(bus, wanted))
		return TOPO_UNKNOWN;
	for (size_t i = 0; i < host->npci; i++) {
		if (strcmp(host->pci[i].bus, wanted) == 0)
			return (int)i;
	}
	return TOPO_UNKNOWN;
}

int topo_find_gpu(const struct topo_host *host, int pci)
{
	for (size_t i = 0; i < host->ngpus && pci != TOPO_UNKNOWN; i++) {
		if (host->gpus[i].pci == pci)
			return (int)i;
	}
	return TOPO_UNKNOWN;
}

/* The next "3" or "0-3" of a list, from *list, which goes behind it; false at the end and where it is no list. */
static bool next_range(const char **list, unsigned long *low, unsigned long *high)
{
	const char *at = *list + (**list == ',');
	size_t digits = strspn(at, "0123456789");

	if (digits == 0 || digits > 9)
		return false;
	*low = *high = strtoul(at, NULL, 10);
	at += digits;
	if (*at == '-') {
		digits = strspn(++at, "0123456789");
		if (digits == 0 || digits > 9)
			return false;
		*high = strtoul(at, NULL, 10);
		at += digits;
	}
	if ((*at != '\0' && *at != ',') || *high < *low)
		return false;
	*list = at;
	return true;
}

bool topo_cpus_overlap(const char *a, const char *b)
{
	unsigned long low, high, from, to;

	while (next_range(&a, &low, &high)) {
		const char *list = b;

		while (next_range(&list, &from, &to)) {
			if (from <= high && low <= to)
				return true;
		}
	}
	return false;
}
