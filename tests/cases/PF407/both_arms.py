# rules: PF403,PF407
"""Two arms that make the same by types of CUDA and of the CPU: a device says it once."""
# run: print(tag([[1, 2], [3]], torch.cuda.is_available())[0].shape, score(torch.ones(2, 3))[0].shape, either([1.0], torch.cuda.is_available()).shape)
# run: print(behind([1, 2]).shape, noise(4).shape, cast([1.0, 0.0]).dtype)
import torch


def tag(rows, use_cuda):
    tags = []
    table = torch.zeros(len(rows), 3)
    for row in rows:
        indices = [int(r) for r in row]
        if use_cuda:  # want: PF407
            tags.append(torch.cuda.LongTensor(indices))
        else:
            tags.append(torch.LongTensor(indices))
    if use_cuda:  # want: PF403
        table = table.cuda()
    return table, tags


def score(features):
    if torch.cuda.is_available():  # want: PF407
        start = torch.cuda.LongTensor([
            1
        ])
        start = start[None, :].repeat(features.shape[0], 1)
        stop = torch.cuda.LongTensor([2])
    else:
        start = torch.LongTensor([
            1
        ])
        start = start[None, :].repeat(features.shape[0], 1)
        stop = torch.LongTensor([2])
    return start, stop


def either(values, use_cuda):
    values = list(values)
    return torch.cuda.FloatTensor(values) if use_cuda else torch.FloatTensor(values)  # want: PF407


def behind(size):
    if torch.cuda.is_available():  # want: PF407
        return torch.cuda.FloatTensor(list(size))
    return torch.FloatTensor(list(size))


def noise(size):
    if torch.cuda.is_available():  # want: PF407
        made = torch.cuda.FloatTensor(4, 2)
    else:
        made = torch.FloatTensor(4, 2)
    return made.fill_(size)


def cast(values):
    mask = torch.tensor(values)
    mask = mask.view(-1)
    if torch.cuda.is_available():  # want: PF407
        mask = mask.type(torch.cuda.ByteTensor)
    else:
        mask = mask.type(torch.ByteTensor)
    return mask
