"""A tensor of the CPU takes no index from a device: the table of a schedule, and what a loop draws from."""
# run: one = Schedule(10)
# run: print(one.noised(torch.ones(3, 4).to(device), torch.tensor([1, 2, 3]).to(device)).sum().item())
# run: print(drawn(6).shape, table(5).shape, masked(5).shape)
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Schedule:
    def __init__(self, n):
        betas = torch.linspace(1e-4, 0.02, n)
        self.bars = torch.cumprod(1 - betas, 0)  # want: PF302

    def noised(self, x, t):
        return self.bars[t][:, None] * x


def drawn(n):
    data = torch.randn(n, 4)
    idx = torch.randperm(n).to(device)
    for start in range(0, n, 2):
        batch = data[idx[start : start + 2]]  # want: PF302
    return batch


def table(n):
    betas = torch.linspace(1e-4, 0.02, n)
    t = torch.randint(0, n, (8,), device=device)
    return betas[t, None]  # want: PF302


def masked(n):
    order = torch.randperm(n, device=device)
    values = torch.arange(n) * 2
    return values[order > 2]  # want: PF302


if __name__ == "__main__":
    schedule = Schedule(10)
    x = torch.randn(3, 4).to(device)
    t = torch.randint(0, 10, (3,)).to(device)
    print(schedule.noised(x, t).shape)
