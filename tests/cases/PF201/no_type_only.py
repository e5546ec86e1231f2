import torch
import torch.nn as nn

model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model.to(torch.float64)
model.double()
print(model(torch.ones(1, 6).double()).dtype)
