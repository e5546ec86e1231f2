# rules: PF401,PF402,PF403
"""Lightning Fabric places what it is given."""
import torch
from lightning.fabric import Fabric
from torch import nn

fabric = Fabric()
model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model, optimizer = fabric.setup(model, optimizer)
x = torch.ones(1, 2)
if torch.cuda.is_available():  # want: PF403 report
    x = x.cuda()
print(model(x))
