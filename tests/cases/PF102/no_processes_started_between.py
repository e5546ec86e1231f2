import torch
import torch.multiprocessing as mp
import torch.nn as nn


def work(rank):
    print(rank)


if __name__ == "__main__":
    model = nn.Linear(6, 2)
    model = nn.DataParallel(model)  # want: PF102 report
    mp.spawn(work, nprocs=2)
    model.to("cuda" if torch.cuda.is_available() else "cpu")
