import torch
import torch.nn as nn


class Trainer:
    def __init__(self):
        torch.manual_seed(17)
        self.lr = 0.1
        self.net = nn.Linear(6, 2)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=self.lr)  # want: PF201
        self.schedule()
        self.net.to("cuda" if torch.cuda.is_available() else "cpu")

    def schedule(self):
        self.lr = 0.01


options = {"lr": 0.1, "momentum": 0.9}
other = nn.Linear(6, 2)
optimizer = torch.optim.SGD(other.parameters(), **options)  # want: PF201
options.pop("momentum")
options["lr"] = 0.2
other.to("cuda" if torch.cuda.is_available() else "cpu")
print(Trainer().opt.param_groups[0]["lr"], optimizer.param_groups[0]["lr"])
