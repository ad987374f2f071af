/* SPDX-License-Identifier: Apache-2.0 */
/* sources: report/[a-z]*.c report/gate/[a-z]*.c collectives/[a-z]*.c topo/topo*.c topo/json*.c topo/path*.c topo/peak*.c topo/rates*.c topo/warn*.c topo/program.c */
/*
 * Any run.json beside rows over NCCL: its topology becomes rates, words, findings and pages, or a line that says why not.
 */
#include <ctype.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/page.h"
#include "report/pair_study.h"
#include "report/step_study.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char rows_text[] =
	"schema,point,points,run,collective,backend,path,nranks,nnodes,type,redop,placement,bytes,time_us,busbw_GBps\n"
	"1,,,r1,all_reduce,nccl,nvlink,8,1,float,sum,out-of-place,1048576,20,91.75\n"
	"1,,,r1,all_reduce,nccl,pcie,2,1,float,sum,out-of-place,1048576,80,13.1\n"
	"1,,,r1,all_reduce,nccl,,16,2,float,sum,out-of-place,1048576,40,49.15\n"
	"1,,,r1,all_reduce,nccl,ib,2,2,float,sum,out-of-place,1048576,90,11.65\n";

/*
 * The input, with no text that reads like a number that is none: a GPU may be called "NV inf", and a page says so. What a page says of that kind then is
 * a number. A word of the format stays.
 */
static char *plain(const uint8_t *data, size_t size)
{
	static const char *const words[] = { "inf", "nan", "\\u" };
	char *text = malloc(size + 1);

	if (!text)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	for (size_t i = 0; i < size; i++) {
		for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
			if (strncmp(text + i, words[w], strlen(words[w])) == 0 && strncmp(text + i, "infiniband", 10) != 0)
				text[i] = '/';
		}
	}
	return text;
}

static void check(int holds, const char *what, const char *text)
{
	if (holds)
		return;
	fprintf(stderr, "broken: %s\n%.2000s\n", what, text);
	abort();
}

static bool has_word(const char *text, const char *word)
{
	for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
		if ((at == text || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[strlen(word)]))
			return true;
	return false;
}

static void check_text(void (*write)(FILE *, const struct page *), const struct page *page)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	check(out != NULL, "memory", "");
	write(out, page);
	fclose(out);
	check(strstr(text, "<script") == NULL && strstr(text, "<img") == NULL, "a text is rendered", text);
	check(!has_word(text, "nan") && !has_word(text, "inf"), "a number that is none", text);
	free(text);
}

static void report(const struct rows *rows, const struct facts *facts)
{
	static const struct report_options options = { .inputs = NULL };
	struct outdir dir = { .path = (char *)"nowhere", .fd = -1 };
	struct findings findings = { 0 };
	struct verdicts verdicts = { 0 };
	struct study study = { 0 };
	struct pair_study pairs = { 0 };
	struct step_study steps = { 0 };
	struct page page = {
		.study = &study,
		.findings = &findings,
		.verdicts = &verdicts,
		.facts = facts,
		.nfacts = 1,
		.dir = &dir,
		.pairs = &pairs,
		.steps = &steps,
	};

	check(study_build(&options, rows, facts, 1, &study) == 0, "memory", "");
	check(findings_collect(&findings, &study) == 0 && verdicts_build(&study, &verdicts) == 0, "memory", "");
	check_text(html_write, &page);
	check_text(markdown_write, &page);
	check_text(summary_print, &page);
	verdicts_clear(&verdicts);
	findings_clear(&findings);
	study_clear(&study);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = plain(data, size);
	json_t *root = json_loadb(text, size, 0, NULL);
	struct facts facts = { .file = (char *)"run/run.json" };
	struct rows *rows = rows_new();
	char error[512];

	check(rows_parse(rows, "run/fuzz.csv", rows_text, sizeof(rows_text) - 1, error, sizeof(error)) == 0, "rows", "");
	check(wiring_read(root, &facts.wiring) == 0, "memory", "");
	report(rows, &facts);
	wiring_clear(&facts.wiring);
	rows_free(rows);
	json_decref(root);
	free(text);
	return 0;
}
