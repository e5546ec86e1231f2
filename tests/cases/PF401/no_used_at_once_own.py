"""An operand may come from a `.cuda()` of its own."""
import torch


class Results:
    def cuda(self):
        return torch.ones(2)


def own(results):
    return results.cuda() * 2  # want: PF401 report
