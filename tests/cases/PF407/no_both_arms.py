"""Arms that differ in more than where the tensor is made; and what is made on CUDA machines only."""
# run: print(other([1]), handed([1]), only([1]), more([1]))
import torch


def other(values):
    if torch.cuda.is_available():  # want: PF407 note
        made = torch.cuda.LongTensor(values)
    else:
        made = torch.FloatTensor(values)
    return made.shape


def handed(values):
    if torch.cuda.is_available():  # want: PF407 unsafe
        made = torch.cuda.LongTensor(values)
    else:
        made = torch.LongTensor(values)
    return made.shape


def only(values):
    if torch.cuda.is_available():  # want: PF407 note
        values = torch.cuda.LongTensor(values)
    return len(values)


def more(values):
    if torch.cuda.is_available():  # want: PF407 note
        made = torch.cuda.LongTensor(values)
    else:
        made = torch.LongTensor(values)
        print("no CUDA")
    return made.shape
