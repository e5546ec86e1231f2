# torch.compile and FSDP pass attributes on; a subclass may; the plain module has its own.
import torch
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel


class Transparent(nn.DataParallel):
    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(self.module, name)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def use(net):
    print(Transparent(net.to(device)).fc, torch.compile(net.to(device)).fc)
    model = Transparent(net.to(device))
    sharded = FullyShardedDataParallel(net.to(device))
    compiled = torch.compile(net.to(device))
    wrapped = nn.DataParallel(net.to(device))
    inner = wrapped.module
    return model.fc, sharded.fc, compiled.fc, inner.fc, net.fc
