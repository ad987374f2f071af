/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of `collperf plan`.
 */
#include "options.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../command.h"
#include "../link.h"
#include "../options.h"
#include "model_file.h"

enum {
	OPTION_ALPHA = 256,
	OPTION_BANDWIDTH,
	OPTION_LINK,
	OPTION_NIC,
	OPTION_GPUS,
	OPTION_MODEL,
	OPTION_MODELS,
	OPTION_PARAMS,
	OPTION_LAYERS,
	OPTION_HIDDEN,
	OPTION_FFN,
	OPTION_MATRICES,
	OPTION_VOCAB,
	OPTION_HEADS,
	OPTION_KV_HEADS,
	OPTION_TOKENS,
	OPTION_BATCH,
	OPTION_SEQUENCE,
	OPTION_ELEMENT,
	OPTION_FLOPS,
	OPTION_PEAK,
	OPTION_MFU,
	OPTION_NP,
	OPTION_BUCKET,
	OPTION_JSON,
	OPTION_MARKDOWN
};

struct parsed {
	struct plan_options options;
	double peak, mfu, link;
};

static const struct option long_options[] = { { "alpha", required_argument, NULL, OPTION_ALPHA },
					      { "bandwidth", required_argument, NULL, OPTION_BANDWIDTH },
					      { "link", required_argument, NULL, OPTION_LINK },
					      { "nic", required_argument, NULL, OPTION_NIC },
					      { "gpus-per-node", required_argument, NULL, OPTION_GPUS },
					      { "model", required_argument, NULL, OPTION_MODEL },
					      { "models", no_argument, NULL, OPTION_MODELS },
					      { "params", required_argument, NULL, OPTION_PARAMS },
					      { "layers", required_argument, NULL, OPTION_LAYERS },
					      { "hidden", required_argument, NULL, OPTION_HIDDEN },
					      { "ffn", required_argument, NULL, OPTION_FFN },
					      { "ffn-matrices", required_argument, NULL, OPTION_MATRICES },
					      { "vocab", required_argument, NULL, OPTION_VOCAB },
					      { "heads", required_argument, NULL, OPTION_HEADS },
					      { "kv-heads", required_argument, NULL, OPTION_KV_HEADS },
					      { "tokens", required_argument, NULL, OPTION_TOKENS },
					      { "batch", required_argument, NULL, OPTION_BATCH },
					      { "sequence", required_argument, NULL, OPTION_SEQUENCE },
					      { "element-bytes", required_argument, NULL, OPTION_ELEMENT },
					      { "flops", required_argument, NULL, OPTION_FLOPS },
					      { "peak", required_argument, NULL, OPTION_PEAK },
					      { "mfu", required_argument, NULL, OPTION_MFU },
					      { "np", required_argument, NULL, OPTION_NP },
					      { "bucket", required_argument, NULL, OPTION_BUCKET },
					      { "json", required_argument, NULL, OPTION_JSON },
					      { "markdown", required_argument, NULL, OPTION_MARKDOWN },
					      { "help", no_argument, NULL, 'h' },
					      { NULL, 0, NULL, 0 } };

static int option_take(int letter, const char *value, void *into);

static const struct command command_line = { "plan", long_options, option_take };

static int usage(const char *what, const char *text, const char *why)
{
	return command_usage(&command_line, what, text, why);
}

/* What one number may be. */
struct amount {
	int letter;
	const char *before; /* of the message: "--params: '" */
	const char *after;  /* "' is ..." */
	double least, most;
	bool whole;
	bool counted; /* may end in K, M, B or G, T: powers of 1000 */
	size_t at;    /* of struct parsed, a double */
};

static const char of_shape[] = "' is not a whole number from 1 to 1e9";
static const char of_parts[] = "' is not a whole number from 1 to 1e12 (such as 16384)";

