# rules: PF302,PF304
# A module makes the tensor: that it is kept elsewhere as well is no second finding.
# given: rows = [[1.0, 2.0, 3.0]]
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 2))

    def act(self, row, memory):
        state = torch.tensor(row, device=next(self.actor.parameters()).device).float()  # want: PF304
        memory.append(state)
        return self.actor(state)


policy = Policy().to(device)
memory = []
for row in rows:
    print(policy.act(row, memory).sum())
