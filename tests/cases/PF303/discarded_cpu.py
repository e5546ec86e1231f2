import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(4, 3).to(device)
model.cpu()
model.to(device)
logits = model(torch.ones(2, 4, device=device))
logits.cpu()  # want: PF303 unsafe, warning
target = torch.zeros(2, 3, device=device)
print((logits - target).shape)
