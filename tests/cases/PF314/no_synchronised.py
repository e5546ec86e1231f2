# The CPU waits before it reads, or something may: a synchronisation, an event, a copy that blocks, unknown code.
import torch

device = torch.device("cuda")
x = torch.arange(6.0).to(device)
y = x.to("cpu", non_blocking=True)
torch.cuda.synchronize()
print(y.sum())

a = x.to("cpu", non_blocking=True)
done = torch.cuda.Event()
done.record()
done.synchronize()
print(a.tolist())

b = x.to("cpu", non_blocking=True)
print(x.sum().item(), b[0])
c = x.to("cpu", non_blocking=True)
d = (x * 2).cpu()
print(c + d)


def later(stream, helper):
    with torch.cuda.stream(stream):
        found = x.to("cpu", non_blocking=True)
    stream.synchronize()
    other = x.to("cpu", non_blocking=True)
    helper.wait()
    return found.sum().item(), other.sum().item()


def of_block(timer):
    with timer:  # which may synchronise at its end
        found = x.to("cpu", non_blocking=True)
    return found.sum().item()
