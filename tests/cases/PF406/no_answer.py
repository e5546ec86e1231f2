import torch


def batch_size(model):
    memory = torch.cuda.get_device_properties(0).total_memory  # want: PF406 report
    free = 1; torch.cuda.synchronize()  # want: PF406 report
    return memory // 2**30 + free