static const struct amount amounts[] = {
	{ OPTION_PARAMS, "--params: '", "' is not a number of parameters from 1 to 1e18 (such as 7e9, 7B, 340M)", 1, 1e18, false,
	  true, offsetof(struct parsed, options.params) },
	{ OPTION_LAYERS, "--layers: '", of_shape, 1, 1e9, true, false, offsetof(struct parsed, options.layers) },
	{ OPTION_HIDDEN, "--hidden: '", of_shape, 1, 1e9, true, false, offsetof(struct parsed, options.hidden) },
	{ OPTION_FFN, "--ffn: '", of_shape, 1, 1e9, true, false, offsetof(struct parsed, options.ffn) },
	{ OPTION_VOCAB, "--vocab: '", of_shape, 1, 1e9, true, false, offsetof(struct parsed, options.vocab) },
	{ OPTION_HEADS, "--heads: '", of_shape, 1, 1e9, true, false, offsetof(struct parsed, options.heads) },
	{ OPTION_KV_HEADS, "--kv-heads: '", of_shape, 1, 1e9, true, false, offsetof(struct parsed, options.kv_heads) },
	{ OPTION_TOKENS, "--tokens: '", of_parts, 1, 1e12, true, false, offsetof(struct parsed, options.tokens) },
	{ OPTION_BATCH, "--batch: '", of_parts, 1, 1e12, true, false, offsetof(struct parsed, options.batch) },
	{ OPTION_SEQUENCE, "--sequence: '", of_parts, 1, 1e12, true, false, offsetof(struct parsed, options.sequence) },
	{ OPTION_ELEMENT, "--element-bytes: '", "' is not a number of bytes from 0.5 to 16 (2: bf16 and fp16, 4: fp32)", 0.5, 16,
	  false, false, offsetof(struct parsed, options.element_bytes) },
	{ OPTION_FLOPS, "--flops: '", "' is not a number of FLOP/s from 1e6 to 1e24 (such as 4e14, 400T)", 1e6, 1e24, false, true,
	  offsetof(struct parsed, options.flops) },
	{ OPTION_PEAK, "--peak: '", "' is not a number of FLOP/s from 1e6 to 1e24 (such as 989e12, 989T)", 1e6, 1e24, false, true,
	  offsetof(struct parsed, peak) },
};

/* "16384", "1e6": the whole text, plain decimal. */
static int number_parse(const char *text, double *value)
{
	char *end;

	if (!isdigit((unsigned char)*text) || strspn(text, "0123456789.eE+-") != strlen(text))
		return -1;
	*value = strtod(text, &end);
	return *end == '\0' && isfinite(*value) ? 0 : -1;
}

static int amount_take(const struct amount *amount, const char *value, struct parsed *parsed)
{
	double number;
	const int rc = amount->counted ? model_count_parse(value, &number) : number_parse(value, &number);

	if (rc || !(number >= amount->least && number <= amount->most) || (amount->whole && number != floor(number)))
		return usage(amount->before, value, amount->after);
	memcpy((char *)parsed + amount->at, &number, sizeof number);
	return 0;
}

/* "8" up to `most`; 0 where it is none. */
static int count_of(const char *value, int most)
{
	const size_t digits = strspn(value, "0123456789");
	const int count = digits > 0 && digits < 8 && value[digits] == '\0' ? atoi(value) : 0;

	return count <= most ? count : 0;
}

/* "25M", "1.5G", "4096": powers of 1024, from one byte to 1 PiB. */
static int bucket_take(const char *value, struct plan_options *options)
{
	static const char letters[] = "KMGT";
	const size_t length = strspn(value, "0123456789.");
	const char *rest = value + length, *letter = *rest ? strchr(letters, toupper((unsigned char)*rest)) : NULL;
	double bytes = length > 0 && isdigit((unsigned char)*value) ? strtod(value, NULL) : 0;

	for (const char *step = letters; letter && step <= letter; step++)
		bytes *= 1024;
	rest += letter != NULL;
	if ((*rest && strcmp(rest, "B") != 0 && strcmp(rest, "iB") != 0) || !(bytes >= 1 && bytes <= 1125899906842624.0))
		return usage("--bucket: '", value, "' is not a size (such as 25M)");
	options->bucket = bytes;
	return 0;
}

/* "40%", "0.4". */
static int mfu_take(const char *value, struct parsed *parsed)
{
	const size_t length = strlen(value);
	char copy[32] = "";
	double part;

	if (length > 0 && length < sizeof copy)
		memcpy(copy, value, length);
	if (length > 0 && length < sizeof copy && copy[length - 1] == '%')
		copy[length - 1] = '\0';
	if (number_parse(copy, &part) || !(part > 0))
		return usage("--mfu: '", value, "' is not a part of the peak (such as 40%, 0.4)");
	part = copy[length - 1] == '\0' ? part / 100 : part;
	if (part > 1 || part < 1e-6)
		return usage("--mfu: '", value, "' is not a part of the peak, from 0.0001% to 100%");
	parsed->mfu = part;
	return 0;
}

