import torch
import torch.nn as nn


class Trainer:
    def __init__(self, model):
        self.model = model

    def prepare(self, steps):
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)  # want: PF201 report
        if steps < 1:
            raise ValueError(f"{steps} steps")
        self.model.to("cuda" if torch.cuda.is_available() else "cpu")


trainer = Trainer(nn.Linear(6, 2))
try:
    trainer.prepare(0)
except ValueError:
    print(trainer.optimizer.param_groups[0]["lr"])
