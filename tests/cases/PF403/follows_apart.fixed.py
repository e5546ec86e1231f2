# options: unsafe
"""Where nothing shows that the two meet, or that what is asked is a tensor: on another GPU than the current one it went elsewhere."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def on_gpu(self):
        return self.fc.weight.data.is_cuda

    @property
    def is_cuda(self):
        return next(self.parameters()).is_cuda

    def order(self, n):
        found = torch.arange(n, device=next(self.parameters()).device)  # want: PF403 unsafe
        return found

    def mask(self, n):
        mask = torch.ones(n, device=next(self.parameters()).device)  # want: PF403 unsafe
        return mask

    def cuda_asked(self):
        """Whether it lies on a GPU."""
        return self.fc.weight.is_cuda

    def index(self, numbers):
        return torch.tensor(numbers, device=self.fc.weight.device)  # want: PF403 unsafe


def mean(losses, log_probs):
    loss = torch.tensor(losses)
    return torch.mean(loss.to(log_probs.device))  # want: PF403 unsafe


def labels(batch, n):
    found = torch.zeros(n, device=batch.device)  # want: PF403 unsafe
    return batch, found


def placed(x, y):
    return y.to(x.device)  # want: PF403 unsafe


# run: gpu = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: net = Net().to(gpu)
# run: print([t.device.type == gpu.type for t in (net.order(2), net.mask(2), net.index([1]))])
# run: x = torch.ones(2, device=gpu)
# run: print([t.device.type == gpu.type for t in (mean([1.0], x), labels(x, 2)[1], placed(x, torch.ones(2)))])
