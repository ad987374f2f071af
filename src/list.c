/* SPDX-License-Identifier: Apache-2.0
 *
 * --list.
 */
#include "list.h"

#include "../report/writer.h"
#include "../topo/algo.h"
#include "../topo/way.h"
#include "backend.h"
#include "dtype.h"
#include "launch.h"
#include "redop.h"

static void list_backend(FILE *out, const struct backend_entry *entry)
{
	char reason[256];

	fprintf(out, "backend: %s (%s)\n", entry->name, entry->ops ? entry->ops->summary : entry->missing);
	if (!entry->ops)
		return;
	if (entry->ops->list)
		entry->ops->list(out);
	else if (entry->ops->probe && entry->ops->probe(reason, sizeof reason))
		fprintf(out, "  not usable here: %s\n", reason);
	if (entry->ops->steerable && entry->ops->steerable(reason, sizeof reason))
		fprintf(out, "  --path and --algo: %s\n", reason);
}

static void list_models(FILE *out, const struct collective *coll)
{
	fprintf(out, "cost models:");
	for (const struct coll_model *model = coll->models; model->name; model++)
		fprintf(out, " %s", model->name);
	fprintf(out, "\n");
}

void list_all(FILE *out, const struct collective *coll)
{
	static const struct writer_ops *const formats[] = { &writer_console, &writer_wide, &writer_csv, &writer_json };

	fprintf(out, "primitive: %s (%s)\n", coll->name, coll->summary);
	for (const struct backend_entry *entry = backends; entry->name; entry++)
		list_backend(out, entry);
	for (int i = 0; i < LAUNCH_WAYS; i++)
		fprintf(out, "launch: %s (%s)\n", launches[i].name, launches[i].open ? launches[i].summary : launches[i].missing);
	fprintf(out, "types:");
	for (int i = 0; i < DTYPE_COUNT; i++)
		fprintf(out, " %s", dtypes[i].name);
	fprintf(out, "\nops:");
	for (int i = 0; i < REDOP_COUNT && (coll->flags & COLL_HAS_REDOP); i++)
		fprintf(out, " %s", redop_names[i]);
	fprintf(out, "%s\n", coll->flags & COLL_HAS_REDOP ? "" : " none (this primitive does not reduce)");
	for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
		fprintf(out, "format: %s (%s)\n", formats[i]->name, formats[i]->summary);
	for (int i = 0; i < WAY_LIBRARIES; i++)
		way_list(out, (enum way_library)i);
	algo_list(out, coll->id);
	list_models(out, coll);
}
