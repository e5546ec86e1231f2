import numpy as np
import torch


def main():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    x = torch.FloatTensor(np.zeros((4, 2))).to(device)  # want: PF407
    noise = torch.empty(4, 2, dtype=torch.float32, device=device).normal_()  # want: PF407
    count = torch.tensor([0], dtype=torch.int64, device=device)  # want: PF407
    mask = torch.zeros(4).to(device, torch.uint8)  # want: PF407
    half = (x + noise).to(device, torch.float16)  # want: PF407
    rows = torch.DoubleTensor(  # want: PF407
        4,
        2,
    ).to(device)
    size = torch.IntTensor(*x.shape).to(device)  # want: PF407
    return x, noise, count, mask, half, rows, size


if __name__ == "__main__":
    main()