static int rate_take(const char *what, const char *value, double *rate)
{
	if (report_bandwidth_parse(value, rate) == 0 && *rate >= 1e3)
		return 0;
	return usage(what, value, "' is not a bandwidth (such as 400G, 12.5GB/s; a unit is needed under 1e6)");
}

static int link_take(const char *value, struct parsed *parsed)
{
	struct plan_options *options = &parsed->options;
	double rate;
	int count;

	if (strcmp(value, "list") == 0) {
		options->list_links = true;
		return 0;
	}
	if (link_parse(value, &rate, &count, &options->known) || !(rate * count >= 1e3 && rate * count <= 1e18))
		return usage("--link: '", value, "' is no link of 'collperf plan --link list' and no bandwidth (such as 50G)");
	parsed->link = rate * count;
	if (count > 1)
		options->known = NULL;
	return 0;
}

static int nic_take(const char *value, struct plan_options *options)
{
	const struct link *known;

	if (link_parse(value, &options->nic, &options->nics, &known) || !(options->nic >= 1e3 && options->nic <= 1e18))
		return usage("--nic: '", value, "' is no link, or xK of them, of 'collperf plan --link list' and no bandwidth");
	return 0;
}

/* "0", "0us", "0.0". */
static bool is_no_time(const char *text)
{
	static const char *const units[] = { "", "s", "ms", "us", "ns" };
	const size_t length = strspn(text, "0.");
	size_t i = 0;

	while (i < sizeof units / sizeof *units && strcmp(text + length, units[i]) != 0)
		i++;
	return *text == '0' && i < sizeof units / sizeof *units;
}

static int file_take(const char **file, const char *what, const char *value)
{
	*file = value;
	return *value ? 0 : usage(what, "", ": an empty name is no file");
}

static int network_take(int letter, const char *value, struct plan_options *options)
{
	switch (letter) {
	case OPTION_ALPHA:
		options->alpha = 0;
		if (!is_no_time(value) && (report_duration_parse(value, &options->alpha) || options->alpha > 1e6))
			return usage("--alpha: '", value,
				     "' is not a duration (such as 5us, 1.5ms; a unit is needed from 1e-3 on)");
		return 0;
	case OPTION_BANDWIDTH:
		return rate_take("--bandwidth: '", value, &options->bandwidth);
	case OPTION_NIC:
		return nic_take(value, options);
	case OPTION_GPUS:
		options->gpus_per_node = count_of(value, PLAN_MOST_GPUS);
		return options->gpus_per_node > 0 ? 0 : usage("--gpus-per-node: '", value, "' is not a number from 1 to 1024");
	default:
		options->np = count_of(value, PLAN_MOST_RANKS);
		return options->np > 0 ? 0 : usage("--np: '", value, "' is not a number of ranks from 1 to 1048576");
	}
}

static int option_take(int letter, const char *value, void *into)
{
	struct parsed *parsed = into;
	struct plan_options *options = &parsed->options;

	for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++) {
		if (amounts[i].letter == letter)
			return amount_take(&amounts[i], value, parsed);
	}
	switch (letter) {
	case OPTION_LINK:
		return link_take(value, parsed);
	case OPTION_MATRICES:
		options->matrices = count_of(value, 3);
		return options->matrices >= 2 ? 0 : usage("--ffn-matrices: '", value, "' is not 2 or 3");
	case OPTION_MODEL:
		options->list_models = options->list_models || strcmp(value, "list") == 0;
		return file_take(&options->model, "--model", value);
	case OPTION_MODELS:
		options->list_models = true;
		return 0;
	case OPTION_MFU:
		return mfu_take(value, parsed);
	case OPTION_BUCKET:
		return bucket_take(value, options);
	case OPTION_JSON:
		return file_take(&options->json, "--json", value);
	case OPTION_MARKDOWN:
		return file_take(&options->markdown, "--markdown", value);
	case 'o':
		return usage("-o: '", value, "' has no meaning here; there are --json FILE and --markdown FILE");
	case 'h':
		options->help = true;
		return 0;
	default:
		return network_take(letter, value, options);
	}
}

