""""cuda" that is no device argument."""
import torch
from torch.profiler import ProfilerActivity

BACKENDS = {"cuda": "nccl", "cpu": "gloo"}
print(BACKENDS["cuda"], ProfilerActivity.CUDA)
with torch.autocast("cuda"), torch.amp.autocast(device_type="cuda"):
    pass
for device in ("cpu", "cuda"):
    if device == "cuda" and not torch.cuda.is_available():
        continue
    print(torch.ones(1, device=device))
