"""The targets feed the loss and, through numpy, a metric on the host."""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(44)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

loader = DataLoader(TensorDataset(torch.randn(30, 6), torch.randn(30, 1)), batch_size=10)
model = nn.Sequential(nn.Linear(6, 6), nn.ReLU(), nn.Linear(6, 1)).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
criterion = nn.MSELoss()

for epoch in range(2):
    errors = []
    for x, y in loader:
        prediction = model(x)
        loss = criterion(prediction, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        errors.append(np.abs(prediction.detach().cpu().numpy() - y.numpy()).mean())
    print("epoch", epoch, "loss", round(loss.item(), 5), "mae", round(float(np.mean(errors)), 5))
