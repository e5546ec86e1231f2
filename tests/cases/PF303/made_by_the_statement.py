# A tensor that the statement makes itself: it starts CUDA, or asks whether that works. Nothing else has the tensor.
# machines: 1,2
import torch
import torch.nn as nn


def works(number):
    try:
        torch.zeros(1).cuda(number)
        (torch.ones(2).to("cuda") + 1).cpu()
    except RuntimeError:
        return False
    return True


device = torch.device("cuda" if works(0) else "cpu")
torch.empty(1).to(device)
net = nn.Linear(3, 2).to(device)
x = torch.ones(2, 3)
(x + 1).to(device)  # want: PF303 report, warning
print(net(x.to(device)).shape)
