"""The call is not in an interval that is measured."""
# run: print(waited() >= 0, slept(), started() >= 0)
import time

import torch


def waited():
    seconds = time.perf_counter()
    if torch.cuda.is_available():
        torch.cuda.synchronize()  # want: PF406
    return seconds


def slept():
    if torch.cuda.is_available():
        torch.cuda.synchronize()  # want: PF406
    time.sleep(0)


def started():
    if torch.cuda.is_available():
        torch.cuda.synchronize()  # want: PF406
    return time.perf_counter()
