# A function that belongs to no module reads the device of its argument, or places another tensor, and makes one on the CPU beside it.
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: print(encode(torch.ones(3, device=device), 4).sum())
# run: print(scaled(torch.ones(4, device=device), 4).sum())
# run: print(normalised(torch.ones(2, 2, device=device), device).sum())
# run: print(Grid().norm(torch.ones(4, 1, device=device)))
# run: print(drawn(torch.ones(4, device=device)).shape)
import torch


def encode(x, count):
    x = x.unsqueeze(-1)
    device, whole = x.device, x
    scales = 2 ** torch.arange(count)  # want: PF302 warning
    angles = x / scales
    zero = torch.zeros(1, 1, device=device)
    return torch.cat([angles.sin(), whole + zero], dim=-1)


def scaled(x, count):
    shift = torch.zeros(count, device=x.device)
    scales = torch.arange(count)  # want: PF302 warning
    return x / (scales + 1) + shift


def normalised(image, device):
    image = image.float().mul_(0.5)
    mean = torch.tensor([0.1, 0.2]).view(1, 2)  # want: PF302
    std = torch.tensor([0.3, 0.4], device=device).view(1, 2)
    return (image - mean) / std


class Grid:
    def norm(self, points):
        lengths = torch.ones(4, 1).to(points.device)
        corners = torch.zeros((4, 1))  # want: PF302 warning
        return torch.dist(points - corners, lengths)


def drawn(x):
    keep = torch.ones(x.shape[0], device=x.device)
    noise = torch.rand(4)  # want: PF302 warning
    return x * keep + noise
