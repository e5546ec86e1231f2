"""Whether a package of CUDA's could be imported is no question about the device."""
import threading

import torch


def optional_import(name):
    try:
        return __import__(name), True
    except ImportError:
        return None, False


runtime, _cudart_imported = optional_import("cuda.bindings.runtime")
if not _cudart_imported:
    runtime, _cudart_imported = optional_import("cuda.cudart")

lock = threading.Lock()


def make_tensor(d):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return d if isinstance(d, torch.Tensor) else torch.tensor(d, device=device)  # want: PF401


print(make_tensor(torch.ones(2)))
# run: print(make_tensor([1.0, 2.0]).sum().item())
