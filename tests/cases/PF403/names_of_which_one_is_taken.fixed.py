# Code that gets one of its names, or runs code among them, does not see a new one.
import torch
import torch.nn as nn


def train(name="net", use_gpu=torch.cuda.is_available()):
    net = nn.Linear(3, 2)
    device = torch.device("cuda" if use_gpu else "cpu")
    # want: PF403
    net = net.to(device)
    print(locals()[name] is net, eval("net is not None", globals(), locals()), globals().get("missing"))
    return net


train()
