"""Graphs."""


class Data:
    """A graph: its tensors are the arguments, and `to` moves them in place."""

    def __init__(self, **tensors):
        self.__dict__.update(tensors)

    def to(self, device):
        for name, tensor in list(self.__dict__.items()):
            setattr(self, name, tensor.to(device))
        return self

    @property
    def num_nodes(self):
        return len(self.x)
