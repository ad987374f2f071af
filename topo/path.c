/* SPDX-License-Identifier: Apache-2.0
 *
 * The way between two devices: class, peak rate, and the words for it.
 */
#include "path.h"

#include <math.h>
#include <stdio.h>

#include "path_parts.h"
#include "peak.h"

void path_rate_words(double rate, char *text)
{
	static const char *const units[] = { "B/s", "kB/s", "MB/s", "GB/s", "TB/s" };
	size_t unit = 0;
	int decimals;

	if (!(rate > 0) || rate > 1e18) {
		snprintf(text, 24, "unknown");
		return;
	}
	/* 999.6 MB/s is 1 GB/s in three digits. */
	while (rate >= 999.5 && unit + 1 < sizeof units / sizeof *units) {
		rate /= 1000;
		unit++;
	}
	decimals = rate < 9.995 ? 2 : rate < 99.95 ? 1 : 0;
	while (decimals > 0 && fabs(rate * pow(10, decimals - 1) - round(rate * pow(10, decimals - 1))) < 0.05)
		decimals--;
	snprintf(text, 24, "%.*f %s", decimals, rate, units[unit]);
}

static const struct topo_given *find_given(const struct topo_host *host, int a, int b)
{
	for (size_t i = 0; i < host->ngiven; i++) {
		const struct topo_given *given = &host->given[i];

		if (((given->a == a && given->b == b) || (given->a == b && given->b == a)) && given->class != TOPO_CLASS_UNKNOWN)
			return given;
	}
	return NULL;
}

static void nvlink_words(struct path *path, const struct path_nvlinks *links, const char *kind)
{
	const char *through = links->switches ? " through switches" : "";
	char rate[24], version[16] = "", name[24];

	path_rate_words(path->rate, rate);
	if (links->version > 0)
		snprintf(version, sizeof version, "%d", links->version);
	snprintf(name, sizeof name, "%s%s", kind, version);
	if (path->rate == 0 && path->links > 0)
		snprintf(path->words, PATH_WORDS, "rate unknown: %d x %s%s, of which product is not known", path->links, name,
			 through);
	else if (path->rate == 0)
		snprintf(path->words, PATH_WORDS, "rate unknown: %s%s, how many is not given", name, through);
	else if (path->links > 0)
		snprintf(path->words, PATH_WORDS, "%d x %s: %s%s", path->links, name, rate, through);
	else
		snprintf(path->words, PATH_WORDS, "%s: %s%s%s%.80s%s", name, rate, through, links->source[0] ? " (" : "",
			 links->source, links->source[0] ? ")" : "");
}

static void take_nvlinks(const struct topo_host *host, int a, const struct path_nvlinks *found, const struct topo_given *given,
			 struct path *path)
{
	struct path_nvlinks links = *found;
	const struct peak_gpu *product = a < (int)host->ngpus ? path_product(host, a) : NULL;

	path->class = TOPO_NV;
	path->links = given && given->links > 0 ? given->links : links.count;
	path->rate = links.rate;
	if (given && (!links.any || (links.count > 0 && links.count != path->links))) {
		links.any = true;
		links.version = product ? product->version : links.version;
		path->rate = a < (int)host->ngpus ? path->links * path_nvlink_rate(host, a, links.version) : 0;
	}
	if (links.version == 0 && path->links > 0 && product && product->links > 0)
		links.version = product->version;
	nvlink_words(path, &links, path_link_kind(host, a));
}

/* What is not known of the way behind the PCIe links. */
static const char *beyond(enum topo_class class)
{
	switch (class) {
	case TOPO_NODE:
		return " at most: what is between host bridges is not known";
	case TOPO_SYS:
		return " at most: the link between CPUs is not known";
	case TOPO_CLASS_UNKNOWN:
		return " at most: the way is not known";
	case TOPO_X:
	case TOPO_NV:
	case TOPO_PIX:
	case TOPO_PXB:
	case TOPO_PHB:
	case TOPO_CLASSES:
		break;
	}
	return "";
}

static void pcie_words(struct path *path, const struct path_tree *tree)
{
	char rate[24];

	path_rate_words(path->rate, rate);
	snprintf(path->words, PATH_WORDS, "PCIe %s x%d: %s%s%s", peak_pcie_generation(tree->slowest.gts), tree->slowest.width,
		 rate, beyond(path->class), tree->sleeping ? " (idle: at 1.0 now)" : "");
}

/* GPUs whose NVLinks go to their CPUs reach each other that way where it is the faster one. */
static bool take_cpu_links(const struct topo_host *host, int a, int b, struct path *path)
{
	struct path_nvlinks of_a, of_b;
	char rate[24];

	if (a >= (int)host->ngpus || b >= (int)host->ngpus)
		return false;
	path_nvlinks_of(host, a, TOPO_END_CPU, TOPO_UNKNOWN, &of_a);
	path_nvlinks_of(host, b, TOPO_END_CPU, TOPO_UNKNOWN, &of_b);
	if (of_b.rate < of_a.rate)
		of_a = of_b;
	if (!(of_a.rate > path->rate))
		return false;
	path->rate = of_a.rate;
	path_rate_words(path->rate, rate);
	snprintf(path->words, PATH_WORDS, "NVLink to the CPU: %s%s", rate, beyond(path->class));
	return true;
}

static void take_tree(const struct topo_host *host, int a, int b, const struct path_tree *tree, struct path *path)
{
	path->rate = tree->rate;
	if (take_cpu_links(host, a, b, path))
		return;
	if (path->rate > 0)
		pcie_words(path, tree);
	else if (path_pci(host, a) == TOPO_UNKNOWN || path_pci(host, b) == TOPO_UNKNOWN)
		snprintf(path->words, PATH_WORDS, "rate unknown: the place in the PCI tree is not given");
	else if (path_pci(host, a) == path_pci(host, b))
		snprintf(path->words, PATH_WORDS, "rate unknown: both are one PCI function");
	else
		snprintf(path->words, PATH_WORDS, "rate unknown: link speed is not given");
}

void path_between(const struct topo_host *host, int a, int b, struct path *path)
{
	int ends = (int)(host->ngpus + host->nnics);
	const struct topo_given *given;
	struct path_nvlinks links;
	struct path_tree tree;

	*path = (struct path){ .class = TOPO_CLASS_UNKNOWN };
	if (a < 0 || b < 0 || a >= ends || b >= ends) {
		snprintf(path->words, PATH_WORDS, "rate unknown: no such device");
		return;
	}
	if (a == b) {
		path->class = TOPO_X;
		return;
	}
	given = find_given(host, a, b);
	path_nvlinks_between(host, a, b, &links);
	path_in_tree(host, a, b, &tree);
	if (given && given->class != TOPO_NV) {
		path->class = given->class;
		take_tree(host, a, b, &tree, path);
	} else if (given || links.any) {
		take_nvlinks(host, a, &links, given, path);
	} else {
		path->class = tree.class;
		take_tree(host, a, b, &tree, path);
	}
}

void path_class(const struct path *path, char *text)
{
	if (path->class == TOPO_NV && path->links > 0)
		snprintf(text, 16, "NV%d", path->links);
	else
		snprintf(text, 16, "%s", path->class < TOPO_CLASSES ? topo_class_names[path->class] : "?");
}
