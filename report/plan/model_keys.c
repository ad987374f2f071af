/* SPDX-License-Identifier: Apache-2.0
 *
 * One table of the keys; what is our own word stands first among those for one thing.
 */
#include "model_keys.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model_family.h"
#include "model_file.h"

enum kind { WIDTH, SPARE, PARAMS, FLAG, SAYS, MATRICES, TEXT, FAMILY, EXPERTS, TWO_STACKS, OTHER, NARROW };

/* Key by key; `thing` is where its value goes in the shape: a spare one if nothing else went there. SAYS and FAMILY are read by
 * model_family.c; OTHER: an enum model_other. */
struct key {
	const char *name;
	enum kind kind;
	size_t thing;
};

static const struct key keys[] = {
	{ "name", TEXT, 0 },
	{ "source", TEXT, 0 },
	{ "params", PARAMS, offsetof(struct train_shape, params) },
	{ "parameters", PARAMS, offsetof(struct train_shape, params) },
	{ "num_parameters", PARAMS, offsetof(struct train_shape, params) },
	{ "layers", WIDTH, offsetof(struct train_shape, layers) },
	{ "num_hidden_layers", WIDTH, offsetof(struct train_shape, layers) },
	{ "num_layers", WIDTH, offsetof(struct train_shape, layers) },
	{ "n_layer", WIDTH, offsetof(struct train_shape, layers) },
	{ "n_layers", WIDTH, offsetof(struct train_shape, layers) },
	{ "hidden", WIDTH, offsetof(struct train_shape, hidden) },
	{ "hidden_size", WIDTH, offsetof(struct train_shape, hidden) },
	{ "n_embd", WIDTH, offsetof(struct train_shape, hidden) },
	{ "n_embed", WIDTH, offsetof(struct train_shape, hidden) },
	{ "d_model", WIDTH, offsetof(struct train_shape, hidden) },
	{ "dim", WIDTH, offsetof(struct train_shape, hidden) },
	{ "ffn", WIDTH, offsetof(struct train_shape, ffn) },
	{ "intermediate_size", WIDTH, offsetof(struct train_shape, ffn) },
	{ "n_inner", WIDTH, offsetof(struct train_shape, ffn) },
	{ "ffn_dim", WIDTH, offsetof(struct train_shape, ffn) },
	{ "d_ff", WIDTH, offsetof(struct train_shape, ffn) },
	{ "ffn_hidden_size", WIDTH, offsetof(struct train_shape, ffn) },
	{ "hidden_dim", SPARE, offsetof(struct train_shape, ffn) },
	{ "vocab", WIDTH, offsetof(struct train_shape, vocab) },
	{ "vocab_size", WIDTH, offsetof(struct train_shape, vocab) },
	{ "padded_vocab_size", SPARE, offsetof(struct train_shape, vocab) },
	{ "heads", WIDTH, offsetof(struct train_shape, heads) },
	{ "num_attention_heads", WIDTH, offsetof(struct train_shape, heads) },
	{ "n_head", WIDTH, offsetof(struct train_shape, heads) },
	{ "n_heads", WIDTH, offsetof(struct train_shape, heads) },
	{ "num_heads", SPARE, offsetof(struct train_shape, heads) },
	{ "kv_heads", WIDTH, offsetof(struct train_shape, kv_heads) },
	{ "kv-heads", WIDTH, offsetof(struct train_shape, kv_heads) },
	{ "num_key_value_heads", WIDTH, offsetof(struct train_shape, kv_heads) },
	{ "n_kv_heads", WIDTH, offsetof(struct train_shape, kv_heads) },
	{ "num_kv_heads", WIDTH, offsetof(struct train_shape, kv_heads) },
	{ "n_head_kv", WIDTH, offsetof(struct train_shape, kv_heads) },
	{ "multi_query_group_num", WIDTH, offsetof(struct train_shape, kv_heads) },
	{ "multi_query", SAYS, 0 },
	{ "multi_query_attention", SAYS, 0 },
	{ "new_decoder_architecture", SAYS, 0 },
	{ "head_dim", WIDTH, offsetof(struct train_shape, head_dim) },
	{ "kv_channels", SPARE, offsetof(struct train_shape, head_dim) },
	{ "positions", WIDTH, offsetof(struct train_shape, positions) },
	{ "gated", FLAG, offsetof(struct train_shape, gated) },
	{ "ffn_matrices", MATRICES, offsetof(struct train_shape, gated) },
	{ "ffn-matrices", MATRICES, offsetof(struct train_shape, gated) },
	{ "tied", FLAG, offsetof(struct train_shape, tied) },
	{ "tie_word_embeddings", FLAG, offsetof(struct train_shape, tied) },
	{ "hidden_act", TEXT, 0 },
	{ "hidden_activation", TEXT, 0 },
	{ "activation_function", TEXT, 0 },
	{ "activation", TEXT, 0 },
	{ "architectures", FAMILY, 0 },
	{ "model_type", FAMILY, 0 },
	{ "n_positions", FAMILY, 0 },
	{ "max_position_embeddings", FAMILY, 0 },
	{ "type_vocab_size", FAMILY, 0 },
	{ "is_encoder_decoder", TWO_STACKS, 0 },
	{ "num_decoder_layers", TWO_STACKS, 0 },
	{ "decoder_layers", TWO_STACKS, 0 },
	{ "num_local_experts", EXPERTS, 0 },
	{ "num_experts", EXPERTS, 0 },
	{ "n_routed_experts", EXPERTS, 0 },
	{ "moe_num_experts", EXPERTS, 0 },
	{ "q_lora_rank", OTHER, MODEL_LATENT },
	{ "kv_lora_rank", OTHER, MODEL_LATENT },
	{ "qk_nope_head_dim", OTHER, MODEL_LATENT },
	{ "qk_rope_head_dim", OTHER, MODEL_LATENT },
	{ "state_size", OTHER, MODEL_STATES },
	{ "ssm_state_size", OTHER, MODEL_STATES },
	{ "ssm_cfg", OTHER, MODEL_STATES },
	{ "mamba_d_state", OTHER, MODEL_STATES },
	{ "lru_width", OTHER, MODEL_STATES },
	{ "num_hidden_groups", OTHER, MODEL_SHARED },
	{ "embedding_size", NARROW, 0 },
	{ "word_embed_proj_dim", NARROW, 0 },
};
enum { KEYS = sizeof keys / sizeof *keys };

