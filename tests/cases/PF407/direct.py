import numpy as np
import torch


def main():
    x = torch.cuda.FloatTensor(np.zeros((4, 2)))  # want: PF407
    noise = torch.cuda.FloatTensor(4, 2).normal_()  # want: PF407
    count = torch.cuda.LongTensor([0])  # want: PF407
    mask = torch.zeros(4).type(torch.cuda.ByteTensor)  # want: PF407
    half = (x + noise).type("torch.cuda.HalfTensor")  # want: PF407
    rows = torch.cuda.DoubleTensor(  # want: PF407
        4,
        2,
    )
    size = torch.cuda.IntTensor(*x.shape)  # want: PF407
    return x, noise, count, mask, half, rows, size


if __name__ == "__main__":
    main()
