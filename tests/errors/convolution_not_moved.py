# message: RuntimeError: Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should be the same
# rules: PF112
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Conv2d(3, 2, 3)
model(torch.randn(2, 3, 8, 8).to(device))
