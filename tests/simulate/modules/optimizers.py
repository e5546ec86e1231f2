"""Somebody's optimizer."""

import torch


class Lookahead(torch.optim.RMSprop):
    """Another name for an old one."""
