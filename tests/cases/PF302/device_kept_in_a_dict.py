# The device, or the flag for CUDA, is an item of the settings: a dict of options, a dict of a trainer under constants.
# options: unsafe
# given: DEVICE = "device"
# run: d = "cuda" if torch.cuda.is_available() else "cpu"
# run: torch.manual_seed(0)
# run: print(under_a_key({"device": d}), read_with_get({"device": d}), with_a_flag({"cuda": torch.cuda.is_available()}))
# run: import types; print(part_of_the_settings(types.SimpleNamespace(train=types.SimpleNamespace(device=d))))
import torch
from torch import nn


def under_a_key(cfg):
    net = nn.Linear(3, 4).to(cfg["device"])
    start = torch.zeros(2, 3)  # want: PF302
    return net(start).shape


def read_with_get(opt):
    net = nn.Linear(3, 4)
    device = opt.get("device")
    net.to(device)
    start = torch.zeros(2, 3)  # want: PF302
    return net(start).shape


def with_a_flag(opt):
    device = torch.device("cuda" if opt["cuda"] else "cpu")
    net = nn.Linear(3, 4)
    if opt["cuda"]:
        net = net.cuda()
    start = torch.zeros(2, 3)  # want: PF302
    return net(start).shape


def part_of_the_settings(cfg):
    net = nn.Linear(3, 4).to(cfg.train.device)
    start = torch.zeros(2, 3)  # want: PF302
    return net(start).shape