static const double most_width = 1e9, most_params = 0x1p53;

static int fail(const char *key, const char *cause, char *why, size_t size)
{
	snprintf(why, size, "%s: %s", key, cause);
	return -1;
}

bool model_key_is_known(const char *key)
{
	size_t k = 0;

	while (k < KEYS && strcmp(keys[k].name, key) != 0)
		k++;
	return k < KEYS;
}

/* NAN: none. */
static double number_of(const json_t *value)
{
	double number = NAN;

	if (json_is_string(value))
		return model_count_parse(json_string_value(value), &number) ? NAN : number;
	return json_is_number(value) ? json_number_value(value) : NAN;
}

static int read_params(const char *key, const json_t *value, double *params, char *why, size_t size)
{
	const double number = number_of(value);

	if (!(number >= 1 && number <= most_params))
		return fail(key, "needs a number of 1 or more, such as 7e9 or \"7B\"", why, size);
	if (*params > 0 && *params != number)
		return fail(key, "another key of this file says another number of parameters", why, size);
	*params = number;
	return 0;
}

static int read_width(const char *key, const json_t *value, int64_t *width, char *why, size_t size)
{
	const double number = number_of(value);

	if (!(number >= 1 && number <= most_width) || floor(number) != number)
		return fail(key, "needs a whole number from 1 to 1e9", why, size);
	if (*width > 0 && *width != (int64_t)number)
		return fail(key, "another key of this file says another number for the same", why, size);
	*width = (int64_t)number;
	return 0;
}

static int read_flag(const struct key *key, const json_t *value, struct train_shape *shape, unsigned *given, char *why,
		     size_t size)
{
	const bool gated = key->thing == offsetof(struct train_shape, gated);
	const unsigned bit = gated ? MODEL_GIVES_GATED : MODEL_GIVES_TIED;
	const double matrices = key->kind == MATRICES ? number_of(value) : NAN;
	const bool says = key->kind == MATRICES ? matrices == 3 : json_is_true(value);
	bool *flag = gated ? &shape->gated : &shape->tied;

	if (key->kind == MATRICES && matrices != 2 && matrices != 3)
		return fail(key->name, "needs 2 or 3", why, size);
	if (key->kind == FLAG && !json_is_boolean(value))
		return fail(key->name, "needs true or false", why, size);
	if ((*given & bit) && *flag != says)
		return fail(key->name, "another key of this file says the opposite", why, size);
	*flag = says;
	*given |= bit;
	return 0;
}

