"""A line that prints other values as well would be lost without CUDA."""
# machines: 1,2
# run: told("x")
import torch


def told(device):
    print(f"Running on {device} {torch.cuda.get_device_name()}")  # want: PF406 report
    print("running on", device, torch.cuda.get_device_name(0))  # want: PF406 report
