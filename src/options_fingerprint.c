/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether two processes were started alike: one that sweeps other sizes, or calls another type, would hang the rest or give wrong numbers.
 */
#include <string.h>

#include "options.h"
#include "step.h"

/* FNV-1a, 64 bits, over the eight bytes of a value. */
static void add(uint64_t *hash, uint64_t value)
{
	for (int byte = 0; byte < 8; byte++)
		*hash = (*hash ^ (value >> (8 * byte) & 0xff)) * 0x100000001b3;
}

static void add_text(uint64_t *hash, const char *text)
{
	for (; *text; text++)
		add(hash, (unsigned char)*text);
	add(hash, 0);
}

static void add_real(uint64_t *hash, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	add(hash, bits);
}

uint64_t options_fingerprint(const struct options *o, const char *program, const char *version)
{
	const int64_t wholes[] = {
		(int64_t)o->min_bytes,
		(int64_t)o->max_bytes,
		(int64_t)o->step_bytes,
		(int64_t)o->step_factor,
		o->type,
		o->op,
		o->root,
		o->iters,
		o->warmup,
		o->agg_iters,
		o->cycles,
		o->check,
		o->timing,
		o->sync,
		o->combine,
		o->unalign,
		o->nthreads,
		o->ngpus,
		o->blocking,
		o->graph,
		o->local_register,
		o->parallel_init,
		o->cta_policy,
		o->stream_null,
		o->hold,
		o->share_gpus,
		o->per_iter,
		o->per_iter_skip,
		o->rotate,
		o->pairs,
		o->exchange.mode,
		o->exchange.stride,
		o->exchange.buffers,
		o->split.op,
		(int64_t)o->split.value,
		o->sim_ranks,
		(int64_t)o->seed,
		o->inject.kind,
		o->inject.rank,
		(int64_t)o->inject.bytes,
		o->dry_run,
		o->readback,
	};
	const double reals[] = { o->max_time, o->ci, o->inject.seconds, o->skew };
	uint64_t hash = 0xcbf29ce484222325;

	add_text(&hash, program);
	add_text(&hash, version);
	add_text(&hash, o->path);
	add_text(&hash, o->algo ? o->algo : "");
	add_text(&hash, o->matrix ? o->matrix : "");
	if (o->step)
		add(&hash, o->step->fingerprint);
	for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++)
		add(&hash, (uint64_t)wholes[i]);
	for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
		add_real(&hash, reals[i]);
	return hash;
}
