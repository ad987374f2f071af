/* SPDX-License-Identifier: Apache-2.0
 *
 * What in a topology costs time.
 */
#include "warn.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "path_parts.h"
#include "warn_parts.h"

static void append(struct warn_place *place, const struct warning *made)
{
	struct warnings *warnings = place->warnings;

	if ((warnings->count & (warnings->count - 1)) == 0) {
		struct warning *items = realloc(warnings->items, (warnings->count ? 2 * warnings->count : 1) * sizeof *items);

		if (!items) {
			place->failed = true;
			return;
		}
		warnings->items = items;
	}
	warnings->items[warnings->count++] = *made;
}

void warn_add(struct warn_place *place, enum warn_kind kind, const char *format, ...)
{
	struct warning made = { .kind = kind, .host = place->number };
	size_t length = (size_t)snprintf(made.text, sizeof made.text, "%s: ", place->name);
	va_list args;

	va_start(args, format);
	vsnprintf(made.text + length, sizeof made.text - length, format, args);
	va_end(args);
	append(place, &made);
}

/* The warning that says `what` of other devices of this kind and host already; NULL. */
static struct warning *find_same(const struct warn_place *place, enum warn_kind kind, enum topo_kind device_kind,
				 const char *what)
{
	for (size_t i = 0; i < place->warnings->count; i++) {
		struct warning *one = &place->warnings->items[i];

		if (one->devices > 0 && one->kind == kind && one->host == place->number && one->device_kind == (int)device_kind &&
		    strcmp(one->text + one->what, what) == 0)
			return one;
	}
	return NULL;
}

void warn_add_device(struct warn_place *place, enum warn_kind kind, enum topo_kind device_kind, const char *device,
		     const char *format, ...)
{
	struct warning made = { .kind = kind, .host = place->number, .devices = 1, .device_kind = (int)device_kind };
	struct warning *same;
	char what[240]; /* with the names of host and device it fits a text */
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof what, format, args);
	va_end(args);
	same = find_same(place, kind, device_kind, what);
	if (same) {
		same->what = same->named + (size_t)snprintf(same->text + same->named, sizeof same->text - same->named,
							    " and %d more: ", same->devices++);
		snprintf(same->text + same->what, sizeof same->text - same->what, "%s", what);
		return;
	}
	made.named = (size_t)snprintf(made.text, sizeof made.text, "%s: %.112s", place->name, device);
	made.what = made.named + (size_t)snprintf(made.text + made.named, sizeof made.text - made.named, ": ");
	snprintf(made.text + made.what, sizeof made.text - made.what, "%s", what);
	append(place, &made);
}

void warn_clear(struct warnings *warnings)
{
	free(warnings->items);
	*warnings = (struct warnings){ 0 };
}

void warn_end(const struct topo_host *host, int end, char *text, size_t size)
{
	int pci = path_pci(host, end);
	const char *bus = pci != TOPO_UNKNOWN && host->pci[pci].bus[0] != '\0' ? host->pci[pci].bus : "bus unknown";

	if (end < (int)host->ngpus) {
		const struct topo_gpu *gpu = &host->gpus[end];

		snprintf(text, size, "GPU%d (%.40s%s%s)", end, gpu->name, gpu->name[0] ? ", " : "", bus);
	} else {
		const struct topo_nic *nic = &host->nics[end - (int)host->ngpus];
		char port[24] = "";

		if (nic->port > 0)
			snprintf(port, sizeof port, " port %d", nic->port);
		snprintf(text, size, "%.40s%s (%s)", nic->name[0] ? nic->name : "NIC", port, bus);
	}
}

void warn_begin(struct warn_place *place, const struct topo *topo, struct warnings *warnings, size_t number)
{
	const struct topo_host *host = &topo->hosts[number];

	*place = (struct warn_place){ .topo = topo, .warnings = warnings, .number = number, .host = topo_host_of(topo, number) };
	if (host->name[0] != '\0')
		snprintf(place->name, sizeof place->name, "%.64s", host->name);
	else
		snprintf(place->name, sizeof place->name, "host %zu", number);
}

/* How many hosts are like each: found once, as there may be many. */
static size_t *count_alike(const struct topo *topo)
{
	size_t *alike = calloc(topo->nhosts + 1, sizeof *alike);

	for (size_t i = 0; alike && i < topo->nhosts; i++)
		alike[topo_host_of(topo, i) - topo->hosts]++;
	return alike;
}

static bool look_at_host(const struct topo *topo, size_t number, size_t alike, struct warnings *warnings)
{
	struct warn_place place;

	warn_begin(&place, topo, warnings, number);
	warn_cores(&place);
	if (place.host != &topo->hosts[number])
		return !place.failed;
	if (alike > 1) {
		size_t length = strlen(place.name);

		snprintf(place.name + length, sizeof place.name - length, " and %zu host%s like it", alike - 1,
			 alike == 2 ? "" : "s");
	}
	warn_links(&place);
	warn_nvlinks(&place);
	warn_nics(&place);
	warn_peers(&place);
	return !place.failed;
}

int warn_topo(const struct topo *topo, struct warnings *warnings)
{
	size_t *alike = count_alike(topo);
	bool failed = !alike;

	*warnings = (struct warnings){ 0 };
	for (size_t i = 0; !failed && i < topo->nhosts; i++)
		failed = !look_at_host(topo, i, alike[i], warnings);
	failed = failed || warn_unlike(topo, warnings);
	free(alike);
	if (!failed)
		return 0;
	warn_clear(warnings);
	return -1;
}
