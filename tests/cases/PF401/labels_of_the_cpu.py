# options: unsafe
"""A library: what is made for the labels does not lie where they do, as long as nothing shows that they meet."""
import torch
import torch.nn as nn


def one_hot(labels, classes):
    """The labels may lie on the CPU: what is assigned to an item comes from anywhere."""
    rows = torch.zeros(labels.size(0), classes).cuda()  # want: PF401 unsafe
    for row, label in enumerate(labels):
        rows[row, label] = 1
    return rows


def scattered(labels, classes):
    """And so they do here, for they are moved where they are used."""
    rows = torch.zeros(labels.size(0), classes).cuda()  # want: PF401
    return rows.scatter_(1, labels.view(-1, 1).cuda(), 1)  # want: PF401


def smoothed(logits, labels):
    """The table is indexed by something else."""
    table = torch.eye(logits.size(1)).cuda()  # want: PF401 unsafe
    return table[labels]


def mixed(x, y, share):
    """The order indexes the batch, which therefore lies with it."""
    order = torch.randperm(x.size(0)).cuda()  # want: PF401
    return share * x + (1 - share) * x[order], y[order]


class Head(nn.Module):
    """Its methods are given tensors of the CPU as well."""

    def __init__(self, size):
        super().__init__()
        self.fc = nn.Linear(size, size)
        self.size = size

    def forward(self, ids, features):
        """Only the features meet what is made for the ids."""
        state = torch.zeros(ids.size(0), self.size).cuda()  # want: PF401
        return self.fc(state + features)

    def start(self, batch):
        """Nobody knows what becomes of it."""
        return torch.zeros(batch.size(0), self.size).cuda()  # want: PF401 unsafe

    def both(self, x, scale):
        """What is made second shows where the input lies."""
        state = torch.zeros(x.size(0), self.size).cuda()  # want: PF401
        noise = torch.ones(x.shape).cuda()  # want: PF401
        return x + scale * noise, state


class Other(Head):
    def one_way(self, x, again):
        """It does not where the function may be left before."""
        state = torch.zeros(x.size(0), self.size).cuda()  # want: PF401 unsafe
        if not again:
            return state
        noise = torch.ones(x.shape).cuda()  # want: PF401 unsafe
        return x + noise
# run: from drive import device
# run: labels = torch.tensor([0, 2])
# run: print((one_hot(labels, 3) + torch.ones(2, 3).to(device)).tolist())
# run: print((scattered(labels, 3) + torch.ones(2, 3).to(device)).tolist())
# run: head, other = Head(4).to(device), Other(4).to(device)
# run: print(head(labels, torch.ones(2, 4).to(device)).shape, head.start(labels).add(torch.ones(2, 4).to(device)).tolist())
# run: print(smoothed(torch.ones(2, 3).to(device), labels.to(device)).tolist())
# run: print([part.tolist() for part in mixed(torch.ones(2, 3).to(device), labels.to(device), 0.5)])
# run: print(head.both(torch.ones(2, 4).to(device), 2.0)[0].tolist(), other.one_way(torch.ones(2, 4).to(device), True).tolist())
