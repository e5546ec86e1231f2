# options: unsafe
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.project = nn.Linear(width, width)

    def forward(self, x):
        return self.project(x).relu()


class Heads(nn.Module):
    def __init__(self, width, count):
        super().__init__()
        self.trunk = nn.Linear(width, width)
        blocks = []
        for _ in range(2):
            blocks.append(Block(width))
        self.blocks = blocks  # want: PF306 unsafe
        self.norms = []  # want: PF306 unsafe
        for _ in range(2):
            self.norms.append(nn.LayerNorm(width))
        self.heads = [  # want: PF306 unsafe
            nn.Linear(width, 1)  # one score each
            for _ in range(count)
        ]
        for head in self.heads:
            nn.init.zeros_(head.bias)
        self.ways = {"up": nn.Sequential(nn.Linear(width, width), nn.ReLU()), "down": nn.Identity()}  # want: PF306 unsafe

    def forward(self, x):
        x = self.trunk(x)
        for block, norm in zip(self.blocks, self.norms):
            x = norm(block(x))
        way = self.ways["up"]
        x = way(x) + self.ways["down"](x)
        scores = [head(x) for head in self.heads]
        for number in range(len(self.heads)):
            scores.append(self.heads[number](x))
        return torch.cat(scores, dim=1)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
net = Heads(4, 3).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
loss = net(torch.randn(5, 4).to(device)).pow(2).mean()
loss.backward()
optimizer.step()
print(f"{loss.item():.4f}")
