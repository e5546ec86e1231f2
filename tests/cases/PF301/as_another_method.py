# options: unsafe
"""One method moves what it gets, another one does not: both hand it to the same model, in the same words."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Tagger:
    def __init__(self, net):
        self.device = device
        self.net = net.to(self.device)
        self.loss = nn.CrossEntropyLoss()

    def encode(self, text):
        return torch.tensor([[float(len(word))] * 3 for word in text.split()])

    def training_step(self, batch):
        rows, labels = batch["rows"], batch["labels"]
        rows = rows.to(self.device)
        labels = labels.to(self.device)
        return self.loss(self.net(rows), labels)

    def validation_step(self, batch):
        rows, labels = batch["rows"], batch["labels"]  # want: PF301 unsafe, warning
        return self.loss(self.net(rows), labels).item()


class Sampler:
    """The model is placed when the work begins."""

    def __init__(self, model):
        self.model = model

    def begin(self):
        self.model.to(device)

    def step(self, x):
        x = x.to(device)
        return self.model(x).sum()

    def probe(self, x):
        return self.model(x).max().item()  # want: PF301 unsafe, warning


def train(model, loader, opt):
    for x, y in loader:
        x = x.to(device)
        y = y.to(device)
        opt.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        opt.step()


def matched(model, loader):
    hits = 0
    for x, y in loader:  # want: PF301 unsafe, warning
        y = y.to(device)
        hits += (model(x).argmax(1) == y).sum().item()
    return hits


# run: torch.manual_seed(0)
# run: batch = {"rows": torch.ones(2, 3), "labels": torch.tensor([0, 1])}
# run: tagger = Tagger(nn.Linear(3, 2))
# run: print("%.3f %.3f" % (tagger.training_step(batch).item(), tagger.validation_step(batch)))
# run: sampler = Sampler(nn.Linear(3, 2)); sampler.begin()
# run: print("%.3f %.3f" % (sampler.step(torch.ones(2, 3)).item(), sampler.probe(torch.ones(2, 3))))
# run: net, batches = nn.Linear(3, 2).to(device), [(torch.ones(2, 3), torch.tensor([0, 1]))]
# run: train(net, batches, torch.optim.SGD(net.parameters(), lr=0.1))
# run: print(matched(net, batches))
