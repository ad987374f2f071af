/* SPDX-License-Identifier: Apache-2.0
 *
 * What tests of warnings share: exactly these, or none.
 */
#ifndef TESTS_WARN_CHECK_H
#define TESTS_WARN_CHECK_H

#include "machines.h"

#include "topo/warn.h"

/* Exactly these, in this order; NULL ends. */
static inline void check(const struct topo *topo, const char *const *texts, enum warn_kind kind)
{
	struct warnings warnings;
	size_t count = 0;

	assert_int_equal(warn_topo(topo, &warnings), 0);
	for (; texts[count]; count++) {
		if (count >= warnings.count)
			fail_msg("no \"%s\"", texts[count]);
		assert_string_equal(warnings.items[count].text, texts[count]);
		assert_int_equal(warnings.items[count].kind, kind);
	}
	if (warnings.count > count)
		fail_msg("also \"%s\"", warnings.items[count].text);
	warn_clear(&warnings);
	assert_null(warnings.items);
}

static inline void check_one(const struct topo *topo, enum warn_kind kind, const char *text)
{
	const char *const texts[] = { text, NULL };

	check(topo, texts, kind);
}

static inline void check_none(const struct topo *topo)
{
	check_one(topo, WARN_KINDS, NULL);
}

static inline struct topo_host *h100(struct topo *topo, const char *name)
{
	return switched(topo, name, "NVIDIA H100 80GB HBM3", 32, 18, 4);
}

#endif
