import torch


def main():
    if False:  # torch.cuda.is_available():
        print(torch.cuda.get_device_name(0))
        device = torch.device("cuda")
    else:
        device = torch.device("cpu")
    while 0:
        torch.cuda.synchronize()
    if not 1:
        torch.cuda.synchronize()
    elif 2 > 1:
        print("on the CPU")
    else:
        torch.cuda.synchronize()
    return device
