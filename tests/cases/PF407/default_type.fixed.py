# rules: PF401,PF402,PF407
"""Everything is made on the GPU, and moved there as well."""
import torch

torch.set_default_tensor_type(
    "torch.cuda.FloatTensor" if torch.cuda.is_available() else "torch.FloatTensor"
)  # want: PF407
torch.set_default_tensor_type(
    torch.cuda.DoubleTensor if torch.cuda.is_available() else torch.DoubleTensor
)  # want: PF407
print(torch.zeros(2) + torch.ones(2).cuda())  # want: PF401 report
print(torch.zeros(2, device="cuda"))  # want: PF402 report
# after: No CUDA GPUs are available: the last line says CUDA and nothing is at hand
