# A module that is called through a method other than `forward` is placed where it is made, not its layer.
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(3, 4)
        self.head = nn.Linear(4, 2)

    def act(self, state):
        return self.head(torch.tanh(self.body(state))).argmax()


class Agent:
    def __init__(self):
        self.policy = Actor().to(device)
        self.policy_old = Actor().to(device)  # want: PF112
        self.policy_old.load_state_dict(self.policy.state_dict())

    def select(self, state):
        with torch.no_grad():
            state = torch.tensor(state, dtype=torch.float32).to(device)
            return self.policy_old.act(state).item()


torch.manual_seed(0)
print(Agent().select([1.0, 2.0, 3.0]))
