# options: unsafe
"""The batches of a loader go to a module that unknown code makes: it was moved and has modes."""
# run: trained(lambda: nn.Linear(3, 1)); tested(lambda: nn.Linear(3, 1))
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.randn(4, 3), torch.randn(4, 1)), batch_size=2)


def trained(build):
    model = build()
    model.to(device)
    model.train()
    for x, y in loader:  # want: PF301 unsafe, warning
        model(x).sum().backward()


def tested(build):
    model = build().to(device)
    model.eval()
    for x, y in loader:  # want: PF301 unsafe, warning
        print(model(x))
