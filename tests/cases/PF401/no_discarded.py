"""A move of a tensor whose result is discarded does nothing: another device in it does nothing either. A module moves in place."""
# not run: it fails without a GPU before and after, as the code that has to be repaired by hand
import torch


def assign(values, broadcast):
    found = torch.arange(3)
    found.cuda()  # want: PF401 report
    broadcast(found)
    return found
