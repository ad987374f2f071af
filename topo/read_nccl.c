/* SPDX-License-Identifier: Apache-2.0
 *
 * NCCL's and RCCL's topology: <system> of <cpu>, which are NUMA nodes. What is in them is read by the other steps.
 */
#include "read_nccl.h"

#include <stdlib.h>
#include <string.h>

#include "read.h"

enum { MOST_NUMA = 1 << 20 };

bool read_nccl_is(const struct read_nccl *nccl, int element, const char *name)
{
	return nccl->made[element] != READ_NCCL_LEFT_OUT && read_xml_is(&nccl->xml, element, name);
}

int read_nccl_within(const struct read_nccl *nccl, int element, const char *name)
{
	do
		element = nccl->xml.elements[element].parent;
	while (element != READ_XML_NONE && !read_xml_is(&nccl->xml, element, name));
	return element;
}

bool read_nccl_has(const struct read_nccl *nccl, int element, const char *name)
{
	for (int i = element + 1; i <= nccl->xml.elements[element].last; i = nccl->xml.elements[i].last + 1) {
		if (read_xml_is(&nccl->xml, i, name))
			return true;
	}
	return false;
}

int read_nccl_hex(const struct read_nccl *nccl, int element, const char *name)
{
	int number = read_number(read_xml_get(&nccl->xml, element, name), 16, 0, 0xffffff);

	return number < 0 ? 0 : number;
}

int read_nccl_int(const struct read_nccl *nccl, int element, const char *name, int most, int missing)
{
	int number = read_number(read_xml_get(&nccl->xml, element, name), 10, 0, most);

	return number < 0 ? missing : number;
}

int read_nccl_numa(const struct read_nccl *nccl, int element)
{
	int cpu = read_nccl_within(nccl, element, "cpu");

	if (cpu == READ_XML_NONE)
		return TOPO_UNKNOWN;
	return read_nccl_int(nccl, cpu, "numaid", MOST_NUMA, nccl->cpus == 1 ? 0 : TOPO_UNKNOWN);
}

int read_nccl_cpus(const struct read_nccl *nccl, int element, char **cpus)
{
	int cpu = read_nccl_within(nccl, element, "cpu");

	if (cpu != READ_XML_NONE && read_mask(read_xml_get(&nccl->xml, cpu, "affinity"), cpus) < 0)
		return read_nccl_no_memory(nccl);
	return 0;
}

int read_nccl_no_memory(const struct read_nccl *nccl)
{
	return read_fail(nccl->error, 0, "more devices than are read, or out of memory");
}

/* Of a machine without processors' words in the file: "". */
static int name_cpu(struct read_nccl *nccl, int element)
{
	static const char *const attributes[] = { "vendor", "arch", "familyid", "modelid" };
	static const char *const before[] = { "", " ", " family ", " model " };
	char name[TOPO_LONGEST_TEXT + 1] = "";

	for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
		const char *value = read_xml_get(&nccl->xml, element, attributes[i]);
		size_t used = strlen(name);

		if (*value && used + strlen(before[i]) + strlen(value) < sizeof name)
			strcat(strcat(name, used > 0 ? before[i] : ""), value);
	}
	if (*name && !*nccl->host->cpu && topo_set(&nccl->host->cpu, name))
		return read_nccl_no_memory(nccl);
	return 0;
}

static bool has_numa(const struct topo_host *host, int os)
{
	for (size_t i = 0; i < host->nnuma; i++) {
		if (host->numa[i].os == os)
			return true;
	}
	return false;
}

static int read_cpu(struct read_nccl *nccl, int element)
{
	const struct read_xml *xml = &nccl->xml;
	const char *numaid = read_xml_get(xml, element, "numaid"), *affinity = read_xml_get(xml, element, "affinity");
	int os = read_nccl_int(nccl, element, "numaid", MOST_NUMA, TOPO_UNKNOWN);
	struct topo_numa *numa;
	int rc;

	if (name_cpu(nccl, element))
		return -1;
	if (os == TOPO_UNKNOWN) {
		rc = topo_note(nccl->host, "line %lu: a <cpu> of NUMA node \"%.20s\": %s", xml->elements[element].line, numaid,
			       nccl->cpus == 1 ? "as there is no other, it is taken as node 0" : "which node it is is not known");
		if (rc)
			return read_nccl_no_memory(nccl);
		if (nccl->cpus > 1)
			return 0;
		os = 0;
	}
	if (has_numa(nccl->host, os))
		return 0;
	numa = topo_add_numa(nccl->host);
	rc = numa ? read_mask(affinity, &numa->cpus) : -1;
	if (rc < 0)
		return read_nccl_no_memory(nccl);
	numa->os = os;
	if (rc > 0 && *affinity && topo_note(nccl->host, "NUMA node %d: affinity is no mask of hardware threads", os))
		return read_nccl_no_memory(nccl);
	return 0;
}

/* Several hosts are in one file where NVLinks go between hosts. The first is read. */
static bool is_foreign(const struct read_nccl *nccl, int element, const char **first)
{
	const char *hash = read_xml_get(&nccl->xml, element, "host_hash");

	if (!*first && *hash)
		*first = hash;
	return *hash && strcmp(hash, *first) != 0;
}