static int settle_work(struct parsed *parsed)
{
	struct plan_options *options = &parsed->options;

	if (options->tokens > 0 && options->batch > 0 && options->sequence > 0 &&
	    options->tokens != options->batch * options->sequence)
		return usage("--tokens is not --batch x --sequence: give one or the other", "", "");
	if (!(options->tokens > 0) && options->batch > 0 && options->sequence > 0)
		options->tokens = options->batch * options->sequence;
	if (options->tokens > 1e12)
		return usage("--batch x --sequence are over 1e12 tokens", "", "");
	if (options->batch > 0 && !(options->sequence > 0) && !(options->tokens > 0))
		return usage("--batch needs --sequence", "", "");
	if (options->tokens > 0 && fmod(options->tokens, fmax(options->batch, options->sequence)) > 0)
		return usage(options->batch > 0 ? "--tokens is no multiple of --batch" : "--tokens is no multiple of --sequence",
			     "", "");
	if (options->batch > 0 && !(options->sequence > 0))
		options->sequence = options->tokens / options->batch;
	if (options->sequence > 0 && !(options->batch > 0))
		options->batch = options->tokens / options->sequence;
	if ((parsed->peak > 0) != (parsed->mfu > 0))
		return usage("--peak and --mfu belong together: FLOP/s of the data sheet, and the part that is reached", "", "");
	if (parsed->peak > 0 && options->flops > 0)
		return usage("--flops, or --peak and --mfu: give one or the other", "", "");
	if (parsed->peak > 0)
		options->flops = parsed->peak * parsed->mfu;
	return 0;
}

static int settle_network(struct parsed *parsed)
{
	struct plan_options *options = &parsed->options;

	if (options->bandwidth > 0 && parsed->link > 0)
		return usage("--bandwidth or --link: give one or the other", "", "");
	if (parsed->link > 0)
		options->bandwidth = parsed->link;
	options->given = options->bandwidth > 0;
	if (options->given && options->ninputs > 0)
		return usage("rows, or --bandwidth or --link: give one or the other", "", "");
	if (!options->given && options->ninputs == 0)
		return usage("name a run directory or CSV files, or give --bandwidth or --link", "", "");
	if (!options->given && (options->alpha > 0 || options->nic > 0))
		return usage(options->nic > 0 ? "--nic" : "--alpha", " needs --bandwidth or --link", "");
	if (options->nic > 0 && options->gpus_per_node == 0)
		return usage("--nic needs --gpus-per-node", "", "");
	if (options->given && options->np == 0)
		return usage("--bandwidth and --link need --np, the number of ranks", "", "");
	if (options->np > options->gpus_per_node && options->gpus_per_node > 0 && options->np % options->gpus_per_node != 0)
		return usage("--np is no multiple of --gpus-per-node", "", "");
	return 0;
}

static int options_settle(struct parsed *parsed)
{
	struct plan_options *options = &parsed->options;

	if (options->help)
		return 0;
	if (options->list_models || options->list_links)
		return options->ninputs == 0 ? 0 : usage("'", options->inputs[0], "' has no meaning beside a list");
	if (!options->model && !(options->params > 0) && !(options->hidden > 0))
		return usage("needs a model: --params, or --hidden with --layers, or --model NAME|FILE.json", "", "");
	if (options->json && options->markdown && strcmp(options->json, "-") == 0 && strcmp(options->markdown, "-") == 0)
		return usage("only one of --json and --markdown can go to stdout", "", "");
	return settle_work(parsed) || settle_network(parsed) ? -1 : 0;
}

int plan_options_parse(int argc, char **argv, struct plan_options *options)
{
	struct parsed parsed = { .options = { .element_bytes = 2, .bucket = 25.0 * 1024 * 1024 } };
	char *const *words;

	if (command_parse(&command_line, argc, argv, &parsed, &words, &parsed.options.ninputs))
		return -1;
	parsed.options.inputs = (const char *const *)words;
	if (options_settle(&parsed))
		return -1;
	*options = parsed.options;
	return 0;
}
