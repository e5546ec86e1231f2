# not run: torch_npu is not installed
import torch
import torch_npu

state = torch.load("weights.pt", map_location="npu")  # want: PF402
print(state, torch_npu.__version__)
