"""Nothing that is loaded has the name of weights, or it has one of something else, too."""
import torch
from torch.utils.data import Dataset


class Graphs(Dataset):
    def __init__(self, folder):
        self.data, self.slices = torch.load(folder + "/graphs.pt")
        self.network_index = torch.load(folder + "/network.pt")


def rows(path):
    loaded = torch.load(path)
    return loaded["rows"], loaded["columns"]


def resumed(scheduler, path):
    state = torch.load(path + "/scheduler.pt")
    scheduler.restore(state["state_dict"])


def vocabulary(checkpoint_vocab):
    return torch.load(checkpoint_vocab)


def mapped(path):
    checkpoint = torch.load(path, map_location="cpu")
    model = torch.load(path, "cpu")
    return checkpoint, model


def on_a_gpu(path):
    if torch.cuda.is_available():
        return torch.load(path + "/model.pt")
    return None


def test_restored(path):
    checkpoint = torch.load(path)
    assert "state_dict" in checkpoint
