# options: unsafe
import torch


def convert(x, n, model):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    a = x.to(device, torch.float32)  # want: PF407 unsafe
    b = torch.FloatTensor(n).to(device)  # want: PF407 unsafe
    return a, b, device
# run: print(convert(torch.ones(2), 3, None)[0])
