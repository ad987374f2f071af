/* SPDX-License-Identifier: Apache-2.0
 *
 * The NVLinks of products, one way. NVIDIA's data sheets count both directions; what collectives reach of a link is what NCCL's own model takes (topo.h).
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "peak.h"

#define P100 20e9
#define LINK 25e9
#define GA102 14.0625e9
#define BLACKWELL 50e9

/* The first that fits: those of more words come before those of fewer. */
static const struct peak_gpu products[] = {
	{ "P100 SXM", 1, 4, P100, 4 * 18e9, false, "NVIDIA P100 data sheet: 160 GB/s both ways" },
	{ "P100 PCIE", 0, 0, 0, 0, false, "NVIDIA P100 data sheet: PCIe only" },
	{ "V100 SXM", 2, 6, LINK, 6 * 20e9, false, "NVIDIA V100 data sheet: 300 GB/s both ways" },
	{ "V100 PCIE", 0, 0, 0, 0, false, "NVIDIA V100 data sheet: PCIe only" },
	{ "V100S", 0, 0, 0, 0, false, "NVIDIA V100 data sheet: PCIe only" },
	{ "T4", 0, 0, 0, 0, false, "NVIDIA T4 data sheet: PCIe only" },
	{ "2080 Ti", 2, 2, LINK, 0, true, "NVIDIA RTX 2080 Ti: 100 GB/s both ways" },
	{ "RTX 8000", 2, 2, LINK, 0, true, "NVIDIA Quadro RTX 8000 data sheet: 100 GB/s both ways" },
	{ "A100 SXM", 3, 12, LINK, 12 * 20e9, false, "NVIDIA A100 data sheet: 600 GB/s both ways" },
	{ "A100 PG506", 3, 12, LINK, 12 * 20e9, false, "NVIDIA A100 data sheet: 600 GB/s both ways" },
	{ "A100 PCIE", 3, 12, LINK, 12 * 20e9, true, "NVIDIA A100 data sheet: 600 GB/s both ways, with bridges" },
	{ "A800 SXM", 3, 8, LINK, 8 * 20e9, false, "NVIDIA A800 data sheet: 400 GB/s both ways" },
	{ "A800 PCIE", 3, 8, LINK, 8 * 20e9, true, "NVIDIA A800 data sheet: 400 GB/s both ways, with bridges" },
	{ "A30", 3, 4, LINK, 4 * 20e9, true, "NVIDIA A30 data sheet: 200 GB/s both ways, with a bridge" },
	{ "A40", 3, 4, GA102, 4 * 12e9, true, "NVIDIA A40 data sheet: 112.5 GB/s both ways, with a bridge" },
	{ "RTX A6000", 3, 4, GA102, 4 * 12e9, true, "NVIDIA RTX A6000 data sheet: 112.5 GB/s both ways, with a bridge" },
	{ "RTX 3090", 3, 4, GA102, 4 * 12e9, true, "NVIDIA RTX 3090: 112.5 GB/s both ways, with a bridge" },
	{ "A10", 0, 0, 0, 0, false, "NVIDIA A10 data sheet: PCIe only" },
	{ "L4", 0, 0, 0, 0, false, "NVIDIA L4 data sheet: PCIe only" },
	{ "L40", 0, 0, 0, 0, false, "NVIDIA L40 data sheet: PCIe only" },
	{ "L40S", 0, 0, 0, 0, false, "NVIDIA L40S data sheet: PCIe only" },
	{ "RTX 4090", 0, 0, 0, 0, false, "NVIDIA RTX 4090: PCIe only" },
	{ "RTX 5090", 0, 0, 0, 0, false, "NVIDIA RTX 5090: PCIe only" },
	{ "H100 PCIE", 4, 12, LINK, 12 * 20.6e9, true, "NVIDIA H100 data sheet: 600 GB/s both ways, with bridges" },
	{ "H100 NVL", 4, 12, LINK, 12 * 20.6e9, true, "NVIDIA H100 NVL data sheet: 600 GB/s both ways, with bridges" },
	{ "H100", 4, 18, LINK, 18 * 20.6e9, false, "NVIDIA H100 data sheet: 900 GB/s both ways" },
	{ "H200 NVL", 4, 18, LINK, 18 * 20.6e9, true, "NVIDIA H200 NVL data sheet: 900 GB/s both ways, with bridges" },
	{ "H200", 4, 18, LINK, 18 * 20.6e9, false, "NVIDIA H200 data sheet: 900 GB/s both ways" },
	{ "GH200", 4, 18, LINK, 18 * 20.6e9, true, "NVIDIA GH200 data sheet: 900 GB/s both ways, where boards have them" },
	{ "H20", 4, 18, LINK, 18 * 20.6e9, false, "NVIDIA H20 data sheet: 900 GB/s both ways" },
	{ "H800 PCIE", 4, 8, LINK, 8 * 20.6e9, true, "NVIDIA H800 data sheet: 400 GB/s both ways, with bridges" },
	{ "H800", 4, 8, LINK, 8 * 20.6e9, false, "NVIDIA H800 data sheet: 400 GB/s both ways" },
	{ "B200", 5, 18, BLACKWELL, 18 * 40.1e9, false, "NVIDIA B200 data sheet: 1.8 TB/s both ways" },
	{ "GB200", 5, 18, BLACKWELL, 18 * 40.1e9, false, "NVIDIA GB200 data sheet: 1.8 TB/s both ways" },
	{ "B300", 5, 18, BLACKWELL, 18 * 40.1e9, false, "NVIDIA B300 data sheet: 1.8 TB/s both ways" },
	{ "GB300", 5, 18, BLACKWELL, 18 * 40.1e9, false, "NVIDIA GB300 data sheet: 1.8 TB/s both ways" },
};

