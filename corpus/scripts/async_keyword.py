"""Written for Python 3.6: an argument named async, which later Pythons read as a keyword."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
images, labels = torch.randn(24, 6), torch.randint(0, 3, (24,))
loader = DataLoader(TensorDataset(images, labels), batch_size=8, pin_memory=torch.cuda.is_available())

model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 3)).cuda()
criterion = nn.CrossEntropyLoss().cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(2):
    for x, y in loader:
        x, y = x.cuda(async=True), y.cuda(async=True)  # copies while the GPU works
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: {loss.item():.4f}")
