"""One of the loaders has a function of its own: its batches may hold objects of the class below."""
import sys

from torch.utils.data import DataLoader


class Thing:
    def cuda(self):
        print("on the GPU")
        return self


things = [Thing()] * 8
if len(sys.argv) > 1:
    loader = DataLoader(things, batch_size=4)
elif len(sys.argv) > 2:
    loader = DataLoader(things, batch_size=4, collate_fn=list)
else:
    loader = DataLoader(things)


def show():
    for thing in loader:
        print(len(str(thing.cuda)))
        thing.cuda()  # want: PF401 report
