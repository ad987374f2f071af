/* SPDX-License-Identifier: Apache-2.0
 *
 * What is read out of --list.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "src/driver/look.h"

static void answers_are_read(void **state)
{
	static const struct {
		const char *text;
		struct look look;
	} cases[] = {
		{ "primitive: x\nbackend: nccl (NCCL)\n  NCCL headers 2, library 2; CUDA driver 13.0, runtime 13.0; GPUs: 8\n  "
		  "lacking: y\n"
		  "backend: mpi (MPI)\nbackend: sim (z)\n",
		  { .has_mpi = true, .has_nccl = true, .gpus = 8 } },
		{ "backend: nccl (NCCL)\r\n  x; GPUs: 1\r\n", { .has_nccl = true, .gpus = 1 } },
		{ "backend: nccl (NCCL)\n  x; GPUs: 1024", { .has_nccl = true, .gpus = 1024 } },
		{ "backend: nccl (NCCL)\n  x; GPUs: 1025", { .has_nccl = true, .reason = "no GPU is visible" } },
		{ "backend: nccl (NCCL)\n  x; GPUs: 0\n", { .has_nccl = true, .reason = "no GPU is visible" } },
		{ "backend: nccl (NCCL)\n  x; GPUs: -1\n", { .has_nccl = true, .reason = "no GPU is visible" } },
		{ "backend: nccl (NCCL)\n  x; GPUs: 8 or 9\n", { .has_nccl = true, .reason = "no GPU is visible" } },
		{ "backend: nccl (NCCL)\n", { .has_nccl = true, .reason = "no GPU is visible" } },
		{ "backend: nccl (NCCL)\n  v; not usable here: no driver (a; GPUs: 8)\nbackend: mpi (MPI)\n",
		  { .has_mpi = true, .has_nccl = true, .reason = "no driver (a; GPUs: 8)" } },
		{ "backend: nccl (NCCL)\n  not usable here: a\tb\xff\n", { .has_nccl = true, .reason = "a?b?" } },
		{ "backend: nccl (built without NCCL (x))\n  y; GPUs: 8\nbackend: mpi (built without MPI)\n", { 0 } },
		{ "backend: mpi (MPI)\n  x; GPUs: 8\n", { .has_mpi = true } },
		{ "  x; GPUs: 8\nbackend: sim (z)\n", { 0 } },
		{ "backend: nccl (NCCL)\nbackend: mpi (MPI)\n  x; GPUs: 8\n",
		  { .has_mpi = true, .has_nccl = true, .reason = "no GPU is visible" } },
		{ "backend: ncclx (NCCL)\n  x; GPUs: 8\n", { 0 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct look look;

		assert_int_equal(look_read(cases[i].text, &look), 0);
		assert_int_equal(look.has_mpi, cases[i].look.has_mpi);
		assert_int_equal(look.has_nccl, cases[i].look.has_nccl);
		assert_int_equal(look.gpus, cases[i].look.gpus);
		assert_string_equal(look.reason, cases[i].look.reason);
	}
}

static void others_are_refused(void **state)
{
	static const char *const texts[] = {
		"", "\n\n", "table", "  backend: nccl (x)\n", " backend: mpi", "a backend: mpi (x)"
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct look look = { .gpus = 5 };

		assert_int_equal(look_read(texts[i], &look), -1);
		assert_int_equal(look.gpus, 5);
	}
}

static void reasons_are_cut(void **state)
{
	char text[1024] = "backend: nccl (x)\n  not usable here: ";
	struct look look;

	(void)state;
	memset(text + strlen(text), 'a', 900);
	assert_int_equal(look_read(text, &look), 0);
	assert_int_equal(strlen(look.reason), LOOK_REASON - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_are_read),
		cmocka_unit_test(others_are_refused),
		cmocka_unit_test(reasons_are_cut),
	};

	return cmocka_run_group_tests_name("look", tests, NULL, NULL);
}
