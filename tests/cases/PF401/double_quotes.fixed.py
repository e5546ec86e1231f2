# As many strings in single quotes as in double quotes: a new string has double quotes, and no other changes.
# run: print(make('a').weight)
import torch


def make(name):
    print('layer', "new")
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return torch.nn.Linear(2, 2).to(device)  # want: PF401
