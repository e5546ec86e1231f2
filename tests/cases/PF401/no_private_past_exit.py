"""A private function that is called only where a run without CUDA has left: it never runs without CUDA."""
# run: print(measured(2), Probe().used())
import torch


def measured(n):
    if not torch.cuda.is_available():
        return 0
    return _allocated(n) * 0 + 1


def _allocated(n):
    x = torch.zeros(n).cuda()  # want: PF401 note
    return x.numel()


class Probe:
    def used(self):
        if not torch.cuda.is_available():
            return 0
        return self._filled(3).numel()

    def _filled(self, n):
        return torch.ones(n).cuda()  # want: PF401 note
