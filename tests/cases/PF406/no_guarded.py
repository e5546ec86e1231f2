import torch


def wait(args, device):
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    if args.cuda:
        torch.cuda.set_device(args.gpu)
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    name = torch.cuda.get_device_name(0) if torch.cuda.is_available() else "host"
    return name


def cuda_wait():
    assert torch.cuda.is_available()
    torch.cuda.synchronize()
