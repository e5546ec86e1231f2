"""A tensor is created on the device if what changes its shape and type gives the same tensor there, with the same layout."""
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
n = 3
found = [
    torch.zeros(n, 2, device=device).long().unsqueeze(0),  # want: PF401
    torch.arange(n, device=device).float().view(n, 1),  # want: PF401
    torch.tensor([1, 2], dtype=torch.float32, device=device).reshape(2, 1),  # want: PF401
    torch.zeros(n).expand(2, -1).to(device),  # want: PF401
    torch.zeros(n, 2).t().to(device),  # want: PF401
    torch.tensor([0.5, 1.5]).float().to(device),  # want: PF401
    torch.zeros(n, dtype=torch.float64).float().to(device),  # want: PF401
    torch.ones(n, 2).sum(0).to(device),  # want: PF401
]
for one in found:
    print(one.device.type == device.type, one.sum().item())
