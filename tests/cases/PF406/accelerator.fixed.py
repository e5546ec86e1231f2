# options: device-idiom=accelerator target-torch=2.7 unsafe
import torch


def wait(index):
    if torch.accelerator.is_available():
        torch.accelerator.set_device_index(index)  # want: PF406 unsafe
    if torch.accelerator.is_available():
        torch.accelerator.synchronize()  # want: PF406 unsafe
    if torch.cuda.is_available():
        torch.cuda.reset_peak_memory_stats()  # want: PF406 unsafe


# run: wait(0)
