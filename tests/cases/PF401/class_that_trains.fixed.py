"""What is made at the module level trains: one device for the whole script."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Agent:
    def __init__(self):
        self.net = nn.Linear(4, 2).to(device)  # want: PF401
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def learn(self):
        loss = self.net(torch.ones(3, 4, device=device)).sum()  # want: PF401
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


agent = Agent()
for step in range(3):
    print(agent.learn())
