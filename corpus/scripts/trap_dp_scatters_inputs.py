"""DataParallel scatters its inputs from the host: only the targets are placed by hand."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(31)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randint(0, 5, (64,))), batch_size=16)

model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 5)).to(device)
model = nn.DataParallel(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()

for epoch in range(2):
    for inputs, targets in loader:
        targets = targets.to(device)
        optimizer.zero_grad()
        # the inputs go to the cards inside the wrapper
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch} loss {loss.item():.5f}")
