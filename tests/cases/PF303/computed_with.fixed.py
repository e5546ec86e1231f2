# options: unsafe
"""Values that the function computes with, indexes with, or knows the type of; parts of a batch of which another one is moved."""
# run: n = torch.tensor(2.0)
# run: average(torch.ones(3, device=device), n, device)
# run: masked({"x": torch.ones(3), "mask": torch.tensor([True, False, True])}, device)
# run: either(torch.ones(3, device=device), torch.ones(3), device)
# run: trained(torch.nn.Linear(3, 3).to(device), {"x": torch.ones(2, 3), "y": torch.ones(2, 3)}, device)
# run: several(lambda *x: x[0], (torch.ones(3), torch.ones(3)), torch.ones(3), device)
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def average(loss, count, device):
    count = count.to(device)  # want: PF303 unsafe, warning
    return loss / count


def masked(batch, device):
    x = batch["x"].to(device)
    mask = batch["mask"]
    mask = mask.to(device)  # want: PF303 unsafe, warning
    return x[mask]


def either(loss, count, device):
    if isinstance(count, torch.Tensor):
        count = count.to(device)  # want: PF303 unsafe, warning
    return torch.stack([loss, loss]), weigh(loss, count)


def weigh(loss, count):
    return loss * count


def trained(model, batch, device):
    y = batch["y"]
    x = batch["x"]
    x = x.to(device)
    loss_of = torch.nn.functional.mse_loss
    y = y.to(device)  # want: PF303 unsafe, warning
    return loss_of(model(x), y)


def several(model, inputs, target, device):
    batch = inputs, target
    parts, label = batch
    parts = [part.to(device) for part in parts]
    out = model(*parts)
    label = label.to(device)  # want: PF303 unsafe, warning
    return compare(out, label)


def compare(out, label):
    return (out - label).abs().sum()
