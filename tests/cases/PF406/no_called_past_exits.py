"""A private function that is called only where a run without CUDA has left."""
# run: print(Meter().measure(), peak_of(lambda: None))
import torch


class Meter:
    def measure(self):
        if not torch.cuda.is_available():
            return 0
        return self._peak() // 2

    def _peak(self):
        torch.cuda.synchronize()
        return torch.cuda.max_memory_allocated()


def peak_of(work):
    if not torch.cuda.is_available():
        return 0
    peak = 0
    for _ in range(2):
        peak = max(peak, _run(work))
    return peak


def _run(work):
    work()
    torch.cuda.synchronize()
    return torch.cuda.max_memory_allocated()
