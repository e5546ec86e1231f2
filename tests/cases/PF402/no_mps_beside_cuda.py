# not run: no machine has both
import torch

x = torch.ones(2).to("mps")  # want: PF402 report
y = torch.ones(2, device="cuda:1")  # want: PF402 report
print(x, y)