/* How many <cpu> are left out. */
static int leave_out_foreign(struct read_nccl *nccl)
{
	const char *first = NULL;
	int foreign = 0;

	for (int i = 1; i < (int)nccl->xml.nelements; i++) {
		if (nccl->made[nccl->xml.elements[i].parent] == READ_NCCL_LEFT_OUT) {
			nccl->made[i] = READ_NCCL_LEFT_OUT;
		} else if (read_xml_is(&nccl->xml, i, "cpu") && is_foreign(nccl, i, &first)) {
			nccl->made[i] = READ_NCCL_LEFT_OUT;
			foreign++;
		} else {
			nccl->cpus += read_xml_is(&nccl->xml, i, "cpu");
		}
	}
	return foreign;
}

static int read_cpus(struct read_nccl *nccl)
{
	const struct read_xml *xml = &nccl->xml;
	int foreign = leave_out_foreign(nccl);

	for (int i = 1; i < (int)xml->nelements; i++) {
		const int parent = xml->elements[i].parent;

		if (!read_nccl_is(nccl, i, "cpu"))
			continue;
		if (parent != 0)
			return read_fail(nccl->error, xml->elements[i].line, "a <cpu> inside <%.40s>, not <system>",
					 read_xml_name(xml, parent));
		if (read_cpu(nccl, i))
			return -1;
	}
	if (foreign > 0 && topo_note(nccl->host, "%d <cpu> of other hosts (another host_hash) are left out", foreign))
		return read_nccl_no_memory(nccl);
	return 0;
}

static int check_root(struct read_nccl *nccl)
{
	static const struct {
		const char *root, *what;
	} others[] = {
		{ "topology", "this looks like hwloc's XML" },
		{ "graphs", "these are the graphs that NCCL chose (NCCL_GRAPH_DUMP_FILE), not a topology" },
	};
	const struct read_xml *xml = &nccl->xml;
	const char *version = read_xml_get(xml, 0, "version"), *what = "a topology of NCCL begins with <system>";

	if (!read_xml_is(xml, 0, "system")) {
		for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
			if (read_xml_is(xml, 0, others[i].root))
				what = others[i].what;
		}
		return read_fail(nccl->error, xml->elements[0].line, "it begins with <%.40s>: %s", read_xml_name(xml, 0), what);
	}
	for (int i = 1; i < (int)xml->nelements; i++) {
		if (read_xml_is(xml, i, "system"))
			return read_fail(nccl->error, xml->elements[i].line, "a <system> inside <%.40s>: a file holds one",
					 read_xml_name(xml, xml->elements[i].parent));
	}
	/* 1: NCCL, 2: RCCL. */
	if (strcmp(version, "1") != 0 && strcmp(version, "2") != 0 &&
	    topo_note(nccl->host, "<system version=\"%.20s\">: versions 1 and 2 are known", version))
		return read_nccl_no_memory(nccl);
	return 0;
}

/* Elements of later versions, or of somebody else's hand. */
static int note_strangers(struct read_nccl *nccl)
{
	static const char *const known[] = { "system", "cpu", "pci", "gpu", "nic", "net", "nvlink", "xgmi", "c2c" };
	const struct read_xml *xml = &nccl->xml;

	for (int i = 0; i < (int)xml->nelements; i++) {
		bool found = false;

		for (size_t k = 0; k < sizeof known / sizeof *known; k++)
			found = found || read_xml_is(xml, i, known[k]);
		if (!found && topo_note(nccl->host, "<%.40s> is not known here and left out", read_xml_name(xml, i)))
			return read_nccl_no_memory(nccl);
	}
	return 0;
}

static int read_all(struct read_nccl *nccl)
{
	struct topo_host *host = nccl->host;

	if (check_root(nccl) || read_cpus(nccl) || read_nccl_pcis(nccl) || read_nccl_gpus(nccl) || read_nccl_nics(nccl) ||
	    read_nccl_links(nccl) || note_strangers(nccl))
		return -1;
	if (host->ngpus == 0 && topo_note(host, "the file names no GPUs"))
		return read_nccl_no_memory(nccl);
	if (host->nnics == 0 && topo_note(host, "the file names no NICs"))
		return read_nccl_no_memory(nccl);
	return 0;
}

int read_nccl_xml(const char *file, const char *text, size_t size, struct topo *topo, char *error, size_t error_size)
{
	const struct read_error to = { file, error, error_size };
	struct read_nccl nccl = { .error = &to };
	struct topo one = { 0 };
	int rc = -1;

	if (read_xml_parse(&nccl.xml, &to, text, size, false))
		return -1;
	nccl.host = topo_add_host(&one);
	nccl.made = malloc(nccl.xml.nelements * sizeof *nccl.made);
	if (!nccl.host || !nccl.made) {
		read_nccl_no_memory(&nccl);
	} else {
		for (size_t i = 0; i < nccl.xml.nelements; i++)
			nccl.made[i] = TOPO_UNKNOWN;
		rc = read_all(&nccl);
	}
	if (rc == 0)
		rc = read_hand_over(&to, topo, &one, read_base(file));
	topo_clear(&one);
	free(nccl.made);
	read_xml_clear(&nccl.xml);
	return rc;
}
