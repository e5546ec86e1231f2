# options: unsafe
"""One loop moves the whole batch, another one only a part of it: both hand it to the same model, in the same words."""
import torch
import torch.nn.functional as F


def scaled(data):
    return data / 2


def train(model, device, train_loader, optimizer):
    model.train()
    for data, target in train_loader:
        data, target = data.to(device), target.to(device)
        optimizer.zero_grad()
        half = scaled(data)
        output = model(half)
        loss = F.cross_entropy(output, target)
        loss.backward()
        optimizer.step()


def test(model, device, test_loader):
    model.eval()
    total = 0
    with torch.no_grad():
        for data, target in test_loader:  # want: PF301 unsafe, warning
            target = target.to(device)
            half = scaled(data)
            output = model(half)
            total += F.cross_entropy(output, target, reduction="sum").item()
    return total


def validate(model, device, loader):
    model.eval()
    total = 0
    for data, target in loader:  # want: PF301 unsafe, warning
        data, target = data.to(device), target
        half = scaled(data)
        output = model(half)
        total += F.cross_entropy(output, target, reduction="sum").item()
    return total
# run: from drive import device
# run: net, batches = torch.nn.Linear(3, 2).to(device), [(torch.ones(2, 3), torch.ones(2, dtype=torch.long))]
# run: train(net, device, batches, torch.optim.SGD(net.parameters(), lr=0.1))
# run: print(test(net, device, batches), validate(net, device, batches))
