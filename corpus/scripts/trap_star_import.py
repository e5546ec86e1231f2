"""Names come from star imports: nothing here can be proven, nothing is touched."""
from torch import *
from torch.nn import *
from torch.optim import *

manual_seed(144)
device = "cpu"

model = Linear(4, 1)
optimizer = SGD(model.parameters(), lr=0.1)
model = DataParallel(model)
model.to(device)
inputs = randn(6, 4)
for step in (0, 1, 2):
    loss = model(inputs).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, "%.5f" % loss.item())
