# Code that keeps measurements of a GPU and places nothing is for GPUs: a test for CUDA would not make it portable.
import torch


class Memory:
    def __enter__(self):
        self.begin = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()  # want: PF406 report
        return self

    def __exit__(self, *error):
        self.used = torch.cuda.memory_allocated() - self.begin


def peak(function, *arguments):
    torch.cuda.reset_peak_memory_stats()  # want: PF406 report
    function(*arguments)
    torch.cuda.synchronize()  # want: PF406 report
    used = torch.cuda.max_memory_allocated()
    return used / 2**20
