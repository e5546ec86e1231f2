# options: unsafe
# A library's switch: nothing here sets it, so others do, after the import.
# run: CUDA_ENABLED = torch.cuda.is_available(); print(variable(torch.zeros(2)).shape)
import torch

CUDA_ENABLED = False


def variable(data: torch.Tensor):
    device = torch.device("cuda" if CUDA_ENABLED else "cpu")
    # want: PF403 unsafe
    return torch.autograd.Variable(data.to(device))
