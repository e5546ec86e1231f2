# not run: it writes files for TensorBoard
"""A store of rewards that is scaled in place, logged, and computed with what nothing is known of."""
import torch
from torch import nn
from torch.utils.tensorboard import SummaryWriter

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
writer = SummaryWriter("runs")
net = nn.Linear(3, 1).to(device)
curious = torch.zeros((4, 2), device=device)  # want: PF302
values = torch.zeros((4, 2)).to(device)
writer.add_scalar("first", curious[0][0], 0)
curious /= 3.0
after = net.value(torch.ones(2, 3).to(device))
for t in reversed(range(4)):
    delta = curious[t] + 0.9 * after - values[t]
    print(delta.sum().item(), curious[t].cpu().numpy())
