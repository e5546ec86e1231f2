"""cuda:0, and the current device is another."""
import sys

import torch

torch.cuda.set_device(int(sys.argv[1]))
print(torch.ones(2).to("cuda:0"))  # want: PF402 report
