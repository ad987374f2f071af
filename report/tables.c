/* SPDX-License-Identifier: Apache-2.0
 *
 * bounds.csv and fit.csv.
 */
#include "tables.h"

#include <math.h>
#include <string.h>

#include "columns.h"
#include "escape.h"

/* Copied from the rows as they are. */
static const char *const key_columns[] = {
	"collective", "run",  "backend",   "library",         "path",  "algo",  "group",   "nranks",     "nnodes", "type",
	"redop",      "root", "placement", "bytes_requested", "bytes", "point", "time_us", "busbw_GBps", "flags"
};

enum { KEY_COLUMNS = sizeof key_columns / sizeof *key_columns, MOST_MODELS = 64 };

static void put_real(FILE *out, double value)
{
	if (isfinite(value))
		fprintf(out, ",%.9g", value);
	else
		putc(',', out);
}

/* The names of all primitives' models, each once, in the order of the primitives. */
static size_t list_models(const char *names[MOST_MODELS])
{
	size_t n = 0;

	for (size_t c = 0; c < COLL_COUNT; c++) {
		for (const struct coll_model *model = collectives[c]->models; model->name && n < MOST_MODELS; model++) {
			size_t k = 0;

			while (k < n && strcmp(names[k], model->name))
				k++;
			names[k] = model->name;
			n += k == n;
		}
	}
	return n;
}

static void put_row(FILE *out, const struct study *study, size_t i, const char *const names[], size_t nnames)
{
	const struct result *row = rows_get(study->rows, i);
	const struct collective *coll = collective_find(row->collective);
	const struct machine *machine = study_machine(study, i);
	struct bounds bounds = study_row_bounds(study, i);
	char buffer[64];

	escape_text(out, ESCAPE_CSV, rows_source(study->rows, i));
	for (size_t k = 0; k < KEY_COLUMNS; k++) {
		putc(',', out);
		escape_text(out, ESCAPE_CSV, column_print(&columns[column_find(key_columns[k])], row, buffer, sizeof buffer));
	}
	put_real(out, machine->alpha * 1e6);
	put_real(out, machine->bandwidth / 1e9);
	for (size_t n = 0; n < nnames; n++) {
		const struct coll_model *model = coll ? collective_model(coll, names[n]) : NULL;

		put_real(out, study_is_timed(row) ? study_model_time(coll, model, machine, row->nranks, (double)row->bytes) * 1e6
						  : NAN);
	}
	put_real(out, bounds.lb / row->time);
	put_real(out, bounds.ring / row->time);
	fputs("\r\n", out);
}

void tables_bounds(FILE *out, const struct study *study)
{
	const char *names[MOST_MODELS];
	size_t nnames = list_models(names);

	fputs("source", out);
	for (size_t k = 0; k < KEY_COLUMNS; k++)
		fprintf(out, ",%s", key_columns[k]);
	fputs(",alpha_us,bandwidth_GBps", out);
	for (size_t n = 0; n < nnames; n++)
		fprintf(out, ",%s_us", names[n]);
	fputs(",efficiency_lb,efficiency_ring\r\n", out);
	for (size_t i = 0; i < rows_count(study->rows); i++)
		put_row(out, study, i, names, nnames);
}

const char *tables_origin(const struct machine *machine)
{
	return machine->given ? "command line" : machine->fit_rows > 0 ? "sendrecv" : "none";
}

void tables_fit(FILE *out, const struct study *study)
{
	fputs("folder,backend,path,nranks,source,verdict,alpha_us,bandwidth_GBps,n,outliers,residual,worst,worst_bytes,r_"
	      "squared\r\n",
	      out);
	for (size_t m = 0; m < study->nmachines; m++) {
		const struct machine *machine = &study->machines[m];
		bool fitted = !machine->given && machine->fit_rows > 0;

		escape_put(out, ESCAPE_CSV, "%s,%s,%s,", machine->folder, machine->key->backend, machine->key->path);
		fprintf(out, "%lld,%s,%s", (long long)machine->key->nranks, tables_origin(machine),
			fitted ? fit_word(machine->fit.verdict) : "");
		put_real(out, 1e6 * (fitted ? machine->fit.alpha : machine->alpha));
		put_real(out, 1e-9 * (fitted ? machine->fit.bandwidth : machine->bandwidth));
		if (fitted)
			fprintf(out, ",%zu,%zu", machine->fit.n, machine->fit.outliers);
		else
			fputs(",,", out);
		put_real(out, fitted ? machine->fit.residual : NAN);
		put_real(out, fitted ? machine->fit.worst : NAN);
		put_real(out, fitted ? machine->fit.worst_bytes : NAN);
		put_real(out, fitted ? machine->fit.r_squared : NAN);
		fputs("\r\n", out);
	}
}
