"""Transforms of graphs."""


class NormalizeFeatures:
    """Rows that add up to one."""

    def __call__(self, data):
        data.x = data.x / data.x.abs().sum(1, keepdim=True)
        return data


class ToDevice:
    """Moves each graph."""

    def __init__(self, device):
        self.device = device

    def __call__(self, data):
        return data.to(self.device)
