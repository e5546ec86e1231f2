from torch import *
from torch.nn import *

model = Linear(6, 2)
model = DataParallel(model)
model.cuda()
