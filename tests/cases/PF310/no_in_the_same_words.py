"""What numpy reads beside a copy comes from elsewhere, is read in other words, or under a test."""
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def apart(net, pairs, labels):
    found = []
    for x in pairs:
        for label in labels:
            a, b = net(x.to(device)).cpu().numpy(), label.numpy()
            found.append(a - b)
    return found


def other_words(net, pairs):
    found = []
    for x, label in pairs:
        x, label = net(x).view(-1).cpu().numpy(), label.long().numpy()
        found.append(x - label)
    return found


def output_and_label(pairs):
    found = []
    for output, label in pairs:
        output, label = output.detach().cpu().numpy(), label.numpy()
        found.append(output - label)
    return found


def asked(pairs, use_cuda):
    for x, y in pairs:
        if use_cuda:
            x, y = x.cpu().numpy(), y.numpy()
        yield x, y
