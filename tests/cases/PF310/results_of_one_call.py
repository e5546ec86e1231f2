# options: unsafe
# Results of one call of a module: one is copied for numpy, the other is not.
import torch


def unpacked(model, x, device):
    x = x.to(device)
    with torch.no_grad():
        heat, parts = model(x)
    heat = heat.float().numpy()  # want: PF310 unsafe, warning
    parts = parts.cpu().float().numpy()
    return heat, parts


def by_number(model, loader, device):
    for x in loader:
        x = x.to(device)
        out = model.forward(x)
        sequence = out[0]
        pooled = out[1]
        sequence = sequence.numpy()  # want: PF310 unsafe, warning
        pooled = pooled.cpu().numpy()
        yield sequence, pooled


# given: from drive import device
# run: class Net(torch.nn.Module):
# run:     def forward(self, x):
# run:         return x + 1, x * 2
# run: print(unpacked(Net(), torch.ones(2), device), list(by_number(Net(), [torch.ones(2)], device)))
