"""A class that a function defines for itself: what counts is what that function does with it, and what it hands on to."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def fit(net):
    return net.to(device)(torch.ones(2, 2).to(device))


def test_on_the_cpu():
    class Noisy(nn.Module):
        def forward(self, x):
            return x + torch.ones(2, 2)  # want: PF304 unsafe, warning

    Noisy()(torch.zeros(2, 2))


def make():
    class Noisy(nn.Module):
        def forward(self, x):
            return x + torch.ones(2, 2)  # want: PF304 unsafe, warning

    return Noisy


def test_of_make():
    make()()(torch.zeros(2, 2))


def test_placed():
    class Noisy(nn.Module):
        def forward(self, x):
            return x + torch.ones(2, 2)  # want: PF304 unsafe

    Noisy().to(device)(torch.zeros(2, 2).to(device))


def test_placed_by_a_helper():
    class Noisy(nn.Module):
        def forward(self, x):
            return x + torch.ones(2, 2)  # want: PF304 unsafe

    fit(Noisy())


def built(n):
    class Noisy(nn.Module):
        def forward(self, x):
            return x + torch.ones(2, 2)  # want: PF304 unsafe

    return Noisy()


def given():
    class Noisy(nn.Module):
        def forward(self, x):
            return x + torch.ones(2, 2)  # want: PF304 unsafe

    return Noisy()


def test_of_given():
    given().to(device)(torch.zeros(2, 2).to(device))


# run: test_of_make()
# before: clean: what is run of it places nothing
