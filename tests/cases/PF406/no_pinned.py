"""Pinning that is a setting, guarded, of an unknown object, or part of a protocol; and a value that no statement holds."""
import torch


class Batch:
    def __init__(self, rows):
        self.rows = torch.ones(rows)

    def pin_memory(self):
        self.rows = self.rows.pin_memory()
        return self


def load(rows, pin):
    x = torch.ones(rows)
    if pin:
        x = x.pin_memory()
    return x if not pin else x.pin_memory()


def unknown(x):
    return x.pin_memory()


def guarded(rows):
    x = torch.ones(rows)
    return x.pin_memory() if torch.cuda.is_available() else x


def shown(rows):
    y = (
        torch.ones(rows).pin_memory()  # want: PF406 report
    )
    return [y, torch.ones(rows).pin_memory()]  # want: PF406 report


print(load(2, False), guarded(2), Batch(2).rows, unknown, shown)
