"""Past an exit for the CPU, in a loop over the GPUs, or in a function for them there is CUDA."""
import torch


def version(flash, device):
    if not torch.cuda.is_available() or not flash:
        return None
    return torch.cuda.get_device_properties(device).major


def memory(model):
    device = next(model.parameters()).device
    if device.type == "cpu":
        return 0
    return torch.cuda.get_device_properties(device).total_memory


def capability(device):
    if device.type != "cuda":
        return (0, 0)
    return torch.cuda.get_device_capability(device)


def packed(device):
    assert device.type == "cuda", "packing needs CUDA"
    return torch.cuda.get_device_capability(device)


def names():
    gpu_count = torch.cuda.device_count()
    return [line for i in range(gpu_count) for line in [i]] and report(gpu_count)


def report(num_gpus):
    found = []
    for i in range(num_gpus):
        found.append(torch.cuda.get_device_name(i))
    return found


def set_cuda_device(index):
    torch.cuda.set_device(index)


print(version(True, "cpu"), names())
