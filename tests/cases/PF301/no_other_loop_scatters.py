"""The same, for a model that scatters its inputs over several GPUs: the loop may leave them on the CPU."""
import torch
import torch.nn.functional as F


def load(net):
    return torch.nn.DataParallel(net)


def train(model, device, train_loader, optimizer):
    model.train()
    for data, target in train_loader:
        data, target = data.to(device), target.to(device)
        output = model(data)
        loss = F.cross_entropy(output, target)
        loss.backward()
        optimizer.step()


def test(model, device, test_loader):
    model.eval()
    for data, target in test_loader:
        target = target.to(device)
        output = model(data)
        yield F.cross_entropy(output, target).item()
