import torch
import torch.nn as nn


class Agent:
    def __init__(self, lr=0.1):
        torch.manual_seed(9)
        self.policy = nn.Linear(6, 2)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.policy.to(self.device)
        self.optimizer = torch.optim.Adam(self.policy.parameters(), lr=lr)  # want: PF201
        self.losses = []

    def learn(self, x):
        loss = self.policy(x.to(self.device)).pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.losses.append(round(loss.item(), 5))


agent = Agent()
for _ in range(3):
    agent.learn(torch.randn(4, 6))
print(agent.losses)
