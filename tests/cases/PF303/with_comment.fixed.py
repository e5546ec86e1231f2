import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(4, 3).to(device)
noise = torch.randn(2, 4)
# onto the card
noise = noise.to(device)  # before the model sees it  # want: PF303
print(model(noise).shape); noise.to(device)  # want: PF303 unsafe, warning
hidden = torch.zeros(2, 4)
hidden = hidden.to(  # want: PF303
    device,
    non_blocking=True,
)
print(model(hidden).shape)
