# Results of `forward` that are on the device of its input, that may be of no dimension, or that only code for the CPU uses.
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Sampled(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        labels = torch.zeros(x.size(0), dtype=torch.long, device=x.device)
        offset = torch.tensor(1.0)
        mask = torch.zeros(x.size(0))
        mask = mask.to(x.device)
        return self.fc(x), labels, offset, mask


class Either(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        zeros = torch.zeros(x.size(0), 3)
        if x.size(0) > 100:
            return zeros
        return self.fc(x)


class Chosen(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        order = torch.randperm(x.size(0))
        return self.fc(x), order


torch.manual_seed(0)
x = torch.ones(4, 3).to(device)
outputs, labels, offset, mask = Sampled().to(device)(x)
loss = nn.functional.cross_entropy(outputs + offset, labels) + (outputs * mask[:, None]).sum()
loss = loss + (Either().to(device)(x) * x).sum()
outputs, order = Chosen().to(device)(x)
print((loss + outputs[order].sum()).item(), order.numpy().sum())
