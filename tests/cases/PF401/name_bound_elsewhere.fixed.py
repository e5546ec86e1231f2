"""Names of comprehensions, lambdas, classes and functions inside are none of the function around them."""
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def comprehension(n):
    scale = torch.ones(n, device=device)  # want: PF401
    return scale * sum([device for device in range(n)])


def function_inside(n):
    scale = torch.ones(n, device=device)  # want: PF401

    def inner():
        device = 3
        return device

    return scale * inner()


def class_inside(n):
    scale = torch.ones(n, device=device)  # want: PF401

    class Settings:
        device = 3

    return scale * Settings.device


def given_inside(n):
    scale = torch.ones(n, device=device)  # want: PF401
    return scale * (lambda device: device + 1)(n)


class Method:
    device = 5

    def scale(self, n):
        return torch.ones(n, device=device)  # want: PF401
# run: print(comprehension(2), function_inside(2), class_inside(2), given_inside(2), Method().scale(2))
