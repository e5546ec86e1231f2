# options: unsafe
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: torch.manual_seed(0)
# run: net = torch.nn.Linear(3, 2).to(device)
# run: batches = [(torch.ones(2, 3), torch.ones(2, dtype=torch.long))]
# run: keyed = [{"image": x, "label": y} for x, y in batches]
# run: print("%.4f %.4f" % (input_left(net, batches, device), target_left(net, batches, device)))
# run: print("%.4f %.4f" % (placed_here(net, batches, device), by_key(net, keyed, device)))
# run: print("%.4f %.4f" % (cast_first(net, batches, device), one_at_a_time(net, iter(batches), device)))
"""A loop moves one of two tensors that arrive together. The other one meets it, or the result of a module that is not seen."""
import torch
import torch.nn.functional as F


def input_left(model, loader, device):
    total = 0
    for x, y in loader:  # want: PF301 unsafe, warning
        y = y.to(device)
        x = x.to(device)
        total += F.cross_entropy(model(x), y).item()
    return total


def target_left(model, loader, device):
    total = 0
    for x, y in loader:  # want: PF301 unsafe, warning
        x = x.to(device)
        y = y.to(device)
        total += F.cross_entropy(model(x), y).item()
    return total


def placed_here(model, loader, device):
    model = model.to(device)
    total = 0
    for x, y in loader:  # want: PF301 unsafe, warning
        y = y.to(device)
        x = x.to(device)
        total += F.cross_entropy(model(x), y).item()
    return total


def by_key(model, loader, device):
    model = model.to(device)
    total = 0
    for batch in loader:
        x = batch["image"].to(device)  # want: PF301 unsafe, warning
        y = batch["label"].to(device)
        total += F.cross_entropy(model(x), y).item()
    return total


def cast_first(model, loader, device):
    total = 0
    for x, y in loader:  # want: PF301 unsafe, warning
        y = y.to(device)
        x = x.float().to(device)
        y = y.long()
        total += F.cross_entropy(model(x), y).item()
    return total


def one_at_a_time(model, batches, device):
    x, y = next(batches)  # want: PF301 unsafe, warning
    y = y.to(device)
    x = x.to(device)
    return F.cross_entropy(model(x), y).item()
