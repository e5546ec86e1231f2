# rules: PF401,PF402
# Another function of the script moves something that may be of the class: without that fix, a device that is the CPU is no help.
import torch


class Own:
    def cuda(self):
        return self


device = torch.device("cuda")  # want: PF402 unsafe


def placed(thing):
    return thing.cuda()  # want: PF401 unsafe


print(placed(torch.ones(2).to(device)), Own())
