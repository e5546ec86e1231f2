# A checkpointed function that moves its argument itself gets it from the CPU.
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(3, 2).to(device)


def moved_there(x):
    return model(x.to(device))


class Mover(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x.to(self.fc.weight.device))


mover = Mover().to(device)
x = torch.ones(4, 3)
print(checkpoint(moved_there, x, use_reentrant=False).shape)
print(checkpoint(mover, x, preserve_rng_state=False, use_reentrant=False).shape)
print(checkpoint(lambda rows: mover(rows), x, use_reentrant=False).shape)
