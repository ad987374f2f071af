#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The stand-in of libnccl against itself.

exec "${BUILD:-build}/fakes/test_nccl"
