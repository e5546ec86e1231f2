# options: unsafe
# The argument has another name, or need not meet the tensor, or may be a number and is one of another class; a method that tests the device chooses it itself.
import torch


class Warp:
    def flip(self, image, dim):
        order = torch.arange(image.size(dim) - 1, -1, -1)
        return image.index_select(dim, order)

    def chosen(self, x, low, late):
        ratios = torch.tensor([[low, 2.0]])
        return x * ratios if late else ratios.sum()

    def tested(self, x, low):
        ratios = torch.tensor([[low, 2.0]])
        if x.is_cuda:
            ratios = ratios.cuda()
        return x * ratios

    def shifted(self, x):
        return x + torch.ones(2, device=x.device)


class Host:
    def scaled(self, x, low):
        ratios = torch.tensor([[low, 2.0]])
        return x * ratios
