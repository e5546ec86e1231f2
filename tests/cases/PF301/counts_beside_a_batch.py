# Numbers that come with a batch: `forward` uses them as bounds, sizes and counts, so nothing shows that they are tensors.
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x, seeds, rows, parts):
        shift = torch.zeros(rows, 2, device=x.device)
        return self.fc(x)[:seeds] + self.fc(x).view(parts, -1, 2)[0, :seeds] + shift


class Sampler:
    def __init__(self, steps):
        self.steps = steps

    def __iter__(self):
        for _ in range(self.steps):
            yield torch.ones(4, 3), 2, 2, 2


net = Net().to(device)
for x, seeds, rows, parts in Sampler(2):
    x = x.to(device)
    print(net(x, seeds, rows, parts).sum().item())
