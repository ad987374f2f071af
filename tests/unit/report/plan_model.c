/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of models: our own keys and those of public config files, what is assumed and noted, and what is refused with file and key.
 */
#include "report/plan/model_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void parse(const char *text, struct model_file *model)
{
	char error[300] = "";

	if (model_file_parse("dir/some.json", text, strlen(text), model, error, sizeof error))
		fail_msg("%s: %s", text, error);
}

static void assert_refused(const char *text, const char *says)
{
	struct model_file model = { 0 };
	char error[300] = "";

	assert_int_equal(model_file_parse("dir/some.json", text, strlen(text), &model, error, sizeof error), -1);
	if (strncmp(error, "dir/some.json: ", 15) != 0 || !strstr(error, says))
		fail_msg("%s: '%s' lacks '%s'", text, error, says);
	assert_null(model.name);
}

static void assert_shape(const struct train_shape *got, const struct train_shape *want)
{
	assert_int_equal(got->layers, want->layers);
	assert_int_equal(got->hidden, want->hidden);
	assert_int_equal(got->ffn, want->ffn);
	assert_int_equal(got->vocab, want->vocab);
	assert_int_equal(got->heads, want->heads);
	assert_int_equal(got->kv_heads, want->kv_heads);
	assert_int_equal(got->gated, want->gated);
	assert_int_equal(got->tied, want->tied);
	assert_true(fabs(got->params - want->params) <= 0.01 * want->params);
}

static void own_words(void **state)
{
	static const char text[] = "{\"name\": \"x/y\\n\", \"params\": \"8.03B\", \"layers\": 32, \"hidden\": 4096, \"ffn\": "
				   "14336, \"vocab\": \"128256\","
				   "\"heads\": 32, \"kv_heads\": 8, \"gated\": true, \"tied\": false}";
	struct model_file model;

	(void)state;
	parse(text, &model);
	assert_shape(&model.shape, train_shape_find("llama3-8b"));
	assert_true(model.shape.params == 8.03e9);
	assert_string_equal(model.shape.name, "x/y\n");
	assert_string_equal(model.shape.source, "dir/some.json");
	assert_string_equal(model.note, "");
	model_file_clear(&model);
}

static void public_config_files(void **state)
{
	static const char llama[] =
		"{\"architectures\": [\"LlamaForCausalLM\"], \"bos_token_id\": 1, \"hidden_act\": \"silu\", \"hidden_size\": "
		"8192,"
		"\"intermediate_size\": 28672, \"num_attention_heads\": 64, \"num_hidden_layers\": 80, \"num_key_value_heads\": "
		"8,"
		"\"rope_scaling\": null, \"tie_word_embeddings\": false, \"torch_dtype\": \"float16\", \"vocab_size\": 32000}";
	static const char gpt[] = "{\"activation_function\": \"gelu_new\", \"n_ctx\": 1024, \"n_embd\": 1600, \"n_head\": 25,"
				  "\"n_layer\": 48, \"n_inner\": null, \"vocab_size\": 50257}";
	static const char bert[] = "{\"hidden_act\": \"gelu\", \"hidden_size\": 1024, \"intermediate_size\": 4096,"
				   "\"num_attention_heads\": 16, \"num_hidden_layers\": 24, \"vocab_size\": 30522}";
	struct model_file model;

	(void)state;
	parse(llama, &model);
	assert_shape(&model.shape, train_shape_find("llama2-70b"));
	assert_true(model.shape.params == 68976648192);
	assert_string_equal(model.name, "some");
	assert_non_null(strstr(model.note, "ignored: bos_token_id, rope_scaling, torch_dtype; assumed: three matrices"));
	model_file_clear(&model);
	parse(gpt, &model);
	assert_shape(&model.shape, train_shape_find("gpt2-xl"));
	assert_string_equal(model.note,
			    "ignored: n_ctx; assumed: two matrices a feed-forward part, one embedding for input and output, "
			    "a feed-forward part four times as wide");
	model_file_clear(&model);
	parse(bert, &model);
	assert_shape(&model.shape, train_shape_find("bert-large"));
	model_file_clear(&model);
}

