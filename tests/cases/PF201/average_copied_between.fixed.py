import torch
import torch.nn as nn
from torch.optim.swa_utils import SWALR, AveragedModel

torch.manual_seed(19)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(6, 2)
average = AveragedModel(model)
model.to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)  # want: PF201
swa_scheduler = SWALR(optimizer, swa_lr=0.05)
for step in range(3):
    x = torch.randn(4, 6).to(device)
    y = torch.randint(0, 2, (4,)).to(device)
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 5))
print(next(average.parameters()).device)
