import torch


def evaluate(batches, half=False):
    tensor_type = torch.cuda.HalfTensor if half else torch.cuda.FloatTensor  # want: PF407
    for batch in batches:
        print(batch.view(-1).type(tensor_type))
# run: evaluate([torch.ones(2, 2)])
