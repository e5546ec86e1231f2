"""Where every caller is seen to hand over what lies on the device of the script, that is the one."""
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 3).to(device)


def fed(model):
    x = torch.ones(1, 3, device=device)  # want: PF302
    return model(x).shape


def through(model):
    return fed(model)


def of_the_module_level():
    x = torch.ones(1, 3, device=device)  # want: PF302
    return net(x).shape


class Task:
    def __init__(self):
        self.net = nn.Linear(3, 3).to(device)

    def run(self, scale):
        x = torch.ones(1, 3, device=device)  # want: PF302
        return (self.net(x) * scale).shape

    def moved(self, scale):
        scale = scale.to(device)
        x = torch.ones(3, device=device)  # want: PF302
        return (x * scale).shape


if __name__ == "__main__":
    print(fed(net), through(net), of_the_module_level())
    print(Task().run(2.0), Task().moved(torch.ones(3)))
