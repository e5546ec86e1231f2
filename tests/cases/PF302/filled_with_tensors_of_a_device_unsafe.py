# options: unsafe
# A function makes a tensor on the CPU, and fills it with tensors that it makes on a device.
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: print((padded([[1, 2], [3]], 0, device) + torch.ones(2, 2, device=device)).sum().item())
import torch


def padded(sequences, pad, device):
    length = torch.ones(1, dtype=torch.long, device=device) * 2
    ids = torch.full((len(sequences), int(length)), pad, dtype=torch.long)  # want: PF302 unsafe, warning
    for row, sequence in enumerate(sequences):
        ids[row, : len(sequence)] = torch.tensor(sequence, device=device)
    return ids
