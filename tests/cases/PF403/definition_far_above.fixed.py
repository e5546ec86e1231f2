# rules: PF401,PF403
"""A guard stays if its device would be defined far above it, out of a long loop; a use that fails without CUDA does not."""
# run: print(guarded([1.0, 2.0]), near([1.0, 2.0]), needed([1.0, 2.0]))
import torch


def guarded(rows):
    total = 0
    for row in rows:
        total = total + 1
        total = total + 2
        total = total + 3
        total = total + 4
        total = total + 5
        total = total + 6
        total = total + 7
        total = total + 8
        total = total + 9
        total = total + 10
        total = total + 11
        total = total + 12
        total = total + 13
        total = total + 14
        total = total + 15
        total = total + 16
        total = total + 17
        total = total + 18
        total = total + 19
        total = total + 20
        total = total + 21
        total = total + 22
        total = total + 23
        total = total + 24
        total = total + 25
        total = total + 26
        total = total + 27
        part = torch.tensor([row])
        if torch.cuda.is_available():  # want: PF403 unsafe
            part = part.cuda()
        total = total + part.sum().item()
    return total


def near(rows):
    total = 0
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    for row in rows:
        part = torch.tensor([row])
        # want: PF403
        part = part.to(device)
        total = total + part.sum().item()
    return total


def needed(rows):
    total = 0
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    for row in rows:
        total = total + 1
        total = total + 2
        total = total + 3
        total = total + 4
        total = total + 5
        total = total + 6
        total = total + 7
        total = total + 8
        total = total + 9
        total = total + 10
        total = total + 11
        total = total + 12
        total = total + 13
        total = total + 14
        total = total + 15
        total = total + 16
        total = total + 17
        total = total + 18
        total = total + 19
        total = total + 20
        total = total + 21
        total = total + 22
        total = total + 23
        total = total + 24
        total = total + 25
        total = total + 26
        total = total + 27
        total = total + torch.tensor([row], device=device).sum().item()  # want: PF401
    return total
