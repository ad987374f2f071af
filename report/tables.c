/* SPDX-License-Identifier: Apache-2.0
 *
 * bounds.csv.
 */
#include "tables.h"

#include <math.h>
#include <string.h>

#include "columns.h"
#include "escape.h"

/* Copied from the rows as they are. */
static const char *const key_columns[] = { "collective", "run",     "backend",    "library",         "path",
					   "algo",       "group",   "nranks",     "nnodes",          "type",
					   "redop",      "root",    "placement",  "bytes_requested", "bytes",
					   "point",      "time_us", "busbw_GBps", "flags",           "variant" };

enum { KEY_COLUMNS = sizeof key_columns / sizeof *key_columns, MOST_MODELS = 64 };

static void put_real(FILE *out, double value)
{
	char buffer[40];

	putc(',', out);
	if (isfinite(value))
		fputs(column_number(value, buffer, sizeof buffer), out);
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

/* The lower bound knows of nodes and of switches, which other models do not. `known`: the row's bounds, NAN where it may not be compared with them. */
static double model_time(const struct collective *coll, const struct coll_model *model, const struct machine *machine,
			 const struct result *row, struct bounds known)
{
	if (strcmp(model->name, "lb"))
		return study_model_time(coll, model, machine, row->nranks, (double)row->bytes);
	return isfinite(known.lb) ? known.lb : study_bounds(coll, machine, row, (double)row->bytes).lb;
}

static const char network_columns[] = ",hier_us,hier_sequential_us,nic_lb_us,cap_busbw_GBps,efficiency_cap,efficiency_link";

static void put_network(FILE *out, struct bounds bounds, double bus)
{
	put_real(out, bounds.hier * 1e6);
	put_real(out, bounds.sum * 1e6);
	put_real(out, bounds.nic * 1e6);
	put_real(out, bounds.cap / 1e9);
	put_real(out, bus / bounds.cap);
	put_real(out, bus / bounds.link);
}

/* The columns of the table, and the places of the keys among those of rows. */
struct layout {
	int keys[KEY_COLUMNS];
	const char *names[MOST_MODELS];
	size_t nnames;
};

static void put_row(FILE *out, const struct study *study, size_t i, const struct layout *layout)
{
	const struct result *row = rows_get(study->rows, i);
	const struct collective *coll = collective_find(row->collective);
	const struct machine *machine = study_machine(study, i);
	struct bounds bounds = study_row_bounds(study, i);
	double bus = study_is_timed(row) && row->nranks > 1 ? coll->bus_factor((int)row->nranks) * (double)row->bytes / row->time
							    : NAN;
	char buffer[64];

	if (result_is_matrix(row))
		bus = row->busbw;
	escape_text(out, ESCAPE_CSV, rows_source(study->rows, i));
	for (size_t k = 0; k < KEY_COLUMNS; k++) {
		putc(',', out);
		escape_text(out, ESCAPE_CSV, column_print(&columns[layout->keys[k]], row, buffer, sizeof buffer));
	}
	put_real(out, machine->bandwidth_only ? NAN : machine->alpha * 1e6);
	put_real(out, machine->bandwidth / 1e9);
	for (size_t n = 0; n < layout->nnames; n++) {
		const struct coll_model *model = coll ? collective_model(coll, layout->names[n]) : NULL;

		put_real(out, model && study_is_timed(row) ? 1e6 * model_time(coll, model, machine, row, bounds) : NAN);
	}
	put_network(out, bounds, bus);
	put_real(out, bounds.lb / row->time);
	put_real(out, bounds.ring / row->time);
	fputs("\r\n", out);
}

void tables_bounds(FILE *out, const struct study *study)
{
	struct layout layout;

	layout.nnames = list_models(layout.names);
	fputs("source", out);
	for (size_t k = 0; k < KEY_COLUMNS; k++) {
		layout.keys[k] = column_find(key_columns[k]);
		fprintf(out, ",%s", key_columns[k]);
	}
	fputs(",alpha_us,bandwidth_GBps", out);
	for (size_t n = 0; n < layout.nnames; n++)
		fprintf(out, ",%s_us", layout.names[n]);
	fprintf(out, "%s,efficiency_lb,efficiency_ring\r\n", network_columns);
	for (size_t i = 0; i < rows_count(study->rows); i++)
		if (study->machine_of[i] != STUDY_NO_MACHINE)
			put_row(out, study, i, &layout);
}

const char *tables_origin(const struct machine *machine)
{
	if (machine->given)
		return "command line";
	if (machine->linked && machine->own)
		return machine->bandwidth_only ? "topology" : "sendrecv and topology";
	if (machine->linked)
		return machine->bandwidth_only ? "link" : "sendrecv and link";
	return machine->fit_rows > 0 ? "sendrecv" : "none";
}
