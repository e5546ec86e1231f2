"""What arrives with a moved tensor and stays on the CPU with a reason, or is not shown to be needed elsewhere."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from helpers import push


def to_gpu(value, device):
    return value.to(device)


def read_as_numbers(model, loader, device):
    for x, y in loader:
        x = x.to(device)
        print(model(x).sum().item(), y.tolist(), len(y), y.numpy().mean(), np.asarray(y).mean())


def compared_on_the_cpu(model, loader, device):
    for x, y in loader:
        x = x.to(device)
        yield F.cross_entropy(model(x).cpu(), y)


def moved_later(model, loader, device):
    for x, y in loader:
        y = y.to(device)
        x = x.float()
        x = x.to(device)
        yield F.cross_entropy(model(x), y)


def moved_by_a_helper(model, loader, device):
    for x, y in loader:
        y = y.to(device)
        x = to_gpu(x, device)
        yield F.cross_entropy(model(x), y)


def moved_by_code_of_another_file(model, loader, device):
    for x, y in loader:
        y = y.to(device)
        x = push(x)
        yield F.cross_entropy(model(x), y)


def moved_inline(model, loader, device):
    for x, y in loader:
        y = y.to(device)
        yield F.cross_entropy(model(x.to(device)), y)


def moved_under_the_same_flag(model, loader, use_cuda):
    for x, y in loader:
        if use_cuda:
            x = x.cuda()
        if use_cuda:
            y = y.cuda()
        yield F.cross_entropy(model(x), y)


def packed(model, loader, device):
    for x, y, lengths in loader:
        x, y = x.to(device), y.to(device)
        rows = nn.utils.rnn.pack_padded_sequence(x, lengths)
        yield F.cross_entropy(model(rows), y)


def lengths_of_a_loss(model, loader, device):
    loss = nn.CTCLoss()
    for x, y, x_lengths, y_lengths in loader:
        x, y = x.to(device), y.to(device)
        yield loss(model(x), y, x_lengths, y_lengths)


def lengths_of_a_model(model, loader, device):
    for x, y, lengths in loader:
        x, y = x.to(device), y.to(device)
        yield F.cross_entropy(model(x, lengths), y)


def an_index_of_the_cpu(model, loader, device):
    for x, y, rows in loader:
        x, y = x.to(device), y.to(device)
        yield F.cross_entropy(model(x)[rows], y)


def a_number(pairs, device):
    for value, weight in pairs:
        value = value.to(device)
        yield (value * weight).sum()


def to_where_the_other_is(model, loader):
    for x, y in loader:
        y = y.to(x.device)
        yield F.cross_entropy(model(x), y)


def discarded(model, loader, device):
    for x, y in loader:
        y.to(device)
        yield F.cross_entropy(model(x), y)


def a_module_is_moved(loader, net, device):
    net = net.to(device)
    for x, y in loader:
        yield x + y


def what_a_model_gave(output, target, device):
    target = target.to(device)
    return (output.argmax(1) == target).float().mean(), F.mse_loss(output, target)


def what_a_step_gave(step, batch, device):
    output, target = step(batch)
    target = target.to(device)
    return F.mse_loss(output, target)


def layer(inputs, device):
    adjacency = inputs[0].to(device)
    nodes = inputs[1].to(device)
    return torch.cat((inputs[2], nodes), -1) @ adjacency


def in_place(model, loader, device):
    for batch in loader:
        batch["image"] = batch["image"].to(device)
        batch["label"] = batch["label"].to(device)
        yield F.cross_entropy(model(batch["image"]), batch["label"])


def each_key(model, loader, device):
    for batch in loader:
        for key in ("image", "label"):
            batch[key] = batch[key].to(device)
        yield F.cross_entropy(model(batch["image"]), batch["label"])


def handed_on(model, loader, device):
    for batch in loader:
        batch["image"] = batch["image"].to(device)
        yield model(batch)


def whole_batch(model, loader, device):
    for batch in loader:
        batch = [part.to(device) for part in batch]
        x, y = batch
        yield F.cross_entropy(model(x), y)


def replaced_under_a_test(net, x, kept, y, device):
    net = net.to(device)
    y = y.to(device)
    if kept:
        x = kept.first.to(device)
        yield F.mse_loss(net(x), y)


def replaced_and_used_under_the_same_test(net, x, kept, y, device):
    net = net.to(device)
    y = y.to(device)
    if kept:
        x = kept.first.to(device)
    for _ in range(2):
        if kept:
            yield F.mse_loss(net(x), y)


def to_another_device(model, loader, device, other):
    for x, y in loader:
        x, y = x.to(device), y.to(other)
        yield F.cross_entropy(model(x).to(other), y)


def not_called_a_module(extract, loader, device):
    for x, y in loader:
        y = y.to(device)
        yield F.mse_loss(extract(x), y)


class Attack:
    def __init__(self, model, data, device):
        self.device = device
        self.data = data
        self.model = model

    def compare(self, output):
        data = self.data
        labels, mask = data.y, data.mask
        labels = labels.to(self.device)
        return F.mse_loss(output, labels), labels.view(-1) * mask.view(-1, 1)


def moved_as_a_whole(pairs, device):
    for data in pairs:
        labels, mask = data.y, data.mask
        data.to(device)
        labels = labels.to(device)
        yield torch.cat((labels, mask))


class Loop:
    def __init__(self, model, device):
        self.device = device
        self.model = model.to(device)

    def feed(self, data):
        self.x = data["image"].to(self.device)
        self.y = data["label"].to(self.device)
        self.paths = data["path"]

    def step(self):
        return F.cross_entropy(self.model(self.x), self.y), self.paths

    def run(self, loader):
        for x, y, index in loader:
            x, y = x.to(self.device), y.to(self.device)
            yield F.cross_entropy(self.model(x), y), index
