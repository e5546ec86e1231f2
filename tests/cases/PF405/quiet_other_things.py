import torch
import torch.nn as nn

net = nn.Linear(4, 2)


def data(path):
    images, labels = torch.load(path)
    return images, labels


def features(cached_features, model_name):
    kept = torch.load(cached_features)
    settings = torch.load(f"{model_name}/training_args.bin")
    return kept, settings


def numbers(scheduler, scaler, path):
    scheduler.load_state_dict(torch.load(path))
    scaler.load_state_dict(torch.load(path)["scaler"])


def own(path):
    checkpoint = net.load(path)
    net.load_state_dict(checkpoint)
