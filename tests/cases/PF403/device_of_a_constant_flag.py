# A device that also asks a flag which is True, and which nothing binds again, is there when CUDA is: no second device is made.
import torch
from torch import nn

use_cuda = True
device = torch.device("cuda" if (use_cuda and torch.cuda.is_available()) else "cpu")
net = nn.Linear(3, 2).to(device)
loss = nn.CrossEntropyLoss(torch.ones(2))
if torch.cuda.is_available():  # want: PF403
    loss = loss.cuda()
print(loss(net(torch.ones(4, 3).to(device)), torch.zeros(4, dtype=torch.long).to(device)))
