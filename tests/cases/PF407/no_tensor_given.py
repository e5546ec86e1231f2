import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def fill(x):
    a = torch.cuda.FloatTensor(x.view(-1))  # want: PF407 report
    b = torch.cuda.FloatTensor(3, device="cuda:1")  # want: PF407 report
    return a, b
