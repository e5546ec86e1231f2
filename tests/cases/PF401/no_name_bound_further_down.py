"""What a function binds anywhere is its own name everywhere in it: the module's device cannot be read there."""
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def loop(n):
    scale = torch.ones(n).cuda()  # want: PF401 report
    for device in range(n):
        scale = scale + device
    return scale


def assigned(n):
    scale = torch.ones(n).cuda()  # want: PF401 report
    device = n
    return scale * device


def annotated(n):
    scale = torch.ones(n).cuda()  # want: PF401 report
    device: int = n
    return scale * device


def unpacked(n):
    scale = torch.ones(n).cuda()  # want: PF401 report
    (device, *rest), other = (n, 1), 2
    return scale * device * other


def opened(n):
    scale = torch.ones(n).cuda()  # want: PF401 report
    with torch.no_grad() as device:
        return scale, device


def caught(n):
    scale = torch.ones(n).cuda()  # want: PF401 report
    try:
        return scale
    except RuntimeError as device:
        return device


def matched(n):
    scale = torch.ones(1).cuda()  # want: PF401 report
    match n:
        case [device]:
            return device
        case {"device": 1, **device}:
            return device
    return scale


def imported(n):
    scale = torch.ones(n).cuda()  # want: PF401 report
    import math as device

    return scale * device.pi


def defined(n):
    scale = torch.ones(n).cuda()  # want: PF401 report

    def device():
        return scale

    return device()


def classified(n):
    scale = torch.ones(n).cuda()  # want: PF401 report

    class device:
        pass

    return scale, device


def asked(n):
    scale = torch.ones(n).cuda()  # want: PF401 report
    if (device := n) > 1:
        scale = scale + device
    return scale


def deleted(n):
    scale = torch.ones(n).cuda()  # want: PF401 report
    device = n
    del device
    return scale


def around(n):
    def inner():
        return torch.ones(n).cuda()  # want: PF401 report

    result = inner()
    device = n
    return result * device


if torch.cuda.is_available():
    print(loop(2), assigned(2), annotated(2), unpacked(2), opened(2), caught(2), matched(2), imported(2), defined(2))
    print(classified(2), asked(2), deleted(2), around(2))
