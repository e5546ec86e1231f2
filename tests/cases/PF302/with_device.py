# rules: PF301, PF302, PF303
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x_all, y_all = torch.randn(24, 4), torch.randint(0, 3, (24,))

model = nn.Linear(4, 3).to(device)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
with torch.device(device):
    x = torch.randn(5, 4)
    print(model(x).shape)
loader = DataLoader(TensorDataset(x_all, y_all), batch_size=6)
seen = []
for x, y in loader:
    seen.append(y)
    logits = model(x.to(device))
    print(logits.cpu().argmax(1).eq(y).sum().item())
labels = torch.cat(seen)
print(labels.numpy().shape, torch.zeros(24, dtype=torch.long).eq(labels).sum().item())
