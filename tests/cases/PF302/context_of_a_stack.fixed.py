# A device that an ExitStack enters places new tensors up to the end of its block.
from contextlib import ExitStack

import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(4, 2).to(device)
with ExitStack() as stack:
    with torch.no_grad():
        stack.enter_context(torch.device(device))
        print(model(torch.ones(3, 4)).shape)
    x = torch.ones(3, 4)
    print(model(x).shape)
late = torch.ones(3, 4, device=device)  # want: PF302
print(model(late).shape)
