# rules: PF102, PF201
"""The optimizer is built before a module that moves only after it was wrapped: two findings move or remove one statement."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.DataParallel(nn.Linear(3, 2))  # want: PF102
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)  # want: PF201
model = model.to(device)
loss = criterion(model(torch.ones(4, 3).to(device)), torch.zeros(4, 2).to(device))
loss.backward()
optimizer.step()
print(round(loss.item(), 4))
