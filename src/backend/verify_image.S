/* SPDX-License-Identifier: Apache-2.0
 *
 * The compiled kernels of verify.cu as bytes between nccl_verify_image and nccl_verify_image_end; none where nvcc was not there.
 */
	.section .rodata
	.balign 64
	.globl nccl_verify_image
	.globl nccl_verify_image_end
nccl_verify_image:
#ifdef IMAGE
	.incbin IMAGE
#endif
nccl_verify_image_end:
	.byte 0
	.section .note.GNU-stack,"",@progbits
