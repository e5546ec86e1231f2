# message: RuntimeError: No CUDA GPUs are available
# cpu build: AssertionError: Torch not compiled with CUDA enabled
# rules: PF406
# devices: 0
import torch

x = torch.ones(3)
torch.cuda.synchronize()
print(x.sum())
