# options: unsafe
# A function makes two tensors on the CPU, moves one of them, and returns both.
# given: from drive import device
import torch


def padded(rows, device):
    ids = torch.zeros(len(rows), 3, dtype=torch.long)  # want: PF302 unsafe, warning
    mask = torch.zeros(len(rows), 3)
    for i, row in enumerate(rows):
        ids[i, : len(row)] = torch.tensor(row)
        mask[i, : len(row)] = 1
    mask = mask.to(device)
    return ids, mask


def state(layers, device):
    h = torch.zeros(layers, 2, 3)
    c = torch.zeros(layers, 2, 3)  # want: PF302 unsafe, warning
    return h.to(device), c


# run: ids, mask = padded([[1, 2], [3]], device)
# run: h, c = state(1, device)
# run: print((ids * mask).sum().item(), (h + c).sum().item())
