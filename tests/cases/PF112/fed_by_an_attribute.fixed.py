# One method alone sets an attribute to a value that it moves; another one calls a module with it that is never placed.
# run: keeper = Keeper(); keeper.set_input({"x": torch.ones(2, 3)}); keeper.forward()
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Keeper:
    def __init__(self):
        self.net = nn.Linear(3, 2).to(device)  # want: PF112

    def set_input(self, batch):
        self.x = batch["x"].to(device)

    def forward(self):
        return self.net(self.x)
