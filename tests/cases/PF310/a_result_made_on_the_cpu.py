# `forward` returns a tensor that it makes on the CPU: numpy reads it there, also if `forward` moves another one.
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.steps = torch.arange(3.0)

    def forward(self, x, mask=None):
        counts = torch.zeros(3)
        counts[0] = 1.0
        return self.fc(x) + self.steps.to(x), counts, torch.ones(2)


net = Net().to("cuda" if torch.cuda.is_available() else "cpu")
x = torch.ones(2, 3, device="cuda" if torch.cuda.is_available() else "cpu")
out, counts, ones = net(x)
print(counts.numpy(), ones.numpy(), out.sum().item())
