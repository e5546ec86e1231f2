# An attribute of a result that was moved to the CPU is there, and so is one of an operator on the CPU.
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
target = torch.nn.Linear(3, 2).to(device)
states = torch.ones(4, 3)
rewards = torch.ones(4)
y = rewards + target(states.to(device)).max(1).values.cpu()
near = rewards + torch.topk(states, 1).values.squeeze(1)
print(y.shape, near.sum().item())
