"""A number, where other things go to the current GPU: one device cannot be both."""
import torch


def places(x, y, gpu=0):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return torch.relu(x).cuda(gpu), torch.relu(y).to(device)  # want: PF401 display


def has_a_device(x, device, gpu=0):
    return torch.relu(x).to(device), torch.relu(x).cuda(gpu)  # want: PF401 display
