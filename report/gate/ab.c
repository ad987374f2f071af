/* SPDX-License-Identifier: Apache-2.0
 *
 * The verdict of `collperf ab`.
 */
#include "request.h"

int compare_pairs(int argc, char **argv, const char *const *dirs, const char *const *names)
{
	enum gate_exit code;
	struct gate_options *options = gate_options_read(argc, argv, &code);
	struct gate_request request;

	if (!options || !dirs) {
		gate_options_free(options);
		return (int)code;
	}
	request = *gate_options_request(options);
	for (int side = GATE_BASE; side < GATE_SIDES; side++) {
		request.inputs[side] = &dirs[side];
		request.ninputs[side] = 1;
		request.names[side] = names[side];
	}
	request.paired = true;
	request.command = "ab";
	request.calls[GATE_BASE] = "A";
	request.calls[GATE_NEW] = "B";
	code = gate_compare(&request);
	gate_options_free(options);
	return (int)code;
}
