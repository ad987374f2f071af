/* SPDX-License-Identifier: Apache-2.0
 *
 * A model's shape from JSON: an object of name, params, layers, hidden, ffn, vocab, heads, kv_heads, head_dim, positions, ffn_matrices (or gated) and
 * tied, or of the keys that config.json files of model hubs have for them (hidden_size, intermediate_size, num_hidden_layers, n_embd, n_layer, ...).
 * Input from anybody: at most 1 MiB.
 */
#ifndef COLLPERF_MODEL_FILE_H
#define COLLPERF_MODEL_FILE_H

#include <stddef.h>

#include "../../collectives/training.h"

struct model_file {
	struct train_shape shape; /* its texts are those below; params: as given, else what the widths make, else 0 */
	char *name;   /* of the file's "name", else the file's own without folder and ".json"; may hold any characters */
	char *source; /* the path as given */
	char *note; /* one line, of safe characters: which keys were ignored, what was assumed, that params and widths disagree by over 1 %; "" */
};

/*
 * Numbers may be JSON numbers (7e9) or texts ("7B", see model_count_parse). Keys that are not known are ignored and noted; of known ones a wrong
 * type, a value below 1 or over 1e9 (params: 2^53), one that is no whole number (params: may be) or two keys for one thing with different values
 * are errors, as is a file that says neither params nor all of layers, hidden and vocab. null is as if absent.
 * Where not given: gated is true if model_type or architectures name a family that is (llama, mistral, qwen2, gemma, ...), or the activation (hidden_act,
 * ...) is one of gated models (silu, swiglu, geglu, ...), or there is neither activation nor a missing ffn, as on the command line; tied is what gated is
 * not (gemma and cohere are both), ffn is 4 * hidden, kv_heads is 1 with multi_query (unless new_decoder_architecture is true), else heads; positions are
 * learned in families that have such (gpt2, bert, opt, ...). What decided is noted where it was not the file itself.
 * Models with experts (num_local_experts, n_routed_experts, ... over 1), of encoder and decoder, with latent attention (kv_lora_rank, ...), of states
 * (mamba, ...), with shared layers (albert) or with embeddings of another width are refused: the formulas are for none of them. So is a file whose
 * numbers are those of a part (text_config, ...), in words of its own.
 * 0, or -1 with one line in `error` that names file and key; then nothing needs to be cleared.
 */
int model_file_read(const char *path, struct model_file *model, char *error, size_t size);
/* The same from memory; `path` stands for the file in messages. */
int model_file_parse(const char *path, const char *text, size_t length, struct model_file *model, char *error, size_t size);
void model_file_clear(struct model_file *model);

/* "7e9", "7B", "1.5M", "340m", "70.6b", "1T": K, M, B or G, T are powers of 1000, either case. Finite, >= 1. -1: *count is left alone. */
int model_count_parse(const char *text, double *count);

#endif
