/* SPDX-License-Identifier: Apache-2.0
 *
 * The compiled kernels of verify.cu as nccl_verify_image_size bytes from nccl_verify_image on; none where nvcc was not there.
 */
	.section .rodata
	.balign 64
	.globl nccl_verify_image
nccl_verify_image:
#ifdef IMAGE
	.incbin IMAGE
#endif
end:
	.byte 0
	.balign 8
	.globl nccl_verify_image_size
nccl_verify_image_size:
	.8byte end - nccl_verify_image
	.section .note.GNU-stack,"",%progbits
