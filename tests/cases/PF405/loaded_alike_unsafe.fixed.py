# options: unsafe
# not run: the files are those of another machine
"""Checkpoints by a name next to the load: that of the function which gets it, of the class of the path, of a load with a location."""
import pickle
from functools import partial

import torch
from parts import build_with_state_dict, keep


class Checkpoint:
    def __init__(self, path):
        self.path = path

    def read(self):
        return torch.load(str(self.path), map_location="cpu")  # want: PF405 unsafe


class Table:
    def __init__(self, path):
        self.path = path

    def read(self):
        return torch.load(str(self.path))


def given(path):
    loaded = torch.load(path, map_location="cpu")  # want: PF405 unsafe
    return build_with_state_dict(loaded)


def kept(path):
    rows = torch.load(path)
    return keep(rows)


def whole(path):
    pkg = torch.load(path, map_location="cpu")  # want: PF405 unsafe
    return pkg["config"], pkg["version"]


def weights(path, net):
    pkg = torch.load(path, map_location="cpu")
    net.load_state_dict(pkg["model"])


def with_old_pickles(path):
    try:
        checkpoint = torch.load(path, map_location="cpu")  # want: PF405 unsafe
    except UnicodeDecodeError:
        pickle.load = partial(pickle.load, encoding="latin1")
        checkpoint = torch.load(path, pickle_module=pickle, map_location="cpu")
    return checkpoint


def without_a_gpu(path):
    try:
        checkpoint = torch.load(path)
    except (RuntimeError, OSError):
        checkpoint = torch.load(path, map_location="cpu")
    return checkpoint


def test_round_trip(path):
    pkg = torch.load(path)
    assert pkg["version"] == 1


def cached(path):
    features = torch.load(path)
    return features


def cached_on_cpu(path):
    features = torch.load(path, map_location="cpu")
    return features
