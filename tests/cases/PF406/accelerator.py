# options: device-idiom=accelerator target-torch=2.7 unsafe
import torch


def wait(index):
    torch.cuda.set_device(index)  # want: PF406 unsafe
    torch.cuda.synchronize()  # want: PF406 unsafe
    torch.cuda.reset_peak_memory_stats()  # want: PF406 unsafe


# run: wait(0)
