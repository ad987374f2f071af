/* SPDX-License-Identifier: Apache-2.0
 *
 * The verdicts of a fit in words.
 */
#include "fit.h"

const char *fit_word(enum fit_verdict verdict)
{
	static const char *const words[] = { "good", "poor", "no bandwidth", "no alpha", "too few", "neither" };

	return words[verdict];
}

const char *fit_sentence(enum fit_verdict verdict)
{
	static const char *const sentences[] = {
		"one line describes the times",
		"poor fit: residual over 10 %, as one alpha and one B do not describe this link at every size",
		"B is not identifiable: even the largest message is mostly alpha; sweep to larger sizes",
		"alpha is not identifiable: even the smallest message is mostly transfer; sweep from smaller sizes",
		"not identifiable: fewer than 4 different sizes",
		"neither alpha nor B is identifiable: sweep from smaller sizes to larger ones",
	};

	return sentences[verdict];
}
