# options: unsafe
# The result of a callable that the constructor receives, given tensors, is on their device; a move of the type alone places nothing.
# given: from drive import device
import torch
import torch.nn as nn


class Ranking(nn.Module):
    def __init__(self, similarity, scale=20.0):
        super().__init__()
        self.similarity = similarity
        self.scale = scale
        self.loss = nn.CrossEntropyLoss()

    def forward(self, a: torch.Tensor, b: torch.Tensor):
        scores = self.similarity(a, b) * self.scale
        labels = torch.tensor(
            range(len(scores)), dtype=torch.long, device=scores.device
        )  # want: PF304 unsafe, warning
        return self.loss(scores, labels)


class Dice(nn.Module):
    def forward(self, x, y):
        if x.shape == y.shape:
            onehot = y.to(torch.float32)
        else:
            onehot = torch.zeros(x.shape, dtype=torch.float32, device=y.device)  # want: PF304
            onehot.scatter_(1, y.long(), 1)
        return (x * onehot).sum()


class Lists(nn.Module):
    def forward(self, x):
        weights = torch.tensor([0.5] * x.size(1), device=x.device)  # want: PF304
        places = torch.tensor(list(range(x.size(1))), device=x.device)  # want: PF304
        return x * weights + places


# run: a, b = torch.eye(3).to(device), torch.ones(3, 3).to(device)
# run: print(round(Ranking(torch.matmul).to(device)(a, b).item(), 4))
# run: print(Dice().to(device)(torch.ones(2, 3).to(device), torch.zeros(2, 1).to(device)).item())
# run: print(Lists().to(device)(a).sum().item())
