"""Arms for other kinds of values: only the one for tensors of torch copies to the CPU."""
import numpy as np
import torch
from kinds import is_tensorflow, is_torch


def as_array(value):
    if isinstance(value, dict):
        return {key: as_array(item) for key, item in value.items()}
    elif is_tensorflow(value):
        return value.numpy().tolist()
    elif is_torch(value):
        return value.detach().cpu().numpy()
    return np.asarray(value)
