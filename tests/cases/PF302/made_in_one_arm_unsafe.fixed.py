# options: unsafe
# A name is bound to a tensor on a device in one arm of a test, and to one that is made on the CPU in the other.
# given: from drive import device
import torch


class Ranks:
    def __init__(self, device):
        self.device = device

    def have_data(self, rank, count):
        if count > rank:
            found = torch.ones(1).to(self.device)
        else:
            found = torch.zeros(1).to(self.device)  # want: PF302 unsafe, warning
        return found

    def noise(self, shape, given):
        if given:
            drawn = torch.zeros(2, 3, device=self.device)
        else:
            drawn = (torch.ones(*shape) * 2.0 - 1.0).to(self.device)  # want: PF302 unsafe, warning
        drawn = drawn.reshape(-1)
        return drawn


# run: ranks, x = Ranks(device), torch.ones(6).to(device)
# run: print((ranks.noise((2, 3), False) + x).sum().item(), (ranks.have_data(1, 0) + x).sum().item())
