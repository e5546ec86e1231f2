# Generators of the CPU for tensors of a GPU, and the other way round.
import torch
from torch.utils.data import DataLoader, TensorDataset, random_split

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
host = torch.Generator().manual_seed(0)
noise = torch.randn(3, device=device, generator=host)  # want: PF315 report
own = torch.Generator(device=device)
own.manual_seed(1)
order = torch.randperm(4, generator=own)  # want: PF315 report
data = TensorDataset(torch.ones(8, 3))
train, test = random_split(data, [6, 2], generator=own)  # want: PF315 report
loader = DataLoader(train, shuffle=True, generator=torch.Generator("cuda"))  # want: PF315 report
weights = torch.ones(3).to(device)
picked = torch.multinomial(weights, 2, generator=host)  # want: PF315 report


def sample(count):
    generator = torch.Generator("cpu")
    return torch.rand(count, device="cuda:1", generator=generator)  # want: PF315 report
