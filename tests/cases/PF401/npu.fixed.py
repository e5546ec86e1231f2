# machines: 0
# run: print(input_size(3))
import torch
import torch_npu
from torch import nn

device = torch.device("npu" if torch.npu.is_available() else "cpu")


def input_size(size):
    model = nn.Linear(size, 1).to(device)  # want: PF401
    return model(torch.ones(1, size, device=device)).shape, torch_npu.__version__
