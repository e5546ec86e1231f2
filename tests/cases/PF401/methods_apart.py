"""A function beside a class, a static method and another class do not wait for the methods of an object."""
# run: print(prior(2).shape, Whole().weight().shape, Static.prior(3).shape)
# run: torch.cuda.is_available() and Flow().sample(type("Source", (), {"draw": staticmethod(torch.ones)}))
import torch


class Flow:
    def sample(self, source):
        noise = source.draw(3)
        return noise.cuda()  # want: PF401 unsafe


def prior(count):
    return torch.ones(count).cuda()  # want: PF401


class Static:
    def sample(self, source):
        noise = source.draw(3)
        return noise.sum()

    @staticmethod
    def prior(count):
        return torch.ones(count).cuda()  # want: PF401


class Whole:
    def weight(self):
        return torch.ones(3).cuda()  # want: PF401

    def total(self, noise):
        return noise.sum()
