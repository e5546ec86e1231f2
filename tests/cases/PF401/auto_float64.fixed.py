# options: target-torch=2.7 device-idiom=auto
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

model = nn.Linear(2, 1).double().to(device)  # want: PF401
print(model(torch.ones(1, 2, dtype=torch.float64, device=device)))  # want: PF401
