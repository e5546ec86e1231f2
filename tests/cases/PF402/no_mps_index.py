# not run: the simulator has no MPS
import torch

x = torch.ones(2).to("mps:0")  # want: PF402 report
device = torch.device("mps:0")  # want: PF402 report
print(x, device)