static int read_experts(const char *key, const json_t *value, char *why, size_t size)
{
	const double number = number_of(value);

	if (isnan(number))
		return fail(key, "needs a number", why, size);
	return number > 1 ? fail(key, model_other_cause(MODEL_EXPERTS), why, size) : 0;
}

/* Numbers of layers mean two stacks only beside others. */
static int read_stacks(const char *key, const json_t *value, const struct train_shape *shape, char *why, size_t size)
{
	if (json_is_true(value) || (json_is_number(value) && shape->layers > 0))
		return fail(key, model_other_cause(MODEL_TWO_STACKS), why, size);
	return 0;
}

/* 0 where files have it as a word for none. */
static int read_other(const struct key *key, const json_t *value, char *why, size_t size)
{
	return number_of(value) <= 0 ? 0 : fail(key->name, model_other_cause(key->thing), why, size);
}

static int read_narrow(const char *key, const json_t *value, const struct train_shape *shape, char *why, size_t size)
{
	int64_t width = 0;

	if (read_width(key, value, &width, why, size))
		return -1;
	return shape->hidden > 0 && width != shape->hidden ? fail(key, model_other_cause(MODEL_NARROW), why, size) : 0;
}

static int read_key(const struct key *key, const json_t *value, struct train_shape *shape, unsigned *given, char *why,
		    size_t size)
{
	int64_t *width = (int64_t *)(void *)((char *)shape + key->thing);

	switch (key->kind) {
	case PARAMS:
		return read_params(key->name, value, &shape->params, why, size);
	case WIDTH:
		return read_width(key->name, value, width, why, size);
	case SPARE:
		return *width > 0 ? 0 : read_width(key->name, value, width, why, size);
	case FLAG:
	case MATRICES:
		return read_flag(key, value, shape, given, why, size);
	case SAYS:
		return json_is_boolean(value) ? 0 : fail(key->name, "needs true or false", why, size);
	case EXPERTS:
		return read_experts(key->name, value, why, size);
	case TWO_STACKS:
		return read_stacks(key->name, value, shape, why, size);
	case OTHER:
		return read_other(key, value, why, size);
	case NARROW:
		return read_narrow(key->name, value, shape, why, size);
	case FAMILY:
		return 0;
	case TEXT:
		break;
	}
	return json_is_string(value) ? 0 : fail(key->name, "needs a text", why, size);
}

const char *model_heads_fault(const struct train_shape *shape, const char **key)
{
	*key = "head_dim";
	if (shape->head_dim > 0 && shape->heads == 0)
		return "needs heads too";
	*key = "kv_heads";
	if (shape->kv_heads > 0 && shape->heads == 0)
		return "needs heads too";
	if (shape->kv_heads > 0 && shape->heads % shape->kv_heads != 0)
		return "must divide heads";
	*key = "heads";
	if (shape->hidden == 0 || shape->heads == 0)
		return NULL;
	if (shape->heads > shape->hidden)
		return "more than the hidden width";
	return shape->head_dim == 0 && shape->hidden % shape->heads != 0
		       ? "must divide the hidden width where no head_dim is given"
		       : NULL;
}

int model_keys_read(const json_t *object, struct train_shape *shape, unsigned *given, char *why, size_t size)
{
	const char *key, *fault = model_family_fault(object, &key);

	*given = 0;
	if (fault)
		return fail(key, fault, why, size);
	for (size_t k = 0; k < KEYS; k++) {
		const json_t *value = json_object_get(object, keys[k].name);

		if (value && !json_is_null(value) && read_key(&keys[k], value, shape, given, why, size))
			return -1;
	}
	fault = model_family_kv_heads(object, shape, &key);
	fault = fault ? fault : model_heads_fault(shape, &key);
	if (fault)
		return fail(key, fault, why, size);
	model_family_fill(object, shape, given);
	if (train_shape_params(shape) > most_params)
		return fail("layers", "with these widths over 2^53 parameters", why, size);
	return 0;
}
