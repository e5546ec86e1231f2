# Generators of the device that they draw on, or of a device that is not known.
import torch
from torch.utils.data import DataLoader, RandomSampler, TensorDataset, random_split

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
host = torch.Generator()
own = torch.Generator(device).manual_seed(0)
data = TensorDataset(torch.ones(8, 3))
train, test = random_split(data, [6, 2], generator=host)
loader = DataLoader(train, sampler=RandomSampler(train, generator=host), generator=host)
noise = torch.randn(3, device=device, generator=own)
moved = torch.randn(3, generator=host).to(device)
picked = torch.multinomial(torch.ones(3).to(device), 2, generator=own)


def of(x, place, generator):
    torch.randn(3, device=x.device, generator=host)
    torch.randn(3, device=place, generator=host)
    torch.randn(3, device=device, generator=generator)
    torch.randn(3, device=device, generator=None)
    torch.randn(3, generator=torch.Generator(place))
    torch.randn(3, generator=torch.Generator("cpu"), device="cpu")
    either = host if x.device.type == "cpu" else own
    return torch.rand_like(x, generator=either)
