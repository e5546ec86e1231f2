import torch

from mylib import load_sample, make_thing

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
sample = load_sample("a")
sample.to(device)
thing = make_thing()
thing.inner.to(device)
thing.cuda()


def place(batch, model):
    batch.to(device)
    model.to(device)
    return model(batch)


place(sample, thing)
