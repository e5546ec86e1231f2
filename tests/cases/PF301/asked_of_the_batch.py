# rules: PF301, PF302, PF303
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
data = TensorDataset(torch.randn(24, 4), torch.randint(0, 3, (24,)))
loader = DataLoader(data, batch_size=6)
model = nn.Linear(4, 3).to(device)
follower = nn.Linear(4, 3).to(device)
correct = 0
for x, y in loader:  # what is put where the batch lies stays on the CPU with it
    home = y.device
    predicted = model(x.to(device)).argmax(1)
    correct += (predicted.to(y.device) == y).sum().item()
    correct += (predicted.to(y) == y).sum().item()
    correct += (predicted.to(home) == y).sum().item()
    correct += (torch.zeros(6, dtype=torch.long, device=home) == y).sum().item()
    follower.to(x.device)
    correct += (follower(x).argmax(1) == y).sum().item()
print(correct)