/* Where nothing says otherwise a file means what the same options mean. */
static void matrices_of_the_feed_forward_part(void **state)
{
	static const struct {
		const char *more;
		bool gated, tied;
	} cases[] = {
		{ "", true, false },
		{ ", \"ffn_matrices\": 2", false, true },
		{ ", \"ffn-matrices\": \"3\", \"hidden_act\": \"gelu\"", true, false },
		{ ", \"ffn_matrices\": 2, \"gated\": false, \"tied\": false", false, false },
		{ ", \"hidden_act\": \"gelu\"", false, true },
		{ ", \"architectures\": [\"LlamaForCausalLM\"]", true, false },
		{ ", \"architectures\": [], \"model_type\": \"qwen2\", \"hidden_act\": \"gelu\"", true, false },
		{ ", \"model_type\": \"gemma\", \"hidden_act\": \"gelu_pytorch_tanh\"", true, true },
		{ ", \"model_type\": \"bert\", \"hidden_act\": \"gelu\"", false, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct model_file model;
		char text[300];

		snprintf(text, sizeof text, "{\"layers\": 32, \"hidden\": 4096, \"ffn\": 11008, \"vocab\": 32000%s}",
			 cases[i].more);
		parse(text, &model);
		if (model.shape.gated != cases[i].gated || model.shape.tied != cases[i].tied)
			fail_msg("%s: gated %d, tied %d", text, model.shape.gated, model.shape.tied);
		if (i == 0)
			assert_true(model.shape.params == 6738415616);
		model_file_clear(&model);
	}
}

static void names_of_options_and_a_mark_of_bytes(void **state)
{
	struct model_file model;

	(void)state;
	parse("\xef\xbb\xbf{\"params\": 7e9, \"heads\": 32, \"kv-heads\": 8, \"source\": \"a paper\"}", &model);
	assert_int_equal(model.shape.kv_heads, 8);
	assert_string_equal(model.note, "");
	model_file_clear(&model);
	/* Words for none; embeddings as wide as the layers; a width of heads that hidden is no multiple of. */
	parse("{\"params\": 7e9, \"q_lora_rank\": null, \"kv_lora_rank\": 0, \"qk_rope_head_dim\": 0, \"embedding_size\": 1000, "
	      "\"hidden\": 1000, \"heads\": 12, \"head_dim\": 64}",
	      &model);
	assert_string_equal(model.note, "assumed: two matrices a feed-forward part, one embedding for input and output, "
					"a feed-forward part four times as wide");
	model_file_clear(&model);
	/* What is given at the top holds, whatever parts there are. */
	parse("{\"params\": 7e9, \"text_config\": {\"hidden_size\": 64}}", &model);
	assert_string_equal(model.note, "ignored: text_config");
	model_file_clear(&model);
	/* A stack of decoder layers alone is one. */
	parse("{\"params\": 7e9, \"is_encoder_decoder\": false, \"num_decoder_layers\": 12}", &model);
	model_file_clear(&model);
}

static void a_number_of_parameters_will_do(void **state)
{
	struct model_file model;

	(void)state;
	parse("{\"params\": 7e9}", &model);
	assert_true(model.shape.params == 7e9 && model.shape.hidden == 0 && model.shape.layers == 0);
	assert_string_equal(model.note, "");
	model_file_clear(&model);
}

static void a_note_names_what_disagrees(void **state)
{
	struct model_file model;

	(void)state;
	parse("{\"params\": 2e6, \"layers\": 2, \"hidden\": 64, \"ffn\": 256, \"vocab\": 1000, \"gated\": false, \"tied\": true}",
	      &model);
	assert_non_null(strstr(model.note, "the widths make 1.641e+05 parameters, the file says 2e+06"));
	assert_true(model.shape.params == 2e6);
	model_file_clear(&model);
	/* Ten that are ignored; the fifth would steer a terminal. */
	parse("{\"params\": 1, \"a\": 1, \"b\": 1, \"c\": 1, \"d\": 1, \"\\u001b[2J\": 1, \"f\": 1, \"g\": 1, \"h\": 1, \"i\": "
	      "1, \"j\": 1}",
	      &model);
	assert_non_null(strstr(model.note, " and 2 more"));
	assert_null(strchr(model.note, '\x1b'));
	model_file_clear(&model);
}

static void what_is_wrong_is_refused_with_its_key(void **state)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
		{ "", "line 1" },
		{ "[1]", "no JSON object" },
		{ "{\"params\": 7e9,}", "line 1" },
		{ "{\"params\": 1, \"params\": 2}", "duplicate" },
		{ "{}", "params" },
		{ "{\"layers\": 12, \"hidden\": 768}", "vocab" },
		{ "{\"params\": -7e9}", "params: " },
		{ "{\"params\": 0}", "params: " },
		{ "{\"params\": \"7X\"}", "params: " },
		{ "{\"params\": true}", "params: " },
		{ "{\"params\": 1e300}", "params: " },
		{ "{\"params\": [7e9]}", "params: " },
		{ "{\"params\": 7e9, \"layers\": 1.5}", "layers: " },
		{ "{\"params\": 7e9, \"layers\": \"-2\"}", "layers: " },
		{ "{\"params\": 7e9, \"hidden_size\": 1e10}", "hidden_size: " },
		{ "{\"params\": 7e9, \"hidden_size\": {}}", "hidden_size: " },
		{ "{\"params\": 7e9, \"n_inner\": 0}", "n_inner: " },
		{ "{\"params\": 7e9, \"hidden\": 64, \"hidden_size\": 65}", "hidden_size: another" },
		{ "{\"params\": 7e9, \"parameters\": 8e9}", "parameters: another" },
		{ "{\"params\": 7e9, \"gated\": 1}", "gated: " },
		{ "{\"params\": 7e9, \"tied\": true, \"tie_word_embeddings\": false}", "tie_word_embeddings: another" },
		{ "{\"params\": 7e9, \"hidden_act\": 5}", "hidden_act: " },
		{ "{\"params\": 7e9, \"ffn_matrices\": 4}", "ffn_matrices: needs 2 or 3" },
		{ "{\"params\": 7e9, \"ffn-matrices\": true}", "ffn-matrices: needs 2 or 3" },
		{ "{\"params\": 7e9, \"gated\": true, \"ffn_matrices\": 2}", "ffn_matrices: another" },
		{ "{\"params\": 7e9, \"kv_heads\": 4, \"heads\": 8, \"kv-heads\": 2}", "kv-heads: another" },
		{ "{\"params\": 2e8, \"is_encoder_decoder\": true}", "is_encoder_decoder: a model of encoder and decoder" },
		{ "{\"params\": 2e8, \"num_layers\": 12, \"num_decoder_layers\": 12}", "num_decoder_layers: a model of encoder" },
		{ "{\"params\": 7e9, \"name\": 5}", "name: " },
		{ "{\"params\": 7e9, \"heads\": 32, \"kv_heads\": 5}", "kv_heads: must divide" },
		{ "{\"params\": 7e9, \"kv_heads\": 5}", "kv_heads: needs heads" },
		{ "{\"params\": 7e9, \"head_dim\": 128}", "head_dim: needs heads" },
		{ "{\"params\": 7e9, \"multi_query\": true}", "multi_query: needs heads" },
		{ "{\"params\": 7e9, \"multi_query\": 1}", "multi_query: needs true or false" },
		{ "{\"params\": 7e9, \"multi_query\": true, \"heads\": 8, \"kv_heads\": 2}", "multi_query: another" },
		{ "{\"params\": 7e9, \"ffn\": 8, \"ffn_hidden_size\": 9}", "ffn_hidden_size: another" },
		{ "{\"params\": 7e9, \"kv_channels\": 0}", "kv_channels: needs a whole number" },
		{ "{\"params\": 7e9, \"hidden\": 8, \"heads\": 16}", "heads: " },
		{ "{\"params\": 47e9, \"num_local_experts\": 8}", "num_local_experts: a model with experts" },
		{ "{\"params\": 47e9, \"n_routed_experts\": []}", "n_routed_experts: " },
		{ "{\"params\": 4e9, \"q_lora_rank\": null, \"kv_lora_rank\": 256}",
		  "kv_lora_rank: attention by latent vectors (MLA)" },
		{ "{\"params\": 4e9, \"q_lora_rank\": 768}", "q_lora_rank: attention by latent" },
		{ "{\"params\": 4e9, \"qk_nope_head_dim\": 64}", "qk_nope_head_dim: attention by latent" },
		{ "{\"params\": 4e9, \"qk_rope_head_dim\": \"32\"}", "qk_rope_head_dim: attention by latent" },
		{ "{\"params\": 1e8, \"state_size\": 16}", "state_size: a state-space or recurrent model" },
		{ "{\"params\": 1e8, \"ssm_state_size\": 16}", "ssm_state_size: a state-space" },
		{ "{\"params\": 1e8, \"ssm_cfg\": {}}", "ssm_cfg: a state-space" },
		{ "{\"params\": 1e8, \"mamba_d_state\": 16}", "mamba_d_state: a state-space" },
		{ "{\"params\": 1e8, \"lru_width\": 16}", "lru_width: a state-space" },
		{ "{\"params\": 1e8, \"model_type\": \"mamba2\"}", "model_type: a state-space" },
		{ "{\"params\": 1e8, \"model_type\": \"falcon_mamba\"}", "model_type: a state-space" },
		{ "{\"params\": 1e8, \"model_type\": \"recurrent_gemma\"}", "model_type: a state-space" },
		{ "{\"params\": 1e8, \"architectures\": [\"RwkvForCausalLM\"]}", "architectures: a state-space" },
		{ "{\"params\": 1e8, \"model_type\": \"dbrx\"}", "model_type: a model with experts" },
		{ "{\"params\": 1e7, \"embedding_size\": 128, \"hidden_size\": 768, \"model_type\": \"albert\"}",
		  "model_type: layers that share" },
		{ "{\"params\": 1e7, \"num_hidden_groups\": 1}", "num_hidden_groups: layers that share" },
		{ "{\"params\": 1e7, \"embedding_size\": 128, \"hidden_size\": 256}",
		  "embedding_size: embeddings of another width" },
		{ "{\"params\": 3e8, \"word_embed_proj_dim\": 512, \"hidden_size\": 1024}", "word_embed_proj_dim: embeddings" },
		{ "{\"params\": 1e7, \"embedding_size\": {}}", "embedding_size: needs a whole number" },
		{ "{\"text_config\": {\"layers\": 34, \"hidden\": 2560, \"vocab\": 262208}}",
		  "needs params, or layers, hidden and vocab; text_config has those of a part" },
		{ "{\"llm_config\": {}, \"text_config\": 3}", "; llm_config has those" },
		{ "{\"params\": 7e9, \"hidden\": 4097, \"heads\": 32}", "heads: must divide the hidden width" },
		{ "{\"layers\": 1e9, \"hidden\": 1e9, \"vocab\": 1}", "2^53" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_refused(cases[i].text, cases[i].says);
}

static void the_same_value_twice_is_no_quarrel(void **state)
{
	struct model_file model;

	(void)state;
	parse("{\"params\": 7e9, \"parameters\": \"7B\", \"n_embd\": 64, \"hidden_size\": 64, \"num_experts\": 1, \"tied\": true,"
	      "\"tie_word_embeddings\": true, \"kv_heads\": null}",
	      &model);
	assert_true(model.shape.params == 7e9 && model.shape.hidden == 64 && model.shape.tied);
	model_file_clear(&model);
}

static void counts_as_people_write_them(void **state)
{
	static const struct {
		const char *text;
		double value;
	} good[] = { { "7e9", 7e9 }, { "7B", 7e9 },   { "7b", 7e9 }, { "7G", 7e9 },       { "1.5M", 1.5e6 }, { "340m", 340e6 },
		     { "1T", 1e12 }, { "10K", 10e3 }, { "1", 1 },    { "70.6B", 70.6e9 }, { "1.3e3", 1.3e3 } };
	static const char *const bad[] = { "",   "B",    "7 B",  " 7B",  "7BB", "-7B", "+7",    "0",   "0.5",
					   "1e", "1e+M", "1e3M", "0x10", "nan", "inf", "1e999", "7Bi", "1.2.3" };
	double value;

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		assert_int_equal(model_count_parse(good[i].text, &value), 0);
		assert_true(value == good[i].value);
	}
	value = 5;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		if (model_count_parse(bad[i], &value) != -1)
			fail_msg("'%s' is %g", bad[i], value);
	}
	assert_true(value == 5);
}

