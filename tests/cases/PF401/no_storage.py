import torch


def put(storage, location):
    return storage.cuda()  # want: PF401 report


def load(path):
    kept = torch.load(path, map_location=lambda storage, location: storage)
    return torch.load(path, map_location=put), kept
