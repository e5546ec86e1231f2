# options: unsafe
# run: torch.manual_seed(0)
# run: batch = {"image": torch.ones(2, 3), "label": torch.ones(2, dtype=torch.long)}
# run: learner = Learner()
# run: print("%.4f %.4f %.4f" % (learner.step(batch), learner.parsed_step(batch), learner.fed_step(batch)))
# run: print("%.4f %.4f" % (label_left(learner.model, batch, learner.device), image_left(learner.model, batch, learner.device)))
# run: print("%.4f" % arguments(learner.model, batch["image"], batch["label"], learner.device))
# run: print("%.4f" % Scorer().to(learner.device)(batch, learner.device).item())
"""One step gets the batch: its keys, its attributes after another method, the tuple of a helper, two arguments."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Learner:
    def __init__(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = nn.Linear(3, 2).to(self.device)

    def step(self, batch):
        x = batch["image"]  # want: PF301 unsafe, warning
        y = batch["label"].to(self.device)
        return F.cross_entropy(self.model(x), y).item()

    def parse(self, batch):
        x = batch["image"]  # want: PF301 unsafe, warning
        y = batch["label"].to(self.device)
        return x, y

    def parsed_step(self, batch):
        x, y = self.parse(batch)
        return F.cross_entropy(self.model(x), y).item()

    def feed(self, data):
        self.x = data["image"]  # want: PF301 unsafe, warning
        self.y = data["label"].to(self.device)

    def fed_step(self, data):
        self.feed(data)
        return self.loss()

    def loss(self):
        return F.cross_entropy(self.model(self.x), self.y).item()


def label_left(model, batch, device):
    x = batch["image"].to(device)
    y = batch["label"]  # want: PF301 unsafe, warning
    return F.cross_entropy(model(x), y).item()


def image_left(model, batch, device):
    x = batch["image"]  # want: PF301 unsafe, warning
    y = batch["label"].to(device)
    return F.cross_entropy(model(x), y).item()


def arguments(model, x, y, device):
    y = y.to(device)
    return F.cross_entropy(model(x), y).item()  # want: PF301 unsafe, warning


class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 2)

    def forward(self, batch, device):
        x = batch["image"]  # want: PF301 unsafe, warning
        y = batch["label"].to(device)
        return F.cross_entropy(self.layer(x), y)
