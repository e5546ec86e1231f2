"""The function runs once before torch is imported."""


def placed(x):
    return x.to("cuda") if x else None  # want: PF402 report


def first():
    return placed([])


first()
import torch

print(placed(torch.ones(1)))
