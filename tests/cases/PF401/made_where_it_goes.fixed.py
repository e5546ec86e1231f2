"""What is filled with the same values on any device is made where it goes; what draws, reads or tracks is made on the CPU and moved."""
import numpy as np
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
n = 3
found = [
    torch.zeros(n, device=device),  # want: PF401
    torch.empty((n), dtype=torch.float16, device=device).zero_(),  # want: PF401
    torch.full((n,), 2.0).to(device=device),  # want: PF401
    torch.tensor([1, 2], device=device),  # want: PF401
    torch.arange(n, device=device),  # want: PF401
    torch.zeros_like(torch.ones(n), device=device),  # want: PF401
    torch.eye(n, device=device).sum(),  # want: PF401
    torch.randn(n).to(device),  # want: PF401
    torch.arange(0.0, 1.0, 0.1).to(device),  # want: PF401
    torch.linspace(0, 1, n).to(device),  # want: PF401
    torch.from_numpy(np.ones(n)).to(device),  # want: PF401
    torch.zeros(n, requires_grad=True).to(device),  # want: PF401
    torch.zeros(n, device="cpu").to(device),  # want: PF401
    torch.zeros(n).to(device, non_blocking=True),  # want: PF401
    torch.zeros(n, device=device).float(),  # want: PF401
    torch.rand_like(torch.ones(n)).to(device),  # want: PF401
    torch.zeros(
        n, device=device
    ),  # want: PF401
    torch.empty(n, dtype=torch.float32, device=device).zero_(),  # want: PF401
]
for one in found:
    print(one.device.type == device.type, one.double().sum().item(), one.requires_grad)
