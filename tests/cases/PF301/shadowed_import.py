"""The loop binds the name of the import that makes the loader: as it stands, Python raises there, and the import is meant."""
import torch
import torch.nn.functional as F
import torch.utils.data as data

from pets import CatsAndDogs


def run(rank):
    model = torch.nn.Linear(3, 2).to(rank)
    loader = data.DataLoader(CatsAndDogs(), batch_size=8)
    for data, target in loader:  # want: PF301 unsafe, warning
        data = data.to(rank)
        F.cross_entropy(model(data), target).backward()
