"""The tensor meets the result of a module that is not seen first: on the CPU or not, it then meets one of the device."""
import torch
from drive import device


class Agent:
    def __init__(self, critics):
        self.critics = critics
        self.device = device
        self.gamma = 0.9

    def target(self, batch, states):
        rewards = torch.tensor(batch["rewards"]).unsqueeze(1).to(self.device)
        running = torch.tensor(batch["running"]).unsqueeze(1)  # want: PF302
        values = torch.cat([critic(states) for critic in self.critics], 1)
        least, _ = torch.min(values, dim=1, keepdim=True)
        return rewards + running * self.gamma * least


agent = Agent([torch.nn.Linear(3, 1).to(device) for _ in range(2)])
data = {"rewards": [1.0, 2.0], "running": [1.0, 0.0]}
print(agent.target(data, torch.ones(2, 3).to(device)).shape)
