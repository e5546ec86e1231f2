"""Code that says it needs a GPU."""
import sys
import unittest

import torch


@unittest.skipIf(not torch.cuda.is_available(), "needs a GPU")
class TestKernels(unittest.TestCase):
    def test_sum(self):
        self.assertEqual(torch.ones(3).cuda().sum().item(), 3)


def profile():
    start = torch.cuda.Event(enable_timing=True)
    start.record()
    return torch.ones(3).cuda() * 2  # want: PF401 note


def fast(x):
    assert torch.cuda.is_available()
    return torch.relu(x).cuda()  # want: PF401 note


def main():
    if not torch.cuda.is_available():
        sys.exit("no GPU")
    print(fast(torch.ones(2).cuda()), profile())  # want: PF401 note


if __name__ == "__main__":
    main()
