"""A line that prints nothing but answers about the GPU is one that only CUDA has."""
# numbers: the name of the GPU is printed
import torch

print(f"Running on {torch.cuda.get_device_name()}")  # want: PF406
print("GPU:", torch.cuda.get_device_name(0), torch.cuda.get_device_properties(0))  # want: PF406 # want: PF406
