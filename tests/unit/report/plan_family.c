/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of public families have the parameters that were published, whatever words they say their widths in.
 */
#include "report/plan/model_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

static void parse(const char *text, struct model_file *model)
{
	char error[300] = "";

	if (model_file_parse("dir/some.json", text, strlen(text), model, error, sizeof error))
		fail_msg("%s: %s", text, error);
}

static const struct {
	const char *text;
	double params;
	int64_t kv_heads;
} public_files[] = {
	/* Falcon 7B, its first file, its second, which gives as many kv heads as heads, and one without a word of activation; 40B likewise. */
	{ "{\"architectures\": [\"FalconForCausalLM\"], \"bias\": false, \"hidden_size\": 4544, \"model_type\": \"falcon\", "
	  "\"multi_query\": true, \"new_decoder_architecture\": false, \"num_attention_heads\": 71, \"num_hidden_layers\": 32, "
	  "\"parallel_attn\": true, \"vocab_size\": 65024}",
	  6921720704, 1 },
	{ "{\"activation\": \"gelu\", \"ffn_hidden_size\": 18176, \"hidden_size\": 4544, \"max_position_embeddings\": 2048, "
	  "\"model_type\": \"falcon\", \"multi_query\": true, \"new_decoder_architecture\": false, \"num_attention_heads\": 71, "
	  "\"num_hidden_layers\": 32, \"num_kv_heads\": 71, \"vocab_size\": 65024}",
	  6921720704, 1 },
	{ "{\"ffn_hidden_size\": 18176, \"hidden_size\": 4544, \"model_type\": \"falcon\", \"multi_query\": true, "
	  "\"num_attention_heads\": 71, \"num_hidden_layers\": 32, \"vocab_size\": 65024}",
	  6921720704, 1 },
	{ "{\"hidden_size\": 8192, \"model_type\": \"falcon\", \"multi_query\": true, \"new_decoder_architecture\": true, "
	  "\"num_attention_heads\": 128, \"num_hidden_layers\": 60, \"num_kv_heads\": 8, \"vocab_size\": 65024}",
	  41303293952, 8 },
	{ "{\"hidden_size\": 8192, \"model_type\": \"RefinedWeb\", \"n_head\": 128, \"n_head_kv\": 8, \"n_layer\": 60, "
	  "\"vocab_size\": 65024}",
	  41303293952, 8 },
	/* StarCoder */
	{ "{\"activation_function\": \"gelu_pytorch_tanh\", \"model_type\": \"gpt_bigcode\", \"multi_query\": true, \"n_embd\": "
	  "6144, "
	  "\"n_head\": 48, \"n_inner\": 24576, \"n_layer\": 40, \"n_positions\": 8192, \"vocab_size\": 49152}",
	  15517456384, 1 },
	/* Gemma 7B, Qwen3 0.6B, Mistral NeMo: heads that are not hidden / heads wide. */
	{ "{\"architectures\": [\"GemmaForCausalLM\"], \"head_dim\": 256, \"hidden_act\": \"gelu\", \"hidden_size\": 3072, "
	  "\"intermediate_size\": 24576, \"max_position_embeddings\": 8192, \"model_type\": \"gemma\", \"num_attention_heads\": "
	  "16, "
	  "\"num_hidden_layers\": 28, \"num_key_value_heads\": 16, \"vocab_size\": 256000}",
	  8537680896, 16 },
	{ "{\"head_dim\": 128, \"hidden_act\": \"silu\", \"hidden_size\": 1024, \"intermediate_size\": 3072, \"model_type\": "
	  "\"qwen3\", "
	  "\"num_attention_heads\": 16, \"num_hidden_layers\": 28, \"num_key_value_heads\": 8, \"tie_word_embeddings\": true, "
	  "\"vocab_size\": 151936}",
	  596049920, 8 },
	{ "{\"dim\": 5120, \"n_layers\": 40, \"head_dim\": 128, \"hidden_dim\": 14336, \"n_heads\": 32, \"n_kv_heads\": 8, "
	  "\"vocab_size\": 131072}",
	  12247782400, 8 },
	/* ChatGLM3 6B; Qwen 7B, whose intermediate_size is that of two matrices. */
	{ "{\"architectures\": [\"ChatGLMModel\"], \"ffn_hidden_size\": 13696, \"hidden_size\": 4096, \"kv_channels\": 128, "
	  "\"multi_query_attention\": true, \"multi_query_group_num\": 2, \"num_attention_heads\": 32, \"num_layers\": 28, "
	  "\"padded_vocab_size\": 65024}",
	  6243584000, 2 },
	{ "{\"hidden_size\": 4096, \"intermediate_size\": 22016, \"kv_channels\": 128, \"model_type\": \"qwen\", "
	  "\"num_attention_heads\": 32, \"num_hidden_layers\": 32, \"tie_word_embeddings\": false, \"vocab_size\": 151936}",
	  7721324544, 32 },
	/* GPT-Neo 125M, which has no biases in its attention */
	{ "{\"activation_function\": \"gelu_new\", \"hidden_size\": 768, \"intermediate_size\": null, "
	  "\"max_position_embeddings\": 2048, "
	  "\"model_type\": \"gpt_neo\", \"num_heads\": 12, \"num_layers\": 12, \"vocab_size\": 50257}",
	  125198592, 12 },
	/* Command R, with one embedding */
	{ "{\"hidden_act\": \"silu\", \"hidden_size\": 8192, \"intermediate_size\": 22528, \"model_type\": \"cohere\", "
	  "\"num_attention_heads\": 64, \"num_hidden_layers\": 40, \"num_key_value_heads\": 64, \"vocab_size\": 256000}",
	  34980831232, 64 },
};

