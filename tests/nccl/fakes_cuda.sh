#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The stand-ins of CUDA that the other tests of this part rest on.

exec "${BUILD:-build}/fakes/test_cuda"
