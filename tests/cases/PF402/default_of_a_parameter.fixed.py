# options: unsafe
"""A device of CUDA is the default of a parameter: the function chooses, for an import must not ask."""
import torch
from torch import nn


class Runner:
    def __init__(
        self,
        model: nn.Module,
        device: torch.device = None,  # want: PF402 unsafe
        n_gpu: int = 1,
    ):
        """Keep what runs."""
        if device is None:
            device = torch.device('cuda:0' if torch.cuda.is_available() else 'cpu')
        self.model = model.to(device)
        self.n_gpu = n_gpu


class Trainer(Runner):
    def __init__(self, model, *, device=None, lr=0.1):  # want: PF402 unsafe
        if device is None:
            device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
        super().__init__(model, device)
        self.lr = lr


def evaluate(net, x, DEVICE=None):  # want: PF402 unsafe
    if DEVICE is None:
        DEVICE = torch.device('cuda:0' if torch.cuda.is_available() else 'cpu')
    x = x.to(DEVICE)
    return net(x)


# run: net = nn.Linear(1, 1)
# run: print(Runner(net).n_gpu, Trainer(net).lr, Trainer(net, device=torch.device("cpu")).lr, evaluate(net.cpu(), torch.ones(1), torch.device("cpu")).shape)
# run: gpu = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: print(evaluate(net.to(gpu), torch.ones(1)).device.type == gpu.type)
