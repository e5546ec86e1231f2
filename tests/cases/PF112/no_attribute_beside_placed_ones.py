# options: unsafe
# The module of an attribute that is not placed where it is made: it gets the device, is placed later, or belongs to a module; or the test is one
# of the device, and the lines beside place other things.
from torch import nn
from nets import Net, build


class GetsDevice:
    def __init__(self, name, model, device):
        if model is not None:
            self.model = model.to(device)
        else:
            self.model = Net.from_pretrained(name, device)


class PlacedLater:
    def __init__(self, name, model, device):
        if model is not None:
            self.model = model.to(device)
        else:
            self.model = Net.from_pretrained(name)
        self.name = name

    def start(self, device):
        self.model.to(device)


class Module(nn.Module):
    def __init__(self, name, model, device):
        super().__init__()
        if model is not None:
            self.model = model.to(device)
        else:
            self.model = Net.from_pretrained(name)


class Tested:
    def __init__(self, name, model, device):
        if device != "cpu":
            self.model = model.to(device)
        else:
            self.model = Net.from_pretrained(name)


class Given:
    def __init__(self, model, wrapped, device):
        if model is not None:
            self.model = model.to(device)
        else:
            self.model = wrapped


class Row:
    def __init__(self, makers, others, device):
        self.value_model = makers["value"]().to(device)
        self.policy_model = others["policy"]()
        self.target_model = build("target")
        self.feature_model = makers["feature"]().to(device)


class FewBeside:
    def __init__(self, makers, device):
        self.value_model = makers["value"]().to(device)
        self.policy_model = makers["policy"]()
