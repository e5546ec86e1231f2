# rules: all
import os  # noqa
import sys  # noqa: F401
import torch  # noqa: PFX1, PF9, PFL401

# noqa: PF401
# ruff: noqa: PF401
x = torch.ones(2)  # see noqa: PF401 elsewhere
