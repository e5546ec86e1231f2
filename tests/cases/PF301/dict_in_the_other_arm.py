# A module gets tensors of a device in one arm of a test, and the items of the same batch unmoved in the other.
import torch
from torch.nn import functional as F
from torch.utils.data import DataLoader
from nets import build, device


def train(data):
    loader = DataLoader(data, batch_size=2)
    model = build()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.train()
    for batch in loader:
        x, labels = batch
        labels = labels.to(device)
        if isinstance(x, dict):
            x = {key: torch.stack(value).T.to(device) for key, value in x.items()}
            logits = model(**x)[0]
        else:
            logits = model(x)  # want: PF301 report, warning
        F.cross_entropy(logits, labels).backward()
        optimizer.step()
