"""torch.normal of tensors and torch.tensor of a tensor give what lies where those lie."""
import torch
from torch import nn

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(3, 2)
        self.register_buffer("scale", torch.ones(2))

    def forward(self, x):
        return self.head(x)


actor = Actor().to(device)
actions = actor(torch.ones(4, 3).to(device))
actions = actions + torch.normal(0, actor.scale * 0.1)
actions = actions + torch.normal(torch.zeros_like(actions), 0.1)
spread = torch.ones(4, 2, device=device)
actions = actions * torch.normal(actions, spread)
print((actions + torch.tensor(spread)).shape)
