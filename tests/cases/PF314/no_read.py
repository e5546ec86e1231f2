# Nothing on the CPU reads the values here: the caller may wait, the GPU alone reads, the size alone is read, or the copy does not run in the background.
import numpy as np
import torch

device = torch.device("cuda")
buffer = torch.zeros(3)
pinned = torch.zeros(3, pin_memory=True)
saved = []


def move(x, blocking, queue):
    buffer.copy_(x, non_blocking=True)  # not pinned: this waits
    print(buffer.sum())
    pinned.copy_(x, non_blocking=blocking)
    print(pinned.sum())
    y = x.to("cpu", non_blocking=True)
    saved.append(y)
    queue.put(y)
    z = x.to(device, non_blocking=True)
    print(z.sum(), y.shape, y.dtype, len(y), y is None)
    back = y.to(device, non_blocking=True)
    print(back.sum(), y.to(device) + back)
    w = x.to("cpu", non_blocking=False)
    print(w.sum())
    return x.to("cpu", non_blocking=True)


def array_for_caller(x):
    return x.to("cpu", non_blocking=True).numpy()


def shared(x):
    array = np.asarray(x.to("cpu", non_blocking=True))
    torch.cuda.synchronize()
    return array.mean()


def of_host():
    x = torch.ones(3)
    y = x.to("cpu", non_blocking=True)
    print(y.sum())


def written_again(x):
    y = x.to("cpu", non_blocking=True)
    y = torch.zeros(3)
    print(y.sum())


def one_of(x, test):
    if test:
        y = x.to("cpu", non_blocking=True)
    else:
        y = x.cpu()
    print(y.sum())


def by_key(batch):
    moved = batch.to("cpu", non_blocking=True)  # a container of another library, which may wait
    return moved["image"].sum()


def destination(x, place):
    y = x.to(place, non_blocking=True)
    print(y.sum())
