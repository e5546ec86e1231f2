# rules: PF403,PF407
"""Two arms that make the same by types of CUDA and of the CPU: a device says it once."""
# run: print(tag([[1, 2], [3]], torch.cuda.is_available())[0].shape, score(torch.ones(2, 3))[0].shape, either([1.0], torch.cuda.is_available()).shape)
# run: print(behind([1, 2]).shape, noise(4).shape, cast([1.0, 0.0]).dtype)
import torch


def tag(rows, use_cuda):
    tags = []
    table = torch.zeros(len(rows), 3)
    device = torch.device("cuda" if use_cuda else "cpu")
    for row in rows:
        indices = [int(r) for r in row]
        # want: PF407
        tags.append(torch.LongTensor(indices).to(device))
    # want: PF403
    table = table.to(device)
    return table, tags


def score(features):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    # want: PF407
    start = torch.tensor([
        1
    ], dtype=torch.int64, device=device)
    start = start[None, :].repeat(features.shape[0], 1)
    stop = torch.tensor([2], dtype=torch.int64, device=device)
    return start, stop


def either(values, use_cuda):
    values = list(values)
    device = torch.device("cuda" if use_cuda else "cpu")
    return torch.FloatTensor(values).to(device)  # want: PF407


def behind(size):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    # want: PF407
    return torch.FloatTensor(list(size)).to(device)


def noise(size):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    # want: PF407
    made = torch.empty(4, 2, dtype=torch.float32, device=device)
    return made.fill_(size)


def cast(values):
    mask = torch.tensor(values)
    mask = mask.view(-1)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    # want: PF407
    mask = mask.to(device, torch.uint8)
    return mask
