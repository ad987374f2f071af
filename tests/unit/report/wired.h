/* SPDX-License-Identifier: Apache-2.0
 *
 * For the tests of topologies in reports: runs whose run.json has one, and a study of rows of such a run.
 */
#ifndef COLLPERF_TEST_WIRED_H
#define COLLPERF_TEST_WIRED_H

#include "study_rows.h"

#include <jansson.h>

#include "topo/json.h"
#include "wiring_hosts.h"

static const struct report_options nothing_given = { .inputs = NULL };

/* {"facts": {"topology": ...}} of hosts with `each` ranks. */
static inline json_t *run_of(int nhosts, int each)
{
	struct topo topo = { 0 };
	json_t *root;

	for (int h = 0; h < nhosts; h++) {
		struct topo one = { 0 };
		char name[16];

		snprintf(name, sizeof name, "node%d", h);
		assert_int_equal(hosts_add(&one, name), 0);
		assert_int_equal(topo_merge(&topo, &one), 0);
		assert_int_equal(hosts_add_ranks(&topo.hosts[h], each * h, each), 0);
	}
	root = json_pack("{s:{s:o}}", "facts", "topology", topo_to_json(&topo));
	assert_non_null(root);
	topo_clear(&topo);
	return root;
}

/* Takes root. */
static inline struct facts facts_of(const char *file, json_t *root)
{
	struct facts facts = { .file = strdup(file) };

	assert_int_equal(wiring_read(root, &facts.wiring), 0);
	json_decref(root);
	return facts;
}

struct rowset {
	const char *backend, *path;
	int nranks, nnodes;
	double busbw;
};

static inline void study_wired(struct studied *studied, const struct report_options *options, const struct facts *facts,
			       size_t nfacts, struct rowset set)
{
	char *text = NULL, error[512];
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fputs("schema,point,points,run,collective,backend,path,nranks,nnodes,type,redop,placement,bytes,time_us,busbw_GBps\n",
	      out);
	for (int i = 16; i <= 30; i++) {
		double factor = 2.0 * (set.nranks - 1) / set.nranks, time = 20e-6 + factor * ldexp(1, i) / set.busbw;

		fprintf(out, "1,,,r1,all_reduce,%s,%s,%d,%d,float,sum,out-of-place,%.0f,%.12g,%.12g\n", set.backend, set.path,
			set.nranks, set.nnodes, ldexp(1, i), time * 1e6, factor * ldexp(1, i) / time / 1e9);
	}
	fclose(out);
	*studied = (struct studied){ .rows = rows_new() };
	assert_int_equal(rows_parse(studied->rows, "run/x.csv", text, size, error, sizeof error), 0);
	assert_int_equal(study_build(options, studied->rows, facts, nfacts, &studied->study), 0);
	assert_int_equal(findings_collect(&studied->findings, &studied->study), 0);
	free(text);
}

#endif
