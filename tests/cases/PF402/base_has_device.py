"""A new device in a method is an unsafe fix where the object has one by a base of its class, or by the class."""
# run: print(Plain().results(2).shape, State.empty(2).shape)
# after: unsafe
import torch


class Model:
    def __init__(self, options):
        self.device = options.place


class Derived(Model):
    def results(self, n):
        return torch.zeros(n, device="cuda")  # want: PF402 unsafe


class State:
    device: torch.device = torch.device("cuda")  # want: PF402 unsafe

    @staticmethod
    def empty(n):
        return torch.zeros(n, device="cuda")  # want: PF402 unsafe


class Plain:
    def results(self, n):
        return torch.zeros(n, device="cuda")  # want: PF402
