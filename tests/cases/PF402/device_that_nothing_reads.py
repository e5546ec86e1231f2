# A device that nothing reads does not fail without CUDA; one that is read does.
# run: print(first(), second().sum().item(), third().sum().item())
import torch


def first():
    spare = torch.device("cuda")
    return 1


def second():
    device = torch.device("cuda")  # want: PF402
    return torch.zeros(3, device=device)


def third():
    def inner():
        return torch.ones(3, device=place)

    place = torch.device("cuda")  # want: PF402
    return inner()
