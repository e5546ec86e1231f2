# A part of the file's own class reshapes its input before its layer gets it: so the input has to be where the layer is.
# run: net = Whole().to("cuda" if torch.cuda.is_available() else "cpu")
# run: print(net(torch.ones(2, 3, device=net.part.fc.weight.device)).sum().item())
import torch
from torch import nn


class Part(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x.flatten(1)) * 0


class Whole(nn.Module):
    def __init__(self):
        super().__init__()
        self.part = Part()

    def forward(self, x):
        noise = torch.randn(x.shape)  # want: PF304
        return self.part(x + noise)
