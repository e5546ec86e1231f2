import torch

torch.mps.manual_seed(1)
if torch.backends.mps.is_available():
    torch.mps.synchronize()
    print(torch.mps.current_allocated_memory())
print(torch.mps.device_count())
