"""gloo takes a tensor of the CPU."""
# not run: it is for several processes
import torch
import torch.distributed as dist

dist.init_process_group("gloo")


def shared(n):
    x = torch.rand(n)
    x.cuda()  # want: PF303 unsafe, warning
    dist.broadcast(x, 0)
    return x
