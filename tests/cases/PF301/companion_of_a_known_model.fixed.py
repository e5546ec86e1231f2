# options: unsafe
# run: torch.manual_seed(0)
# run: batch = torch.ones(2, 3), torch.ones(2, dtype=torch.long), torch.ones(2)
# run: trainer = Trainer()
# run: print("%.4f %.4f" % (trainer.update(batch), trainer.score(batch)))
"""What arrives with the input meets the result of a module of the file, or what is computed from it."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 2)

    def forward(self, x):
        return self.layer(x)


class Trainer:
    def __init__(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = Net().to(self.device)
        self.criterion = nn.CrossEntropyLoss()

    def update(self, inputs):
        units, labels, _ = inputs  # want: PF301 unsafe, warning
        units = units.to(self.device)
        labels = labels.to(self.device)
        output = self.model(units)
        return self.criterion(output.view(-1, 2), labels.view(-1)).item()

    def score(self, inputs):
        units = inputs[0].to(self.device)
        weights = inputs[2].to(self.device)  # want: PF301 unsafe, warning
        return (self.model(units).sum(1) * weights.view(-1)).sum().item()
