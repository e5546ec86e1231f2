# Functions of a file that places nothing make tensors for those that they receive; one reads the device of its argument.
# given: from drive import device
import torch


class Images:
    @staticmethod
    def normalized(x):
        mean = (1 + torch.tensor([-0.030, -0.088, -0.188])[None, :, None, None]) * 255 / 2  # want: PF302 warning
        scale = 2 / (torch.tensor([0.458, 0.448, 0.450], device=x.device)[None, :, None, None] * 255)
        return (x.float() - mean) * scale


# run: print(Images.normalized(torch.ones(1, 3, 2, 2).to(device)).shape)
