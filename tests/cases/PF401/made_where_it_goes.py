"""What is filled with the same values on any device is made where it goes; what draws, reads or tracks is made on the CPU and moved."""
import numpy as np
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
n = 3
found = [
    torch.zeros(n).cuda(),  # want: PF401
    torch.empty((n), dtype=torch.float16).cuda().zero_(),  # want: PF401
    torch.full((n,), 2.0).cuda(device=None),  # want: PF401
    torch.tensor([1, 2]).cuda(),  # want: PF401
    torch.arange(n).cuda(),  # want: PF401
    torch.zeros_like(torch.ones(n)).cuda(),  # want: PF401
    torch.eye(n).cuda().sum(),  # want: PF401
    torch.randn(n).cuda(),  # want: PF401
    torch.arange(0.0, 1.0, 0.1).cuda(),  # want: PF401
    torch.linspace(0, 1, n).cuda(),  # want: PF401
    torch.from_numpy(np.ones(n)).cuda(),  # want: PF401
    torch.zeros(n, requires_grad=True).cuda(),  # want: PF401
    torch.zeros(n, device="cpu").cuda(),  # want: PF401
    torch.zeros(n).cuda(non_blocking=True),  # want: PF401
    torch.zeros(n).float().cuda(),  # want: PF401
    torch.rand_like(torch.ones(n)).cuda(),  # want: PF401
    torch.zeros(
        n
    ).cuda(),  # want: PF401
    torch.FloatTensor(n).cuda().zero_(),  # want: PF401
]
for one in found:
    print(one.device.type == device.type, one.double().sum().item(), one.requires_grad)
