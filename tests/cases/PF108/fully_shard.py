# The optimizer has the parameters from before fully_shard: it trains nothing.
import torch
from torch import nn
from torch.distributed.fsdp import fully_shard


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        return self.fc(x)


def main():
    model = Net().cuda()
    optimizer = torch.optim.AdamW(model.parameters())  # want: PF108 report
    fully_shard(model)
    for _ in range(3):
        loss = model(torch.ones(2, 4).cuda()).sum()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
