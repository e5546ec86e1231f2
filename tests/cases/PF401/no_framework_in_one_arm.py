# After the two arms, and in the arm of the framework, the framework may have placed things; an import that may fail is no arm.
import torch
from torch import nn

try:
    import deepspeed
except ImportError:
    deepspeed = None


def main(use_accelerate):
    net = nn.Linear(3, 2)
    if use_accelerate:
        from accelerate import Accelerator

        net = Accelerator().prepare(net)
        x = torch.ones(2, 3).cuda()  # want: PF401 report
    else:
        x = torch.ones(2, 3)
    return net(x.cuda())  # want: PF401 report


def other(net):
    engine = deepspeed.initialize(model=net)[0] if deepspeed is not None else net
    return engine(torch.ones(2, 3).cuda())  # want: PF401 report
