from torch import *
from torch.nn import *
from torch.optim import *

model = Linear(6, 2)
optimizer = SGD(model.parameters(), lr=0.1)
model.cuda()
