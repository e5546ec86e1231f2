# after: all
"""What is loaded whole and moved by `.cuda()` later has to be there without CUDA first."""
import torch

torch.save(torch.ones(2, device="cuda" if torch.cuda.is_available() else "cpu"), "tensor.pt")
torch.save({"model": torch.load("tensor.pt")}, "item.pt")


def in_place(path):
    x = torch.load(path, map_location=None if torch.cuda.is_available() else "cpu")  # want: PF405
    x = x.cuda()
    return x.sum().item()


def an_item(path):
    x = torch.load(
        path, map_location=None if torch.cuda.is_available() else "cpu"
    )["model"]  # want: PF405
    x = x.cuda()
    return x.sum().item()


def at_once(path):
    return torch.load(
        path, map_location=None if torch.cuda.is_available() else "cpu"
    )["model"].cuda()  # want: PF405


def guarded(path):
    x = torch.load(path, map_location=None if torch.cuda.is_available() else "cpu")  # want: PF405
    if torch.cuda.is_available():
        x = x.cuda()
    return x.sum().item()


def returned(path):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    x = torch.load(
        path, map_location=None if torch.cuda.is_available() else "cpu"
    )["model"]  # want: PF405
    return x.to(device)


def beside_a_device(path):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    y = torch.ones(2, device=device)
    x = torch.load(path, map_location=None if torch.cuda.is_available() else "cpu")  # want: PF405
    x = x.cuda()
    return (x * y).sum().item()


print(in_place("tensor.pt"), an_item("item.pt"), at_once("item.pt").sum().item(), guarded("tensor.pt"))
print(returned("item.pt").sum().item(), beside_a_device("tensor.pt"))
