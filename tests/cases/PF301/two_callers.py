# rules: PF301, PF302, PF303
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.randn(24, 4), torch.randint(0, 3, (24,))), batch_size=6)
model = nn.Linear(4, 3).to(device)
criterion = nn.CrossEntropyLoss()


def accuracy(net, data, where):
    hits = 0
    with torch.no_grad():
        for x, y in data:
            hits += (net(x.to(where)).argmax(1).cpu() == y).sum().item()
    return hits


print(accuracy(model, loader, device) >= 0, accuracy(nn.Linear(4, 3), loader, "cpu") >= 0)
