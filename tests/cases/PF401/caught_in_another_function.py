# The model would lie on the CPU, and the helper would lose each item without a word: its failure is caught.
import torch
from torch import nn


def embed(item, model):
    try:
        return model(item.cuda()).sum().item()  # want: PF401 report
    except RuntimeError:
        return None


def main():
    torch.manual_seed(0)
    model = nn.Linear(3, 3).cuda()  # want: PF401 unsafe
    found = [embed(torch.ones(3), model) for _ in range(2)]
    print(len([one for one in found if one is not None]))


if __name__ == "__main__":
    main()
