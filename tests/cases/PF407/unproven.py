# options: unsafe
import torch


def convert(x, n, model):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    a = x.type(torch.cuda.FloatTensor)  # want: PF407 unsafe
    b = torch.cuda.FloatTensor(n)  # want: PF407 unsafe
    return a, b, device
# run: print(convert(torch.ones(2), 3, None)[0])
