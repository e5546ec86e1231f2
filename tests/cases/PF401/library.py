# options: unsafe
"""A library: the device comes from a tensor at hand, or is chosen when a function runs."""
import torch
import torch.nn as nn


class Noise(nn.Module):
    def forward(self, x, scale):
        h = torch.zeros(x.size(0), 8).cuda()  # want: PF401
        noise = torch.randn(x.shape)
        noise = noise.cuda()  # want: PF401
        return x + scale * noise, h


def one_hot(labels, classes):
    """One row for each label."""
    target = torch.zeros(labels.size(0), classes).cuda()  # want: PF401
    return target.scatter_(1, labels.view(-1, 1), 1)


def embed(net, words):
    """The words' vectors."""
    vectors = []
    for word in words:
        ids = torch.tensor([ord(c) for c in word]).cuda()  # want: PF401 unsafe
        vectors.append(net(ids))
    return torch.stack(vectors).cuda()  # want: PF401 unsafe
# run: from drive import device
# run: print([part.sum().item() for part in Noise()(torch.ones(2, 8).to(device), 0.5)])
# run: print(one_hot(torch.tensor([0, 2]).to(device), 3).tolist())
# run: print(embed(nn.Embedding(200, 4).to(device), ["ab", "cd"]).sum().item())
