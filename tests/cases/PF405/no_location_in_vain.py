# Every run of the function, or of the object's constructor, needs CUDA: with a location the load alone would work.
# machines: 1,2
# before: clean: it loads on the machine on which it has saved
# files: net.pt
# run: torch.save(Net().state_dict(), "net.pt"); Net().restore("net.pt"); torch.save(Sized().state_dict(), "net.pt"); Sized().load("net.pt")
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(2, 2)

    def restore(self, path):
        self.load_state_dict(torch.load(path))  # want: PF405 report
        total = torch.cuda.get_device_properties(0).total_memory
        print(total > 0)


class Sized(nn.Module):
    def __init__(self):
        super().__init__()
        self.total = torch.cuda.get_device_properties(0).total_memory
        self.out = nn.Linear(2, 2)

    def load(self, path):
        self.load_state_dict(torch.load(path))  # want: PF405 report
