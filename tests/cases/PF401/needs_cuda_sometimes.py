"""What a function does without CUDA as well is no need of it: a test around it, a way out above it, a number that is given."""
# run: print(halves(torch.ones(4)).sum().item(), tested(torch.ones(4)).sum().item(), guarded(torch.ones(4)).sum().item())
# run: print(given({"x": torch.ones(4)}).sum().item(), Plain().run(torch.ones(4)).sum().item())
import torch


def out_early(x):
    if not x.is_cuda:
        return x
    assert x.is_cuda
    return x * 2 / 2


def with_kernel(x, kernel=False):
    if kernel:
        assert x.is_cuda
    return x


def put(batch, where=0):
    return {name: x.to(where) for name, x in batch.items()}


def lies(x, gpu=0):
    return x.to(gpu) if gpu > 0 else x


def nccl_is_there():
    return torch.cuda.device_count() > 8


def halves(x):
    x = torch.relu(x).cuda()  # want: PF401
    return out_early(x) / 2


def tested(x):
    x = torch.relu(x).cuda()  # want: PF401
    return lies(with_kernel(x)) if not nccl_is_there() else x


def guarded(x):
    y = torch.relu(x).cuda()  # want: PF401
    if torch.cuda.is_available():
        assert y.is_cuda
    return y


def given(batch):
    x = torch.relu(batch["x"]).cuda()  # want: PF401
    return put({"x": x}, x.device)["x"]


class Plain:
    def put(self, x):
        return x

    def run(self, x):
        return self.put(torch.relu(x).cuda())  # want: PF401
