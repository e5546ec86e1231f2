# The tensor meets one layer of the module, and the input another: a module is moved as a whole, unless its class moves parts of it.
# run: place = "cuda" if torch.cuda.is_available() else "cpu"
# run: for net in Flow(), Parted(): print(net.to(place).sample(torch.ones(2, 4).to(place)).shape)
import torch
from torch import nn


class Flow(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 6)
        self.steps = nn.ModuleList()
        for _ in range(3):
            self.steps.append(nn.Linear(5, 5))

    def sample(self, frames, scale=0.5):
        frames = self.first(frames)
        drawn = torch.ones(frames.size(0), 5, dtype=torch.float32, device=frames.device)  # want: PF407
        drawn = scale * drawn
        for k in reversed(range(3)):
            drawn = self.steps[k](drawn)
        return drawn


class Parted(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 6)
        self.last = nn.Linear(5, 5)

    def unload(self):
        self.first.cpu()

    def sample(self, frames, scale=0.5):
        frames = self.first(frames)
        drawn = torch.ones(
            frames.size(0), 5, dtype=torch.float32, device=self.last.weight.device
        )  # want: PF407
        return self.last(scale * drawn)
