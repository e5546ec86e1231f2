"""The other arm is the body without the moves, or nothing."""
import torch
from torch import nn
from torch.autograd import Variable

use_cuda = torch.cuda.is_available()
device = torch.device("cuda" if use_cuda else "cpu")
model = nn.Linear(4, 1)
# want: PF403
model = model.to(device)
for _ in range(2):
    x, y = torch.randn(3, 4), torch.randn(3, 1)
    # want: PF403
    x = Variable(x.to(device))
    y = Variable(y.to(device), requires_grad=False)
    z = model((x + 1).to(device))
    print(z, y)
