"""torch is imported below: a device that asks it cannot stand here."""
import argparse

DEVICE = "cuda"  # want: PF402 report
BATCH = 32
import torch

model = torch.nn.Linear(2, 2).to(DEVICE)
print(model(torch.ones(BATCH, 2).to(DEVICE)), argparse.__name__)
