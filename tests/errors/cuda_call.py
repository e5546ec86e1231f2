# message: RuntimeError: No CUDA GPUs are available
# cpu build: AssertionError: Torch not compiled with CUDA enabled
# rules: PF401
# devices: 0
import torch
from torch import nn

model = nn.Linear(4, 2)
model.cuda()
