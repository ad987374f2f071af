/* SPDX-License-Identifier: Apache-2.0
 *
 * Public models. Their parameters are the sum of their tensors with all embeddings, without heads of tasks: what was published, or within 1 % of it. BERT's
 * norm of the embeddings stands for the last one, which it has not.
 */
#include "training.h"

#include <math.h>
#include <string.h>
#include <strings.h>

const struct train_shape train_shapes[] = {
	{ "gpt2", 124439808, 12, 768, 3072, 50257, 12, 12, 0, 1024, false, true, false,
	  "Radford et al.: Language Models are Unsupervised Multitask Learners, 2019; openai-community/gpt2" },
	{ "bert-large", 334092288, 24, 1024, 4096, 30522, 16, 16, 0, 514, false, true, false,
	  "Devlin et al.: BERT, 2019; google-bert/bert-large-uncased without pooler and heads" },
	{ "gpt2-xl", 1557611200, 48, 1600, 6400, 50257, 25, 25, 0, 1024, false, true, false,
	  "Radford et al.: Language Models are Unsupervised Multitask Learners, 2019; openai/gpt-2, model 1558M" },
	{ "llama2-7b", 6738415616, 32, 4096, 11008, 32000, 32, 32, 0, 0, true, false, false,
	  "Touvron et al.: Llama 2, 2023; meta-llama/Llama-2-7b-hf" },
	{ "mistral-7b", 7241732096, 32, 4096, 14336, 32000, 32, 8, 0, 0, true, false, false,
	  "Jiang et al.: Mistral 7B, 2023; mistralai/Mistral-7B-v0.1" },
	{ "llama3-8b", 8030261248, 32, 4096, 14336, 128256, 32, 8, 0, 0, true, false, false,
	  "Grattafiori et al.: The Llama 3 Herd of Models, 2024; meta-llama/Meta-Llama-3-8B" },
	{ "llama2-70b", 68976648192, 80, 8192, 28672, 32000, 64, 8, 0, 0, true, false, false,
	  "Touvron et al.: Llama 2, 2023; meta-llama/Llama-2-70b-hf" },
	{ "llama3-70b", 70553706496, 80, 8192, 28672, 128256, 64, 8, 0, 0, true, false, false,
	  "Grattafiori et al.: The Llama 3 Herd of Models, 2024; meta-llama/Meta-Llama-3-70B" },
	{ "gpt3-175b", 174604259328, 96, 12288, 49152, 50257, 96, 96, 0, 2048, false, true, false,
	  "Brown et al.: Language Models are Few-Shot Learners, 2020, table 2.1" },
	{ "bloom-176b", 176247271424, 70, 14336, 57344, 250880, 112, 112, 0, 0, false, true, true,
	  "BigScience Workshop: BLOOM: A 176B-Parameter Open-Access Multilingual Language Model, 2022; bigscience/bloom" },
	{ "llama3-405b", 405853388800, 126, 16384, 53248, 128256, 128, 8, 0, 0, true, false, false,
	  "Grattafiori et al.: The Llama 3 Herd of Models, 2024, table 3" },
	{ 0 },
};

const struct train_shape *train_shape_find(const char *name)
{
	for (const struct train_shape *shape = train_shapes; shape->name; shape++) {
		if (strcasecmp(shape->name, name) == 0)
			return shape;
	}
	return NULL;
}

int64_t train_shape_query_width(const struct train_shape *shape)
{
	return shape->heads > 0 && shape->head_dim > 0 ? shape->heads * shape->head_dim : shape->hidden;
}

int64_t train_shape_key_width(const struct train_shape *shape)
{
	const int64_t queries = train_shape_query_width(shape);

	if (shape->kv_heads < 1 || shape->kv_heads >= shape->heads)
		return queries;
	return llround((double)queries * (double)shape->kv_heads / (double)shape->heads);
}

double train_shape_params(const struct train_shape *shape)
{
	const double h = (double)shape->hidden, ffn = (double)shape->ffn, layers = (double)shape->layers;
	const double queries = (double)train_shape_query_width(shape), keys = (double)train_shape_key_width(shape);
	const double rows = (shape->tied ? 1 : 2) * (double)shape->vocab + (double)shape->positions;
	double norm = h, layer = 2 * h * queries + 2 * h * keys + (shape->gated ? 3 : 2) * h * ffn;

	if (!(layers > 0 && h > 0 && ffn > 0 && shape->vocab > 0))
		return 0;
	if (!shape->gated) {
		layer += queries + h + 2 * keys + ffn + h;
		norm += h;
	}
	return layers * (layer + 2 * norm) + (shape->embedding_norm ? 2 : 1) * norm + rows * h;
}
