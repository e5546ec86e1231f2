"""Of what holds several tensors, one is copied to the CPU, and numpy reads another one as it is: that may have been there all the time."""
import numpy as np
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 2).to(device)


def evaluate(loader):
    for batch in loader:
        out = net(batch["input"].to(device))
        seen = batch["input"].cpu().numpy()
        meta = batch["meta"].numpy()
        print(seen.shape, meta.shape, out.detach().cpu().numpy().shape)


def pair(batch):
    return batch[0].detach().cpu().numpy(), batch[1].numpy()


def frames_of(speech, frames):
    frames = frames.to(speech.device)
    return frames, speech.numpy()


def named(speech, frames):
    frames = frames.to(device=speech.device)
    return frames, np.asarray(frames.cpu()), speech.numpy()
