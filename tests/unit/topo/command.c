/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of collperf topo.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "topo/show.h"

static int parse(struct topo_command *command, const char *words)
{
	static const size_t most = 16;
	char copy[200], *argv[16] = { (char *)"topo" };
	int argc = 1;

	snprintf(copy, sizeof copy, "%s", words);
	for (char *word = strtok(copy, " "); word && (size_t)argc < most - 1; word = strtok(NULL, " "))
		argv[argc++] = word;
	argv[argc] = NULL;
	return topo_command_parse(argc, argv, true, command);
}

static void options_are_checked_whole(void **state)
{
	static const char *const wrong[] = { "x",        "--nccl",           "--nccl= ",       "--what",
					     "--json=1", "--smi - --nccl -", "--json --svg -", "--dot - --svg -",
					     "-x",       "--hwloc f g" };
	struct topo_command command;

	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		if (parse(&command, wrong[i]) != -1)
			fail_msg("'%s' is taken", wrong[i]);
	assert_int_equal(parse(&command, "--nccl a --smi - --hwloc b --nccl c --json --svg d --alone"), 0);
	assert_int_equal(command.ninputs, 4);
	assert_int_equal(command.inputs[0].source, TOPO_FROM_NCCL);
	assert_int_equal(command.inputs[1].source, TOPO_FROM_SMI);
	assert_int_equal(command.inputs[2].source, TOPO_FROM_HWLOC);
	assert_int_equal(command.inputs[3].source, TOPO_FROM_NCCL);
	assert_true(command.json && command.alone && command.svg && !command.dot && !command.help);
	topo_command_clear(&command);
	assert_int_equal(parse(&command, "-h"), 0);
	assert_true(command.help);
	topo_command_clear(&command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_are_checked_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
