import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n: tl.constexpr):
    tl.store(x_ptr, n)


print(torch.ones(4).cuda())  # want: PF401 report
