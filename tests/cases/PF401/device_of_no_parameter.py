"""No device of a parameter whose values may be on the CPU."""
# run: x = torch.ones(2, 3, device="cuda" if torch.cuda.is_available() else "cpu")
# run: print(counted(x, x[0]).sum().item())
import torch


def counted(points, number):
    number = number.cpu().long().view(-1, 1)
    steps = torch.arange(3).cuda()  # want: PF401
    return steps * points.shape[0] + int(number[0])
