# options: unsafe
"""A function of the file makes the tensor in either arm, and one arm leaves it on the CPU."""
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def padded(rows, size):
    out = torch.zeros(len(rows), size)
    for number, row in enumerate(rows):
        out[number, : len(row)] = row
    return out


def collated(rows, nested):
    flat = [torch.tensor(row, dtype=torch.float) for row in rows]
    if nested:
        labels = padded(flat, 3).to(device)
        labels = labels.view(1, -1, 3).to(device)
    else:
        labels = padded(flat, 3).to(device)  # want: PF302 unsafe, warning
    return labels


# run: scale = torch.ones(3, device=device)
# run: print([(collated([[1, 2], [3]], nested) * scale).sum().item() for nested in (True, False)])
