"""An object keeps the criterion; its methods move their arguments, alone and in loops."""
import torch
from torch import nn


class Trainer:
    def __init__(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.net = nn.Linear(3, 2).to(self.device)
        self.criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0]))  # want: PF307

    def step(self, batch):
        x, y = [part.to(self.device) for part in batch]
        return self.criterion(self.net(x), y)

    def evaluate(self, batch):
        moved = []
        for part in batch:
            part = part.to(self.device)
            moved.append(part)
        return self.criterion(self.net(batch[0].to(self.device)), batch[1].to(self.device))
# run: trainer = Trainer()
# run: batch = (torch.ones(4, 3), torch.zeros(4).long())
# run: print(trainer.step(batch).item() > 0, trainer.evaluate(batch).item() > 0)
