"""The other arm is the body without the moves, or nothing."""
import torch
from torch import nn
from torch.autograd import Variable

use_cuda = torch.cuda.is_available()
model = nn.Linear(4, 1)
if use_cuda:  # want: PF403
    model = model.cuda()
else:
    pass
for _ in range(2):
    x, y = torch.randn(3, 4), torch.randn(3, 1)
    if use_cuda:  # want: PF403
        x = Variable(x.cuda())
        y = Variable(y.cuda(), requires_grad=False)
    else:
        x = Variable(x)
        y = Variable(y, requires_grad=False)
    if not use_cuda:  # want: PF403
        z = model(x + 1)
    else:
        z = model((x + 1).cuda())
    print(z, y)
