"""What else happens to a store that is scaled in place, or handed on, keeps it on the CPU."""
import torch
from torch.utils.tensorboard import SummaryWriter

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
writer = SummaryWriter("runs")
rewards = torch.zeros((4, 2))
rewards /= 3.0
print(rewards.numpy().sum())
writer.add_graph(rewards)
values = torch.zeros((4, 2)).to(device)
print(values.sum().item() + rewards.sum().item())
