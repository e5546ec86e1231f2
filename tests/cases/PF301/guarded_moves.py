# rules: PF301, PF302, PF303
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.randn(24, 4), torch.randint(0, 3, (24,))), batch_size=6)
model = nn.Linear(4, 3).to(device)
criterion = nn.CrossEntropyLoss()
use_cuda = torch.cuda.is_available()
for x, y in loader:
    if use_cuda:
        x, y = x.cuda(), y.cuda()
    print(criterion(model(x), y).item() > 0)
for x, y in loader:
    x = x.cuda() if use_cuda else x
    y = y.cuda() if use_cuda else y
    print(criterion(model(x), y).item() > 0)