static void public_families_have_their_parameters(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof public_files / sizeof *public_files; i++) {
		struct model_file model;

		parse(public_files[i].text, &model);
		if (!(fabs(model.shape.params - public_files[i].params) <= 0.01 * public_files[i].params))
			fail_msg("%s: %.0f, not %.0f", public_files[i].text, model.shape.params, public_files[i].params);
		assert_int_equal(model.shape.kv_heads, public_files[i].kv_heads);
		model_file_clear(&model);
	}
}

/* With what their families learn besides, to the last one. */
static void public_families_that_are_exact(void **state)
{
	static const struct {
		const char *text;
		double params;
	} cases[] = {
		{ "{\"activation_function\": \"gelu_new\", \"model_type\": \"gpt2\", \"n_ctx\": 1024, \"n_embd\": 768, "
		  "\"n_head\": 12, "
		  "\"n_layer\": 12, \"n_positions\": 1024, \"vocab_size\": 50257}",
		  124439808 },
		{ "{\"hidden_act\": \"gelu\", \"hidden_size\": 1024, \"intermediate_size\": 4096, \"max_position_embeddings\": "
		  "512, "
		  "\"model_type\": \"bert\", \"num_attention_heads\": 16, \"num_hidden_layers\": 24, \"type_vocab_size\": 2, "
		  "\"vocab_size\": 30522}",
		  334092288 },
		{ "{\"activation\": \"gelu\", \"dim\": 768, \"hidden_dim\": 3072, \"max_position_embeddings\": 512, "
		  "\"model_type\": "
		  "\"distilbert\", \"n_heads\": 12, \"n_layers\": 6, \"vocab_size\": 30522}",
		  66362880 },
		{ "{\"model_type\": \"bloom\", \"n_embed\": 14336, \"n_layer\": 70, \"num_attention_heads\": 112, "
		  "\"vocab_size\": 250880}",
		  176247271424 },
		{ "{\"head_dim\": 256, \"hidden\": 3072, \"ffn\": 24576, \"heads\": 16, \"layers\": 28, \"vocab\": 256000, "
		  "\"tied\": true}",
		  8537680896 },
		/* What turns positions learns none, and what says how many it learns is believed. */
		{ "{\"layers\": 32, \"hidden\": 4096, \"ffn\": 11008, \"vocab\": 32000, \"max_position_embeddings\": 4096}",
		  6738415616 },
		{ "{\"layers\": 32, \"hidden\": 4096, \"ffn\": 11008, \"vocab\": 32000, \"positions\": 10}", 6738415616 + 40960 },
		/* Biases of queries, keys and values are counted, which GPT-Neo has not. */
		{ "{\"activation_function\": \"gelu_new\", \"hidden_size\": 768, \"max_position_embeddings\": 2048, "
		  "\"architectures\": "
		  "[\"GPTNeoForCausalLM\"], \"num_heads\": 12, \"num_layers\": 12, \"vocab_size\": 50257}",
		  125198592 + 12 * 3 * 768 },
		/* GPT-NeoX begins like it, and rotates its positions. */
		{ "{\"hidden_act\": \"gelu\", \"hidden_size\": 6144, \"architectures\": [\"GPTNeoXForCausalLM\"], "
		  "\"intermediate_size\": 24576, \"max_position_embeddings\": 2048, \"num_attention_heads\": 64, "
		  "\"num_hidden_layers\": 44, \"tie_word_embeddings\": false, \"vocab_size\": 50432}",
		  20554567680 },
		{ "{\"hidden_act\": \"gelu\", \"hidden_size\": 6144, \"model_type\": \"gpt_neox\", "
		  "\"intermediate_size\": 24576, \"max_position_embeddings\": 2048, \"num_attention_heads\": 64, "
		  "\"num_hidden_layers\": 44, \"tie_word_embeddings\": false, \"vocab_size\": 50432}",
		  20554567680 },
		/* Groups count where there are some. */
		{ "{\"layers\": 32, \"hidden\": 4096, \"ffn\": 11008, \"vocab\": 32000, \"heads\": 32, "
		  "\"multi_query_attention\": false, "
		  "\"multi_query_group_num\": 2}",
		  6738415616 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct model_file model;

		parse(cases[i].text, &model);
		if (model.shape.params != cases[i].params)
			fail_msg("%s: %.0f, not %.0f", cases[i].text, model.shape.params, cases[i].params);
		model_file_clear(&model);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(public_families_have_their_parameters),
		cmocka_unit_test(public_families_that_are_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
