"""The call is not in an interval that is measured."""
# run: print(waited() >= 0, slept(), started() >= 0)
import time

import torch


def waited():
    seconds = time.perf_counter()
    torch.cuda.synchronize()  # want: PF406
    return seconds


def slept():
    torch.cuda.synchronize()  # want: PF406
    time.sleep(0)


def started():
    torch.cuda.synchronize()  # want: PF406
    return time.perf_counter()
