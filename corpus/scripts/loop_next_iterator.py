import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(19)
iterations = 12
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

dataset = TensorDataset(torch.randn(48, 7), torch.randint(0, 2, (48,)))
loader = DataLoader(dataset, batch_size=8)

model = nn.Sequential(nn.Linear(7, 14), nn.ReLU(), nn.Linear(14, 2)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()

data_iter = iter(loader)
for it in range(iterations):
    if it % len(loader) == 0:
        data_iter = iter(loader)
    images, labels = next(data_iter)
    optimizer.zero_grad()
    loss = criterion(model(images), labels)
    loss.backward()
    optimizer.step()
    if it % 4 == 3:
        print("iter", it + 1, "loss", round(loss.item(), 5))
