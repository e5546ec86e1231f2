# Items that are assigned under an index of the device: the tensor is made on the device, and never copied at the assignment.
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
tokens = torch.tensor([1, 2, 1]).to(device)
ends = torch.nonzero(tokens == 1)[:, 0]
lengths = torch.tensor([4, 4, 4], device=device)  # want: PF302
lengths[ends] = 3
counts = torch.tensor([4, 4, 4], device=device)  # want: PF302
counts[tokens] += 1
read = torch.tensor([4, 4, 4])
read[ends] = 0  # want: PF302 report
print(lengths.sum().item(), counts.sum().item())
# after: indices should be either on cpu or on the same device: the last tensor is read by numpy and has no fix
print(read.numpy())
