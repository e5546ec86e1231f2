# options: unsafe
"""With the unsafe fixes nothing needs CUDA any more, and the device serves all."""
import torch
from zoo import build


def both(x):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net = build().to(device)  # want: PF401 unsafe
    return net(torch.relu(x).to(device))  # want: PF401 unsafe


def none(x):
    net = build().cuda()  # want: PF401 report
    print(net, torch.relu(x).cuda(1))  # want: PF401 report
# not run: the zoo builds nothing
