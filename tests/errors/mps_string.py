# message: RuntimeError: PyTorch is not linked with support for mps devices
# rules: PF402
# devices: 0
import torch
from torch import nn

device = torch.device("mps")
model = nn.Linear(4, 2).to(device)
