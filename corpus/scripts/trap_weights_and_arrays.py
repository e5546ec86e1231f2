"""Placed weights, arrays of what came back to the host, a reference model that stays there."""
import numpy as np
import torch
from torch import nn

torch.manual_seed(2)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

weights = torch.tensor([0.2, 0.8])
student = nn.Linear(5, 2).to(device)
reference = nn.Linear(5, 2)
criterion = nn.CrossEntropyLoss(weight=weights).to(device)
host_criterion = nn.CrossEntropyLoss(weight=weights)
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)

inputs = torch.randn(30, 5)
labels = (inputs.sum(1) > 0).long()
for start in range(0, 30, 10):
    x, y = inputs[start : start + 10], labels[start : start + 10]
    loss = criterion(student(x.to(device)), y.to(device))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        before = host_criterion(reference(x), y).item()
        guess = student(x.to(device)).argmax(1).cpu().numpy()
    print(round(loss.item(), 4), round(before, 4), np.mean(guess == y.numpy()))
