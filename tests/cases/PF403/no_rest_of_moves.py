# Without the other moves the guard would still surround moves: all of them stay.
import torch


def convert(arrays, lengths, labels, is_cuda):
    xs = [torch.tensor(array) for array in arrays]
    ys = torch.tensor(labels)
    if is_cuda:  # want: PF403 note
        xs = [xs[i].cuda() for i in range(len(xs))]
        lengths = [length.cuda() for length in lengths]
        ys = ys.cuda()
    return xs, lengths, ys
