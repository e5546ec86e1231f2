# options: unsafe
# A constructor places the module of an attribute in one arm of a test and makes it in another; or it places what it makes beside the module.
# given: import torch
# given: class Net(torch.nn.Linear):
# given:     @classmethod
# given:     def from_pretrained(cls, name):
# given:         return cls(3, 2)
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: print(Pipeline("net", None, device).model(torch.ones(3, device=device)).shape)
# run: makers = {"value": lambda: torch.nn.Linear(3, 3), "policy": lambda n: torch.nn.Linear(3, n), "feature": lambda: torch.nn.Linear(3, 3)}
# run: preset = Preset(makers, 2, device)
# run: print(preset.policy_model(preset.feature_model(preset.value_model(torch.ones(3, device=device)))).shape)
import torch


class Pipeline:
    def __init__(self, name, model, device):
        if model is not None:
            self.model = model.to(device)
        elif name is not None:
            self.model = Net.from_pretrained(name).to(device)  # want: PF112 unsafe, warning
        else:
            raise ValueError("a name or a model")


class Preset:
    def __init__(self, makers, n, device):
        self.value_model = makers["value"]().to(device)
        self.policy_model = makers["policy"](n).to(device)  # want: PF112 unsafe, warning
        self.feature_model = makers["feature"]().to(device)
