# As many strings in single quotes as in double quotes: a new string has double quotes, and no other changes.
# run: print(make('a').weight)
import torch


def make(name):
    print('layer', "new")
    return torch.nn.Linear(2, 2).cuda()  # want: PF401
