"""DataParallel over exactly one card: the constructor moves the module there itself."""
import torch
from torch import nn

torch.manual_seed(148)
device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
ids = [0]

model = nn.DataParallel(nn.Linear(4, 2), device_ids=[0])
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(6, 4).to(device)
y = torch.randint(0, 2, (6,)).to(device)
for step in range(3):
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 5))
print(len(ids), "card")
