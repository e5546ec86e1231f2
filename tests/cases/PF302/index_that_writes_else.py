# An index on the CPU, a number that is read of an index on a device, a mask of the CPU, and items of a tensor that is on the device.
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
tokens = torch.tensor([1, 2, 1]).to(device)
ends = torch.nonzero(tokens == 1)[:, 0]
lengths = torch.tensor([4, 4, 4])
lengths[ends.cpu()] = 3
lengths[0] = 1
lengths[ends[0]] = 2
lengths[torch.tensor([True, False, True])] += 1
placed = torch.tensor([4, 4, 4]).to(device)
placed[ends] = 3
placed[torch.tensor([0])] = 1
print(lengths.sum().item(), placed.sum().item())
