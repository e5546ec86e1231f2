"""A helper moves it elsewhere, moves something that does not come with it, or is none that moves."""
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def to_device(batch, place):
    return batch


def scaled(batch, place):
    return batch


def elsewhere(data, other):
    features, labels = data
    labels.to(device)
    features = to_device(features, other)
    return features, labels


def apart(first, second):
    features, names = first
    labels, more = second
    labels.to(device)
    features = to_device(features, device)
    return features, labels, names, more


def no_move(data):
    features, labels = data
    labels.to(device)
    features = scaled(features, device)
    return features, labels


# run: elsewhere((torch.ones(2), torch.ones(2)), "cpu")
