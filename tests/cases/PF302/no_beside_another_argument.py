# options: unsafe
# No argument shows that it may be on a device.
import torch


class Boxes:
    def __init__(self, device):
        self.device = device

    def scaled(self, corners):
        ratios = torch.tensor([[0.5, 2.0]])
        return corners.unsqueeze(0) * ratios


def scaled(corners, like):
    ratios = torch.tensor([[0.5, 2.0]])
    return corners.unsqueeze(0) * ratios, like.shape
