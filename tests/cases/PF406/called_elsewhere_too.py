"""A function that is called below a way out, and in another place, or that others may call."""
# run: print(peak(), step(lambda: 1), open_to_all())
import torch


def peak():
    if not torch.cuda.is_available():
        return 0
    open_to_all()
    return _run(lambda: 0)


def step(work):
    return _run(work)


def _run(work):
    torch.cuda.synchronize()  # want: PF406
    return work()


def open_to_all():
    torch.cuda.synchronize()  # want: PF406
    return 1
