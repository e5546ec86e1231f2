"""A number meets the result of a module that is not seen, and a tensor of the device does, which is copied."""
import torch
from drive import device


class Agent:
    def __init__(self, critics):
        self.critics = critics
        self.device = device

    def without_a_dimension(self, batch, states):
        rewards = torch.tensor(batch["rewards"]).unsqueeze(1).to(self.device)
        scale = torch.tensor(0.5)
        values = torch.cat([critic(states) for critic in self.critics], 1)
        return rewards + scale * values

    def on_the_cpu(self, batch, states):
        rewards = torch.tensor(batch["rewards"]).unsqueeze(1)
        running = torch.tensor(batch["running"]).unsqueeze(1).to(self.device)
        values = torch.cat([critic(states) for critic in self.critics], 1)
        return rewards + (running * values).cpu()


agent = Agent([torch.nn.Linear(3, 1).to(device) for _ in range(2)])
data = {"rewards": [1.0, 2.0], "running": [1.0, 0.0]}
print(agent.without_a_dimension(data, torch.ones(2, 3).to(device)).shape)
print(agent.on_the_cpu(data, torch.ones(2, 3).to(device)).shape)
