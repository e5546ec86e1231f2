# options: device-name=dev
import torch
from torch import nn

dev = torch.device("cuda" if torch.cuda.is_available() else "cpu")

model = nn.Linear(2, 1).to(dev)  # want: PF401
print(model(torch.ones(1, 2, device=dev)))  # want: PF401
