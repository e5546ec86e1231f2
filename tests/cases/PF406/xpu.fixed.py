# options: target-torch=2.4
# machines: 0
import torch

if torch.xpu.is_available():
    torch.xpu.set_device(0)  # want: PF406
torch.xpu.empty_cache()
torch.xpu.manual_seed(1)
print(torch.ones(3))
