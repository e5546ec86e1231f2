# message: RuntimeError: No CUDA GPUs are available
# cpu build: AssertionError: Torch not compiled with CUDA enabled
# rules: PF402
# devices: 0
import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 2).to(device)
