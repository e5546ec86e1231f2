# not run: torch_npu is not installed
import torch
import torch_npu

device = torch.device("npu" if torch.npu.is_available() else "cpu")

state = torch.load("weights.pt", map_location=device)  # want: PF402
print(state, torch_npu.__version__)