enum { PRODUCTS = sizeof products / sizeof *products };

/* PCI ids of NVIDIA (pci-ids.ucw.cz), for sources that tell no name. */
static const struct {
	int device;
	const char *name;
} devices[] = {
	{ 0x15f7, "P100 PCIe" }, { 0x15f8, "P100 PCIe" }, { 0x15f9, "P100 SXM2" },   { 0x1db1, "V100 SXM2" },
	{ 0x1db4, "V100 PCIe" }, { 0x1db5, "V100 SXM2" }, { 0x1db6, "V100 PCIe" },   { 0x1db8, "V100 SXM3" },
	{ 0x1df5, "V100 SXM2" }, { 0x1df6, "V100S" },     { 0x1e04, "RTX 2080 Ti" }, { 0x1e07, "RTX 2080 Ti" },
	{ 0x1eb8, "T4" },        { 0x20b0, "A100 SXM4" }, { 0x20b1, "A100 PCIe" },   { 0x20b2, "A100 SXM4" },
	{ 0x20b3, "A100 SXM" },  { 0x20b5, "A100 PCIe" }, { 0x20b7, "A30" },         { 0x20f1, "A100 PCIe" },
	{ 0x20f3, "A800 SXM4" }, { 0x20f5, "A800 PCIe" }, { 0x20f6, "A800 PCIe" },   { 0x2203, "RTX 3090 Ti" },
	{ 0x2204, "RTX 3090" },  { 0x2230, "RTX A6000" }, { 0x2235, "A40" },         { 0x2236, "A10" },
	{ 0x2322, "H800 PCIe" }, { 0x2324, "H800" },      { 0x2330, "H100" },        { 0x2331, "H100 PCIe" },
	{ 0x2335, "H200" },      { 0x2684, "RTX 4090" },  { 0x27b8, "L4" },          { 0x2901, "B200" },
	{ 0x2b85, "RTX 5090" },
};

enum { DEVICES = sizeof devices / sizeof *devices };

/* "SXM" is also "SXM4"; "A10" is not "A100". */
static bool is_token(const char *token, size_t token_length, const char *word, size_t length)
{
	if (token_length < length || strncasecmp(token, word, length) != 0)
		return false;
	for (size_t i = length; i < token_length; i++) {
		if (!isdigit((unsigned char)token[i]))
			return false;
	}
	return token_length == length || !isdigit((unsigned char)word[length - 1]);
}

static bool has_word(const char *name, const char *word, size_t length)
{
	while (*name) {
		size_t token = strcspn(name, " -_[]()/");

		if (token > 0 && is_token(name, token, word, length))
			return true;
		name += token;
		name += strspn(name, " -_[]()/");
	}
	return false;
}

/* "H100-80C": a share of a GPU in a virtual machine, whose links are not all its own. */
static bool is_share(const char *name)
{
	const char *last = strrchr(name, '-');
	size_t digits = last ? strspn(last + 1, "0123456789") : 0;

	return digits > 0 && strchr("ABCQ", last[1 + digits]) && last[1 + digits] != '\0' && last[2 + digits] == '\0';
}

static bool has_words(const char *name, const char *words)
{
	while (*words) {
		size_t length = strcspn(words, " ");

		if (!has_word(name, words, length))
			return false;
		words += length;
		words += strspn(words, " ");
	}
	return true;
}

const struct peak_gpu *peak_gpu_find(const char *name, int device)
{
	for (size_t i = 0; name[0] == '\0' && i < DEVICES; i++) {
		if (devices[i].device == device)
			return peak_gpu_find(devices[i].name, 0);
	}
	/* Those for laptops have no links and the names of their elders. */
	if (has_word(name, "Laptop", 6) || has_word(name, "Mobile", 6) || is_share(name))
		return NULL;
	for (size_t i = 0; i < PRODUCTS; i++) {
		if (has_words(name, products[i].name))
			return &products[i];
	}
	return NULL;
}

double peak_nvlink(int version)
{
	static const double rates[] = { 0, P100, LINK, LINK, LINK, BLACKWELL };

	return version > 0 && version < (int)(sizeof rates / sizeof *rates) ? rates[version] : 0;
}
