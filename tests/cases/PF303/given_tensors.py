# options: unsafe
"""A function is given tensors: its own lines show that they are."""
import torch


def joined(weights, extra, device):
    extra = extra.to(device)
    weights.to(device)  # want: PF303 unsafe
    return torch.cat([weights, extra])


def added(x, y, device):
    y = y.to(device)
    x.to(device)  # want: PF303 unsafe
    total = torch.matmul(x, y)
    x = x.cpu()
    return total, x


def flat(batch, device):
    if "labels" in batch:
        labels = batch["labels"]
        labels = labels.reshape(labels.shape[0], -1)
        labels.to(device)  # want: PF303 unsafe, warning
    else:
        labels = None
    return labels
# run: from drive import device
# run: x, y = torch.ones(2, 2), torch.ones(2, 2).to(device)
# run: print(joined(x, y, device).sum().item(), added(x, y, device)[0].sum().item())
# run: print((flat({"labels": x}, device) * y).sum().item())
