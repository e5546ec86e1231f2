# options: unsafe
"""Parts of something that the function gets, which a placed module is called with; an object that is not taken apart may move in place."""
import torch
from torch import nn


def validate(model, loader, device):
    model = model.to(device)
    total = 0
    for x, y in loader:
        x = x.to(device)  # want: PF303 unsafe, warning
        total += nn.functional.cross_entropy(model(x), y.to(device)).item()
    return total


def predict(model, batches, device):
    model = model.to(device)
    for batch in batches:
        batch.to(device)
        print(model(batch).shape)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
print(f"{validate(nn.Linear(3, 2), [(torch.ones(2, 3), torch.zeros(2).long())], device):.4f}")
