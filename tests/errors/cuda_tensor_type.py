# message: RuntimeError: No CUDA GPUs are available
# cpu build: TypeError: type torch.cuda.FloatTensor not available. Torch not compiled with CUDA enabled.
# rules: PF407
# devices: 0
import torch

x = torch.cuda.FloatTensor([1.0, 2.0])
print(x.sum())
