import torch
import torch.nn as nn


def counted(f):
    def wrapped(*args):
        return f(*args)
    return wrapped


@counted
def build(n):
    return nn.Linear(n, 2)


@torch.no_grad()
def plain(n):
    return nn.Linear(n, 2)


def main():
    use_cuda = torch.cuda.is_available()
    found = build(4)
    if use_cuda:  # want: PF403 unsafe
        found = found.cuda()
    return found


def other():
    use_cuda = torch.cuda.is_available()
    net = plain(4)
    device = torch.device("cuda" if use_cuda else "cpu")
    # want: PF403
    net = net.to(device)
    return net


if __name__ == "__main__":
    main()
    other()
