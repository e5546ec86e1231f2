import torch
import torch.nn as nn


class TwoHalves(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(6, 6).to("cuda:0")
        self.second = nn.Linear(6, 2).to("cuda:1")

    def forward(self, x):
        return self.second(self.first(x.to("cuda:0")).to("cuda:1"))


model = TwoHalves()
model = nn.DataParallel(model)
model.cuda()
