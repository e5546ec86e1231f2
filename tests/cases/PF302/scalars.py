# rules: PF301, PF302, PF303
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(4, 3).to(device)
out = model(torch.ones(2, 4, device=device))
temperature = torch.tensor(0.5)
eps = torch.tensor(1e-6)
scale = torch.sqrt(torch.tensor(4.0))
host = torch.arange(10.0)
print((out / temperature + eps).shape, (out * scale * host.max() + host.mean() * host[3]).shape)
alphas = torch.linspace(0.1, 1.0, 5)
total = sum(a * out.sum() for a in alphas)
for alpha in alphas:
    total = total + alpha * out.sum()
print(total.shape)
