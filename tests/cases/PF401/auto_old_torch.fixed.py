# options: target-torch=2.5 device-idiom=auto
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

model = nn.Linear(2, 1).to(device)  # want: PF401
print(model(torch.ones(1, 2, device=device)))  # want: PF401
