"""Tensor types of the CPU create tensors there, and nothing moves them."""
import torch

sizes = torch.LongTensor([3, 2])
total = torch.FloatTensor(2).zero_()
total += torch.empty(2).fill_(1)
print(sizes.sum().item(), total.sum().item(), torch.cuda.is_available())
