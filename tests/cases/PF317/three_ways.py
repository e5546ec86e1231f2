# not run: the simulator has no MPS
import numpy as np
import torch

if torch.cuda.is_available():
    device = torch.device("cuda")
elif torch.backends.mps.is_available():
    device = torch.device("mps")
else:
    device = torch.device("cpu")


def load():
    values = np.random.rand(3)
    return torch.tensor(values, device=device)  # want: PF317 report


def weights():
    weights = torch.DoubleTensor(3)
    return weights.to(device, non_blocking=True)  # want: PF317 report


if torch.backends.mps.is_available():
    print(torch.eye(3, dtype=torch.float64, device="mps"))  # want: PF317 report
print(load(), weights())
