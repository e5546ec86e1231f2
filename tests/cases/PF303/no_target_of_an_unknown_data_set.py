"""Nothing shows that the part of a batch is a tensor: another part of another batch is moved, or it is moved to another device."""
import torch
from drive import device
from graphs import GRAPHS


def count(model):
    for graph, size in torch.utils.data.DataLoader(GRAPHS, collate_fn=lambda items: items[0]):
        graph.to(device)
        print(model(graph), size)


def count_both(model, others):
    for graph in torch.utils.data.DataLoader(GRAPHS, collate_fn=lambda items: items[0][0]):
        for number in others:
            number = number.to(device)
            graph.to(device)
            print(model(graph), number)
# not run: the data set of graphs is not there
