"""A script whose function makes a tensor for an operation with its argument: it takes the device of that, and no second one is defined."""
import torch


def one_hot(x, levels):
    x = torch.ceil(x * (levels - 1)).long()
    return torch.zeros(x.size(0), levels, device=x.device).float().scatter_(1, x, 1)  # want: PF402


if __name__ == "__main__":
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")  # want: PF402
    print(one_hot(torch.full((2, 1), 0.5, device=device), 4).sum().item())
