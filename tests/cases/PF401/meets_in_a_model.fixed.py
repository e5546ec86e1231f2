"""What goes through a module that is switched to train or to eval meets what comes out of it; an index of a GPU serves no
tensor of another device."""
import torch
import torch.nn.functional as F


def evaluate(model, device, loader):
    model.eval()
    total = 0.0
    for data, target in loader:
        data, target = data.to(device), target.to(device)  # want: PF401
        output = model(data)
        total += F.nll_loss(output, target, reduction="sum").item()
    return total


def train(model, device, loader):
    model.train(True)
    total = 0.0
    for data, target in loader:
        data, target = data.to(device), target.to(device)  # want: PF401
        total += F.cross_entropy(model(data), target).item()
    return total


def score(function, device, loader):
    total = 0.0
    for data, target in loader:
        data, target = data.to(device), target.cuda()  # want: PF401 unsafe
        total += F.nll_loss(function(data), target).item()
    return total


def called_elsewhere(model, engine, device, loader):
    engine.train(model)
    model.eval("x")
    data = loader[0][0].to(device)
    target = loader[0][1].cuda()  # want: PF401 unsafe
    return F.nll_loss(model(data), target).item()


def rows(table, device):
    table = table.to(device)
    wanted = torch.arange(2, device=device)  # want: PF401
    return table[wanted]


def columns(table, device):
    table = table.to(device)
    wanted = torch.arange(2, device=device)  # want: PF401
    return table[:, wanted]


def looked_up(wanted, device):
    wanted = wanted.to(device)
    table = torch.ones(3, 2).cuda()  # want: PF401 unsafe
    return table[wanted]


def kept(table, device):
    table = table.to(device)
    low = torch.zeros(3, 2, device=device)  # want: PF401
    return torch.where(table > 2, table, low)


def chosen(table, device, names):
    table = table.to(device)
    low = torch.zeros(3, 2).cuda()  # want: PF401 unsafe
    return low if "table" in names else table
# after: unsafe
# run: from drive import device; from argparse import Namespace
# run: net, batches = torch.nn.Linear(3, 2).to(device), [(torch.ones(2, 3), torch.ones(2, dtype=torch.long))]
# run: print(evaluate(net, device, batches), train(net, device, batches), score(net, device, batches))
# run: class Model(torch.nn.Linear):
# run:     def eval(self, how=""): return super().eval()
# run: net = Model(3, 2).to(device)
# run: print(called_elsewhere(net, Namespace(train=print), device, batches))
# run: print(rows(torch.ones(3, 2), device).sum().item(), columns(torch.ones(3, 2), device).sum().item(), looked_up(torch.arange(2), device).sum().item())
# run: print(kept(torch.ones(3, 2), device).sum().item(), chosen(torch.ones(3, 2), device, []).sum().item())
