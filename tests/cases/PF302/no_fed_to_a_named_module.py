"""It is called as a function, the tensor is moved first, or it holds lengths."""
import torch


def drawn(plot, n, device):
    noise = torch.randn(n, 3)
    labels = torch.randint(0, 2, (n, 3), device=device)
    return plot(noise, labels)


def moved(generator, n, device):
    noise = torch.randn(n, 3)
    labels = torch.randint(0, 2, (n, 3), device=device)
    noise = noise.to(device)
    return generator(noise, labels)


def packed(encoder, n, device):
    lengths = torch.full((n,), 3)
    tokens = torch.randint(0, 2, (n, 3), device=device)
    return encoder(tokens, lengths)
