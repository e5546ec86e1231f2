# options: unsafe
"""Values that a function makes alike, of which one is moved: the other one meets nothing of that, is moved later, or is made of other things."""
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def never_together(rows_0, rows_1, size):
    part_0 = rows_0[:size]
    part_1 = rows_1[:size]
    part_1 = part_1.to(device)
    return part_1.sum(), part_0.mean()


def moved_inline(rows_0, rows_1, size):
    part_0 = rows_0[:size]
    part_1 = rows_1[:size]
    part_1 = part_1.to(device)
    return torch.cat((part_0.to(device), part_1))


def of_other_things(rows, places, size):
    part = rows[:size]
    place = places[:size]
    part = part.to(device)
    return torch.cat((part, place))


def given_by_another(rows_0, rows_1, size, replaced):
    part_0 = rows_0[:size]
    part_1 = rows_1[:size]
    part_1 = part_1.to(device)
    if replaced is not None:
        part_0 = replaced
    return torch.cat((part_0, part_1))


def other_arguments(model, batch):
    rows = batch["rows"]
    words = batch["words"]
    rows = rows.to(device)
    return model.score(rows, scale=1), model.score(words, scale=2)


def read_by_numpy(rows_0, rows_1):
    part_0 = rows_0[:2]
    part_1 = rows_1[:2]
    part_1 = part_1.to(device)
    return part_1.cpu().numpy() - part_0.numpy()


def tested(x, where):
    code_0 = torch.tensor([where, 1])
    code_1 = torch.tensor([where, 2])
    if x.is_cuda:
        code_1 = code_1.to(device)
        return x + code_1
    return x + code_0 + code_1
