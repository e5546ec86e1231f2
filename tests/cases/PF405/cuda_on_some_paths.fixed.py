# CUDA is needed on some paths, or in other methods: the other runs load the checkpoint anywhere.
# files: net.pt
# before: clean: it loads on the machine on which it has saved
# run: torch.save(Net().state_dict(), "net.pt")
# run: Net().restore("net.pt"); Net().load("net.pt")
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(2, 2)

    def restore(self, path, verbose=False):
        self.load_state_dict(torch.load(path, map_location="cpu"))  # want: PF405
        if verbose:
            total = torch.cuda.get_device_properties(0).total_memory
            print(total)

    def memory(self):
        return torch.cuda.get_device_properties(0).total_memory

    def load(self, path):
        self.load_state_dict(torch.load(path, map_location="cpu"))  # want: PF405
