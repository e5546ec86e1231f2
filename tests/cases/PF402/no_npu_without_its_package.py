# not run: torch_npu is not installed
import torch

try:
    import torch_npu
except ImportError:
    torch_npu = None

x = torch.ones(2).to("npu")  # want: PF402 report
print(x)
