/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan as JSON.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "../text.h"
#include "tell.h"
#include "words.h"

enum { LINE = 2400 };

static json_t *real(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

/* 0 stands for what is not known. */
static json_t *given(double value)
{
	return value > 0 ? real(value) : json_null();
}

static json_t *whole_number(int64_t value)
{
	return value > 0 ? json_integer(value) : json_null();
}

static json_t *text(const char *value)
{
	char *utf8 = text_utf8(value);
	json_t *string = utf8 ? json_string(utf8) : NULL;

	free(utf8);
	return string;
}

static int set(json_t *object, const char *name, json_t *value)
{
	return json_object_set_new(object, name, value);
}

static json_t *whole(json_t *object, int rc)
{
	if (rc == 0)
		return object;
	json_decref(object);
	return NULL;
}

static json_t *network_value(const struct plan *plan)
{
	const struct plan_options *options = plan->network->options;
	json_t *object = json_object();
	char line[LINE];
	int rc = 0;

	plan_network_sentence(plan, line, sizeof line);
	rc |= set(object, "source", json_string(plan->network->rows ? "rows" : "link"));
	rc |= set(object, "alpha_s", plan->network->rows ? json_null() : real(options->alpha));
	rc |= set(object, "bandwidth_Bps", plan->network->rows ? json_null() : real(options->bandwidth));
	rc |= set(object, "nic_Bps", given(options->nic));
	rc |= set(object, "nics", whole_number(options->nics));
	rc |= set(object, "gpus_per_node", whole_number(plan->network->gpus_per_node));
	rc |= set(object, "what", text(line));
	return whole(object, rc);
}

static json_t *model_value(const struct plan *plan)
{
	const struct train_shape *shape = &plan->job.shape;
	json_t *object = json_object();
	int rc = 0;

	rc |= set(object, "name", text(plan->model_name));
	rc |= set(object, "source", text(plan->model_source));
	rc |= set(object, "params", given(plan->job.params));
	rc |= set(object, "layers", whole_number(shape->layers));
	rc |= set(object, "hidden", whole_number(shape->hidden));
	rc |= set(object, "ffn", whole_number(shape->ffn));
	rc |= set(object, "ffn_matrices", json_integer(shape->gated ? 3 : 2));
	rc |= set(object, "vocab", whole_number(shape->vocab));
	rc |= set(object, "heads", whole_number(shape->heads));
	rc |= set(object, "kv_heads", whole_number(shape->kv_heads));
	rc |= set(object, "head_dim", whole_number(shape->head_dim));
	rc |= set(object, "positions", whole_number(shape->positions));
	return whole(object, rc);
}

static json_t *job_value(const struct plan *plan)
{
	const struct plan_job *job = &plan->job;
	json_t *object = json_object();
	int rc = 0;

	rc |= set(object, "ranks", json_integer(job->np));
	rc |= set(object, "tokens_per_rank", given(job->tokens));
	rc |= set(object, "element_bytes", real(job->element_bytes));
	rc |= set(object, "flops", given(job->flops));
	rc |= set(object, "compute_s", real(job->compute));
	rc |= set(object, "bucket_bytes", real(job->bucket));
	rc |= set(object, "activations_flash_bytes", real(plan->activations_flash));
	rc |= set(object, "activations_bytes", real(plan->activations));
	return whole(object, rc);
}

static json_t *calls_value(const struct plan_strategy *strategy)
{
	json_t *array = json_array();
	int rc = 0;

	for (size_t i = 0; i < strategy->ncalls; i++) {
		const struct plan_calls *calls = &strategy->calls[i];
		const bool known = calls->timer->known;
		json_t *object = json_object();

		rc |= set(object, "primitive", json_string(calls->timer->coll->name));
		rc |= set(object, "of", json_string(calls->what));
		rc |= set(object, "ranks", json_integer(calls->timer->members.nranks));
		rc |= set(object, "number", real(calls->number));
		rc |= set(object, "bytes", real(calls->bytes));
		rc |= set(object, "sent_bytes", real(calls->sent));
		rc |= set(object, "time_s", real(known ? calls->one.seconds : NAN));
		rc |= set(object, "read_off", known ? json_string(curve_word(calls->one.source)) : json_null());
		rc |= set(object, "scaled", json_boolean(known && calls->one.scaled));
		rc |= set(object, "guess", json_boolean(known && calls->one.guess));
		rc |= set(object, "stand_in", json_boolean(known && calls->one.stand_in));
		rc |= set(object, "rows_ranks",
			  whole_number(plan_timer_key(calls->timer) ? plan_timer_key(calls->timer)->nranks : 0));
		rc |= set(object, "rows_nodes",
			  whole_number(plan_timer_key(calls->timer) ? plan_timer_key(calls->timer)->nnodes : 0));
		rc |= set(object, "why", known ? json_null() : text(calls->timer->error));
		rc |= json_array_append_new(array, object);
	}
	return whole(array, rc);
}

/* "--hidden, --layers" as an array. */
static json_t *missing_value(const char *list)
{
	json_t *array = json_array();
	int rc = 0;

	while (*list) {
		const size_t length = strcspn(list, ",");

		rc |= json_array_append_new(array, json_stringn(list, length));
		list += length;
		list += strspn(list, ", ");
	}
	return whole(array, rc);
}

static json_t *break_even_word(double tokens)
{
	if (isnan(tokens))
		return json_null();
	return json_string(tokens == 0 ? "always" : isinf(tokens) ? "never" : "tokens");
}

static int set_split(json_t *object, const struct plan_strategy *strategy)
{
	const bool split = strategy->nf > 0 && strategy->nt > 0;

	return set(object, "fsdp", split ? json_integer(strategy->nf) : json_null()) |
	       set(object, "tp", split ? json_integer(strategy->nt) : json_null());
}

static int set_marks(json_t *object, const struct plan_marks *marks)
{
	return set(object, "extrapolated", json_boolean(marks->extrapolated)) |
	       set(object, "scaled", json_boolean(marks->scaled)) | set(object, "guess", json_boolean(marks->guess)) |
	       set(object, "stand_in", json_boolean(marks->stand_in));
}

static json_t *marks_value(const struct plan_marks *marks)
{
	json_t *object = json_object();

	return whole(object, set_marks(object, marks));
}

static int set_costs(json_t *object, const struct plan_strategy *strategy)
{
	const int bound = plan_is_bound(strategy);
	int rc = 0;

	rc |= set(object, "sent_bytes", real(strategy->sent));
	rc |= set(object, "communication_s", real(strategy->communication));
	rc |= set(object, "ratio", real(strategy->ratio));
	rc |= set(object, "communication_bound", bound < 0 ? json_null() : json_boolean(bound));
	rc |= set(object, "exposed_s", real(strategy->exposed));
	rc |= set(object, "exposed_overlapped_s", real(strategy->exposed_overlapped));
	rc |= set_marks(object, &strategy->marks);
	return rc;
}

static json_t *strategy_value(const struct plan *plan, const struct plan_strategy *strategy)
{
	static const char *const passes[] = {
		[PLAN_NO_PASS] = NULL, [PLAN_FORWARD] = "forward", [PLAN_BACKWARD] = "backward", [PLAN_BOTH] = "both"
	};
	json_t *object = json_object();
	char line[LINE];
	int rc = 0;

	plan_sentence(plan, strategy, line, sizeof line);
	rc |= set(object, "name", json_string(plan_kind_name(strategy->kind)));
	rc |= set_split(object, strategy);
	rc |= set(object, "missing", missing_value(strategy->missing));
	rc |= set_costs(object, strategy);
	rc |= set(object, "memory_bytes", real(strategy->memory));
	rc |= set(object, "break_even", break_even_word(strategy->break_even));
	rc |= set(object, "break_even_tokens", real(strategy->break_even));
	rc |= set(object, "break_even_backward_tokens", real(strategy->break_even_backward));
	rc |= set(object, "break_even_marks",
		  isnan(strategy->break_even) ? json_null() : marks_value(&strategy->break_even_marks));
	rc |= set(object, "most_ranks", real(strategy->most_ranks));
	rc |= set(object, "most_fsdp", real(strategy->most_nf));
	rc |= set(object, "most_tp", real(strategy->most_nt));
	rc |= set(object, "most_pass", passes[strategy->most_pass] ? json_string(passes[strategy->most_pass]) : json_null());
	rc |= set(object, "most_marks", isnan(strategy->most_ranks) ? json_null() : marks_value(&strategy->most_marks));
	rc |= set(object, "most_why", strategy->most_error ? json_string(strategy->most_error) : json_null());
	rc |= set(object, "calls", calls_value(strategy));
	rc |= set(object, "sentence", text(line));
	return whole(object, rc);
}

static json_t *strategies_value(const struct plan *plan)
{
	json_t *array = json_array();
	int rc = 0;

	for (int kind = 0; kind < PLAN_KINDS; kind++)
		rc |= json_array_append_new(array, strategy_value(plan, &plan->strategies[kind]));
	return whole(array, rc);
}

static json_t *splits_value(const struct plan *plan)
{
	json_t *array = json_array();
	int rc = 0;

	for (size_t i = 0; i < plan->nsplits; i++) {
		json_t *object = json_object();

		rc |= set_split(object, &plan->splits[i]) | set_costs(object, &plan->splits[i]);
		rc |= json_array_append_new(array, object);
	}
	return whole(array, rc);
}

static json_t *bucket_value(const struct plan_bucket *bucket)
{
	json_t *object = json_object();
	int rc = 0;

	rc |= set(object, "bytes", real(bucket->bytes));
	rc |= set(object, "number", real(bucket->number));
	rc |= set(object, "time_s", real(bucket->time));
	rc |= set_marks(object, &bucket->marks);
	return whole(object, rc);
}

static json_t *buckets_value(const struct plan *plan)
{
	const struct plan_buckets *buckets = &plan->buckets;
	json_t *object;
	int rc = 0;

	if (!buckets->known)
		return json_null();
	object = json_object();
	rc |= set(object, "gradients_bytes", real(buckets->gradients));
	rc |= set(object, "backward_s", real(buckets->backward));
	rc |= set(object, "best", isfinite(buckets->best.time) ? bucket_value(&buckets->best) : json_null());
	rc |= set(object, "advised", isfinite(buckets->advised.time) ? bucket_value(&buckets->advised) : json_null());
	rc |= set(object, "beyond", isfinite(buckets->beyond.time) ? bucket_value(&buckets->beyond) : json_null());
	rc |= set(object, "measured_least_bytes", real(buckets->measured ? buckets->least : NAN));
	rc |= set(object, "measured_most_bytes", real(buckets->measured ? buckets->most : NAN));
	rc |= set(object, "flat_least_bytes", real(buckets->flat_least));
	rc |= set(object, "flat_most_bytes", real(buckets->flat_most));
	rc |= set(object, "default", bucket_value(&buckets->usual));
	rc |= set(object, "default_tensor_calls", whole_number((int64_t)buckets->tensor_calls));
	rc |= set(object, "default_tensor_time_s", real(buckets->tensor_time));
	rc |= set(object, "default_tensor_marks",
		  isfinite(buckets->tensor_time) ? marks_value(&buckets->tensor_marks) : json_null());
	rc |= set(object, "asked", bucket_value(&buckets->asked));
	return whole(object, rc);
}

static json_t *block_value(const struct plan *plan)
{
	const struct plan_block *block = &plan->block;
	const struct train_limits *limits = &block->limits;
	json_t *object;
	int rc = 0;

	if (!block->known)
		return json_null();
	object = json_object();
	rc |= set(object, "tokens", real(block->tokens));
	rc |= set(object, "hidden", whole_number(plan->job.shape.hidden));
	rc |= set(object, "ffn", whole_number(plan->job.shape.ffn));
	rc |= set(object, "ffn_matrices", json_integer(plan->job.shape.gated ? 3 : 2));
	rc |= set(object, "bandwidth_Bps", real(block->bandwidth));
	rc |= set(object, "most_data_parallel", real(limits->data));
	rc |= set(object, "most_fsdp", real(limits->fsdp));
	rc |= set(object, "most_tp_forward", real(limits->tp_forward));
	rc |= set(object, "most_tp_backward", real(limits->tp_backward));
	rc |= set(object, "most_both_overlapped", real(limits->both));
	rc |= set(object, "best_fsdp", real(limits->nf));
	rc |= set(object, "best_tp", real(limits->nt));
	rc |= set(object, "most_both", real(limits->both_serial));
	return whole(object, rc);
}

struct remarks {
	json_t *array;
	int rc;
};

static void add_remark(void *context, const char *remark)
{
	struct remarks *remarks = context;

	remarks->rc |= json_array_append_new(remarks->array, text(remark));
}

static json_t *remarks_value(const struct plan *plan)
{
	struct remarks remarks = { json_array(), 0 };

	if (plan->model_note[0])
		add_remark(&remarks, plan->model_note);
	if (plan->model_remark[0])
		add_remark(&remarks, plan->model_remark);
	plan_each_remark(plan, add_remark, &remarks);
	return whole(remarks.array, remarks.rc);
}

int plan_tell_json(FILE *out, const struct plan *plan)
{
	json_t *object = json_object();
	char line[LINE];
	int rc = 0;

	plan_advice(plan, line, sizeof line);
	rc |= set(object, "schema", json_integer(1));
	rc |= set(object, "program", json_string("collperf plan"));
	rc |= set(object, "version", json_string(COLLPERF_VERSION));
	rc |= set(object, "network", network_value(plan));
	rc |= set(object, "model", model_value(plan));
	rc |= set(object, "job", job_value(plan));
	rc |= set(object, "strategies", strategies_value(plan));
	rc |= set(object, "splits", splits_value(plan));
	rc |= set(object, "least_split", plan->nsplits > 0 ? json_integer((json_int_t)plan->least_split) : json_null());
	rc |= set(object, "buckets", buckets_value(plan));
	rc |= set(object, "block", block_value(plan));
	rc |= set(object, "advice", text(line));
	rc |= set(object, "remarks", remarks_value(plan));
	if (rc)
		array_failed();
	else if (json_dumpf(object, out, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) == 0)
		fputc('\n', out);
	json_decref(object);
	return rc ? -1 : 0;
}