static void files_are_read_to_a_size(void **state)
{
	char path[] = "/tmp/collperf-test-XXXXXX", error[300];
	struct model_file model;
	int descriptor = mkstemp(path);
	FILE *file = fdopen(descriptor, "w");

	(void)state;
	assert_non_null(file);
	fputs("{\"params\": 7e9}", file);
	fflush(file);
	assert_int_equal(model_file_read(path, &model, error, sizeof error), 0);
	assert_string_equal(model.name, strrchr(path, '/') + 1);
	model_file_clear(&model);
	/* It would still be the same model. */
	for (int i = 0; i < 1 << 20; i++)
		fputc(' ', file);
	fclose(file);
	assert_int_equal(model_file_read(path, &model, error, sizeof error), -1);
	assert_non_null(strstr(error, "1 MiB"));
	unlink(path);
	assert_int_equal(model_file_read(path, &model, error, sizeof error), -1);
	assert_non_null(strstr(error, path));
	assert_int_equal(model_file_read("/tmp", &model, error, sizeof error), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_words),
		cmocka_unit_test(public_config_files),
		cmocka_unit_test(matrices_of_the_feed_forward_part),
		cmocka_unit_test(names_of_options_and_a_mark_of_bytes),
		cmocka_unit_test(a_number_of_parameters_will_do),
		cmocka_unit_test(a_note_names_what_disagrees),
		cmocka_unit_test(what_is_wrong_is_refused_with_its_key),
		cmocka_unit_test(the_same_value_twice_is_no_quarrel),
		cmocka_unit_test(counts_as_people_write_them),
		cmocka_unit_test(files_are_read_to_a_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
