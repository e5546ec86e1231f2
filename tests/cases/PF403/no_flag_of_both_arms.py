"""Flags that are no test for CUDA: one is set in three places, one is False where CUDA is there, one has a third arm."""
# run: print(run(torch.ones(2)).shape)
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
if torch.cuda.is_available():
    first = True
else:
    first = False
first = first and device.type == "cpu"
if torch.cuda.is_available():
    second = False
else:
    second = True
if torch.cuda.is_available():
    third = True
elif torch.get_num_threads() > 1000:
    third = False
else:
    third = False


def run(x):
    if first:
        x = x.to("cpu") * 2
    if second:
        x = x * 3
    if third:
        x = torch.cuda.synchronize() or x
    return x
