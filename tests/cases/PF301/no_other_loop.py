"""What a loop leaves on the CPU with a reason, or is not shown to need elsewhere."""
import numpy as np
import torch
import torch.nn.functional as F


def train(model, device, train_loader, optimizer):
    model.train()
    for data, target, lengths in train_loader:
        data, target, lengths = data.to(device), target.to(device), lengths.to(device)
        optimizer.zero_grad()
        output = model(data)
        loss = F.cross_entropy(output, target)
        loss.backward()
        optimizer.step()
        print(lengths.sum())


def read_by_numpy(model, device, loader):
    model.eval()
    hits = 0
    for data, target, lengths in loader:
        data = data.to(device)
        output = model(data)
        hits += (output.argmax(1).cpu().numpy() == target.numpy()).sum()
    return hits


def compared_on_the_cpu(model, device, loader):
    model.eval()
    total = 0
    for data, target, lengths in loader:
        data = data.to(device)
        output = model(data).cpu()
        total += F.cross_entropy(output, target).item()
    return total


def not_used(model, device, loader):
    model.eval()
    for data, target, lengths in loader:
        data, target = data.to(device), target.to(device)
        yield F.cross_entropy(model(data), target).item() / len(lengths)


def another_way(model, device, loader, extract):
    model.eval()
    for data, target, lengths in loader:
        target = target.to(device)
        output = extract(data)
        yield F.mse_loss(output, target).item()


def moved_inline(model, device, loader):
    model.eval()
    for data, target, lengths in loader:
        target = target.to(device)
        output = model(data.to(device))
        yield F.cross_entropy(output, target).item()


def on_the_cpu(model, loader):
    model.eval()
    for data, target, lengths in loader:
        output = model(data)
        yield F.cross_entropy(output, target).item()


def to_another(model, device, other, loader):
    model.eval()
    for data, target, lengths in loader:
        target = target.to(other)
        output = model(data)
        yield F.cross_entropy(output, target).item()


def through_numpy(model, device, loader):
    model.eval()
    for data, target, lengths in loader:
        target = target.to(device)
        data = torch.from_numpy(np.flip(data, 0).copy()).to(device)
        output = model(data)
        yield F.cross_entropy(output, target).item()


def packed(model, device, loader):
    model.train()
    for data, target, lengths in loader:
        data, target, lengths = data.to(device), target.to(device), lengths.to(device)
        rows = torch.nn.utils.rnn.pack_padded_sequence(data, lengths)
        output = model(rows)
        yield F.cross_entropy(output, target).item()


def packed_as_it_should(model, device, loader):
    model.train()
    for data, target, lengths in loader:
        data, target = data.to(device), target.to(device)
        rows = torch.nn.utils.rnn.pack_padded_sequence(data, lengths)
        output = model(rows)
        yield F.cross_entropy(output, target).item()
