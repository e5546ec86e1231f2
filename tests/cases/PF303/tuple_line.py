import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.randn(24, 4), torch.randint(0, 3, (24,))), batch_size=6)
model = nn.Linear(4, 3).to(device)
criterion = nn.CrossEntropyLoss()
for x, y in loader:
    x.to(device), y.to(device)  # want: PF303
    print(round(criterion(model(x), y).item(), 4))
