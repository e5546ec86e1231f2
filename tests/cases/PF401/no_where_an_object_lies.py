"""The device of an object, of options or of a part that is worked out is no tensor's: it may be a number, or None."""
import torch


class Runner:
    def __init__(self, net, args):
        self.net = net
        self.args = args
        self.device = args.device

    def step(self, batch, other):
        x = batch["x"].cuda(self.device)  # want: PF401 report
        y = torch.ones(2).cuda(self.args.device)  # want: PF401 report
        z = torch.ones(2).cuda(other.device)  # want: PF401 report
        w = torch.ones(2).cuda(self.pick(x).get_device())  # want: PF401 report
        return self.net(x) + y + z + w

    def pick(self, x):
        return x
