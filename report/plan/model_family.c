/* SPDX-License-Identifier: Apache-2.0
 *
 * Families by the beginning of model_type or of the first of architectures.
 */
#include "model_family.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static bool says(const json_t *object, const char *key)
{
	return json_is_true(json_object_get(object, key));
}

/* The key by which it calls itself one of a family of models; NULL: it does not. */
static const char *family_key(const json_t *object, const char *family)
{
	const char *const keys[] = { "model_type", "architectures" };
	const char *const names[] = { text_of(object, keys[0]),
				      json_string_value(json_array_get(json_object_get(object, keys[1]), 0)) };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (names[i] && strncasecmp(names[i], family, strlen(family)) == 0)
			return keys[i];
	}
	return NULL;
}

static bool is_family(const json_t *object, const char *family)
{
	return family_key(object, family) != NULL;
}

static bool is_one_of(const json_t *object, const char *const *families, size_t count)
{
	size_t i = 0;

	while (i < count && !is_family(object, families[i]))
		i++;
	return i < count;
}

const char *model_other_cause(enum model_other other)
{
	static const char *const causes[] = {
		[MODEL_EXPERTS] = "a model with experts; the formulas are for dense ones",
		[MODEL_TWO_STACKS] = "a model of encoder and decoder; the formulas are for one stack of layers",
		[MODEL_LATENT] = "attention by latent vectors (MLA); the formulas are for whole keys and values",
		[MODEL_STATES] = "a state-space or recurrent model; the formulas are for attention in every layer",
		[MODEL_SHARED] = "layers that share their weights; the formulas are for layers with their own",
		[MODEL_NARROW] = "embeddings of another width than the layers; the formulas are for the same",
	};

	return causes[other];
}

const char *model_family_fault(const json_t *object, const char **key)
{
	static const struct {
		const char *family;
		enum model_other other;
	} others[] = {
		{ "albert", MODEL_SHARED },          { "dbrx", MODEL_EXPERTS },          { "mamba", MODEL_STATES },
		{ "falcon_mamba", MODEL_STATES },    { "FalconMamba", MODEL_STATES },    { "rwkv", MODEL_STATES },
		{ "recurrent_gemma", MODEL_STATES }, { "RecurrentGemma", MODEL_STATES },
	};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		*key = family_key(object, others[i].family);
		if (*key)
			return model_other_cause(others[i].other);
	}
	return NULL;
}

const char *model_family_kv_heads(const json_t *object, struct train_shape *shape, const char **key)
{
	*key = "multi_query";
	if (json_is_false(json_object_get(object, "multi_query_attention")) && json_object_get(object, "multi_query_group_num"))
		shape->kv_heads = 0;
	if (!says(object, "multi_query") || says(object, "new_decoder_architecture"))
		return NULL;
	if (shape->heads == 0)
		return "needs heads too";
	/* Falcon's files then still have num_kv_heads, which is the number of heads. */
	if (shape->kv_heads > 1 && shape->kv_heads != shape->heads)
		return "another key of this file says another number of kv heads";
	shape->kv_heads = 1;
	return NULL;
}

static bool names_gate(const json_t *object, const char *key)
{
	static const char *const words[] = { "silu", "swish", "swiglu", "geglu", "reglu" };
	const char *text = text_of(object, key);

	for (size_t i = 0; text && i < sizeof words / sizeof *words; i++) {
		if (strcasecmp(text, words[i]) == 0)
			return true;
	}
	return false;
}

/* By its family, whatever its activation is called, else by its activation, else as options have it; a width of four times the hidden one goes with two. */
static bool is_gated(const json_t *object, bool gives_ffn)
{
	static const char *const gated[] = { "llama", "mistral", "qwen", "gemma", "phi3", "chatglm" };
	static const char *const plain[] = { "falcon", "RefinedWeb", "gpt2", "gpt_bigcode", "GPTBigCode", "bloom", "opt", "mpt" };
	static const char *const activations[] = { "hidden_act", "hidden_activation", "activation_function", "activation" };
	bool told = false;

	if (is_one_of(object, gated, sizeof gated / sizeof *gated))
		return true;
	if (is_one_of(object, plain, sizeof plain / sizeof *plain))
		return false;
	for (size_t i = 0; i < sizeof activations / sizeof *activations; i++) {
		if (names_gate(object, activations[i]))
			return true;
		told |= text_of(object, activations[i]) != NULL;
	}
	return gives_ffn && !told;
}

/* 0: none that can be. */
static int64_t rows_of(const json_t *object, const char *key)
{
	const json_int_t rows = json_integer_value(json_object_get(object, key));

	return rows > 0 && rows <= 1000000000 ? rows : 0;
}

/* Others rotate or slope them, whatever the longest sequence is. */
static int64_t learned_positions(const json_t *object)
{
	static const char *const families[] = { "gpt2",       "gpt_bigcode", "GPTBigCode", "gpt_neo", "GPTNeo",
						"openai-gpt", "OpenAIGPT",   "bert",       "roberta", "xlm-roberta",
						"camembert",  "electra",     "distilbert", "opt" };
	const int64_t rows = rows_of(object, "n_positions");

	/* NeoX, which begins like Neo, rotates them. */
	if (!is_one_of(object, families, sizeof families / sizeof *families) || is_family(object, "gpt_neox") ||
	    is_family(object, "GPTNeoX"))
		return 0;
	return (rows > 0 ? rows : rows_of(object, "max_position_embeddings")) + rows_of(object, "type_vocab_size");
}

/* Qwen's first files give the width of two matrices together. */
static void halve_ffn(const json_t *object, struct train_shape *shape)
{
	const char *type = text_of(object, "model_type");

	if (type && strcmp(type, "qwen") == 0 && shape->ffn % 2 == 0)
		shape->ffn /= 2;
}

void model_family_fill(const json_t *object, struct train_shape *shape, unsigned *given)
{
	if (shape->ffn > 0)
		*given |= MODEL_GIVES_FFN;
	else
		shape->ffn = 4 * shape->hidden;
	if (*given & MODEL_GIVES_FFN)
		halve_ffn(object, shape);
	if (!(*given & MODEL_GIVES_GATED))
		shape->gated = is_gated(object, *given & MODEL_GIVES_FFN);
	if (!(*given & MODEL_GIVES_TIED))
		shape->tied = !shape->gated || is_family(object, "gemma") || is_family(object, "cohere");
	if (shape->kv_heads == 0)
		shape->kv_heads = shape->heads;
	if (shape->positions == 0)
		shape->positions = learned_positions(object);
	shape->embedding_norm = is_family(object, "bloom");
}
