"""What is met lies where a flag chooses, and that may be the CPU with a GPU at hand: another device is unsafe, that one is not."""
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def to_another(on_host=True):
    a = torch.randn(2, 3)  # want: PF302 unsafe
    z = a - a
    d = torch.device("cpu") if on_host else torch.device("cuda")
    z = z.to(d)
    return a * z


def on_host_after_all(on_host=True):
    a = torch.randn(2, 3)
    b = a + 1
    d = torch.device("cpu") if on_host else torch.device("cuda")
    b = b.to(d)
    c = torch.zeros(2, 3).to(d)
    return b * c


def to_the_same():
    a = torch.randn(2, 3)  # want: PF302
    return a * torch.zeros(2, 3).to(device)


print(to_another().sum().item(), on_host_after_all().sum().item(), to_the_same().sum().item())
