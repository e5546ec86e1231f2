import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
model = nn.Linear(8, 3).to(device)
samples = [torch.full((8,), float(number)) for number in range(4)]
for sample in samples:
    print(f"{model(sample.to(device)).sum().item():.4f}")  # want: PF302
