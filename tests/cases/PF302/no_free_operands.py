"""Operands that may lie elsewhere: the lengths of CTC losses, and those of which only the size is read."""
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 5).to(device)
crit = nn.CTCLoss()
moved = nn.CTCLoss().to(device)
x = torch.randn(10, 4, 3).to(device)
t = torch.ones(4, 3, dtype=torch.long).to(device)
out = net(x).log_softmax(2)
sizes = torch.IntTensor([10] * 4)
lengths = torch.full((4,), 3)
print(crit(out, t, sizes, lengths).item() > 0, moved(out, t, input_lengths=sizes, target_lengths=lengths).item() > 0)
print(F.ctc_loss(out, t, torch.IntTensor([10] * 4), torch.full((4,), 3)).item() > 0)
print(nn.functional.ctc_loss(out, t, target_lengths=lengths, input_lengths=sizes).item() > 0)

alpha = torch.rand(4, 1)
data = torch.randn(4, 3).to(device)
alpha = alpha.expand_as(data).to(data.device)
flat = torch.rand(12).view_as(data)
print(net(alpha * data).shape, net(flat.to(device)).shape)
kept = torch.zeros(4, 3)
kept.copy_(data)
data.copy_(kept)
print(kept.sum().item() == data.sum().item())
