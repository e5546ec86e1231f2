# message: RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!
# rules: PF318
# fix: none
import torch
from torch import nn


class Masked(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        mask = torch.ones(x.shape[0], 2, device=x.device)
        return self.fc(x) * mask


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
traced = torch.jit.trace(Masked().to(device), torch.ones(1, 3, device=device))
traced = traced.to("cpu")
print(traced(torch.ones(2, 3)))
