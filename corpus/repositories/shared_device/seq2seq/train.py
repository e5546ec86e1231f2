import torch
import torch.nn.functional as F

from seq2seq.common import START, device


def start_tokens(batch):
    return torch.full((batch,), START, dtype=torch.long, device=device)


def train_step(encoder, decoder, optimizer, source, target):
    _, hidden = encoder(source)
    hidden = hidden[0]
    token = start_tokens(target.size(1))
    loss = torch.zeros(1).cuda()
    for step in range(target.size(0)):
        scores, hidden = decoder(token, hidden)
        loss = loss + F.cross_entropy(scores, target[step])
        token = target[step]
    optimizer.zero_grad()
    loss.sum().backward()
    optimizer.step()
    return loss.item()
