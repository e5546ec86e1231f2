"""Without default_collate a batch may hold objects of any class, such as this one with a `.cuda()` and no `.to()`."""
from torch.utils.data import DataLoader


class Thing:
    def cuda(self):
        print("on the GPU")
        return self


things, options = [Thing()] * 8, {"collate_fn": list}


def show():
    for thing in DataLoader(things, batch_size=4, collate_fn=list):
        print(len(str(thing.cuda)))
        thing.cuda()  # want: PF401 report


