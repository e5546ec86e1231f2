"""An argument with a number as its default is no tensor, although another argument is moved."""
import torch
from nets import build


def thresholds(images, mask, device, low=0.5, net=None):
    net = net or build()
    mask = mask.to(device)
    heat = net(images.to(device)) * mask
    return torch.quantile(heat.flatten(), low), torch.clamp(heat, low)
