import torch


def train(batches, use_cuda):
    if use_cuda:  # element types
        dtype = torch.cuda.FloatTensor  # want: PF407
        ltype = torch.cuda.LongTensor
    else:
        dtype = torch.FloatTensor
        ltype = torch.LongTensor
    for x, y in batches:
        x = x.view(-1).type(dtype)
        y = y.view(-1).type(ltype, non_blocking=True)
        print(x, y, dtype([1, 2]))
# run: train([(torch.ones(2), torch.ones(2))], torch.cuda.is_available())
