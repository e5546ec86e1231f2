"""Devices that are told, compared or listed; one of several that a function returns; functions of CUDA; defaults."""
import unittest

import torch


class Placed(unittest.TestCase):
    def test_device(self):
        x = torch.ones(2)
        self.assertEqual(x.device, torch.device("cuda:0"))
        if x.device == torch.device("cuda"):
            print(torch.device("cuda"))


def choose(use_cuda):
    if not use_cuda:
        return torch.device("cpu")
    return torch.device("cuda")


def cuda_device():
    return torch.device("cuda")


class CudaBackend:
    def device(self):
        return torch.device("cuda")


def memory():
    return torch.cuda.memory_allocated(torch.device("cuda"))


def evaluate(x, device=torch.device("cuda")):  # want: PF402 unsafe
    return x.to(device)


def compare(x, *, left=torch.device("cuda:0"), right=None):  # want: PF402 unsafe
    return x.to(left), x.to(right)


def devices():
    found = []
    found.append(torch.device("cuda"))
    for device in [torch.device("cpu"), torch.device("cuda")]:
        found.append(device)
    return found
