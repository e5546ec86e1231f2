import os

import torch

device = "cuda"  # want: PF402 report
if os.environ.get("PLACE"):
    device = os.environ["PLACE"]
print(torch.ones(1).to(device))
