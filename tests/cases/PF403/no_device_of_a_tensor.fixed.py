"""A device of its own: the tensor may be an array, has no dimensions, meets nothing on a path, or only under the test."""
# run: use, x = torch.cuda.is_available(), torch.ones(2)
# run: x = x.cuda() if use else x
# run: print(parameter(x, use), number(x, use), under_the_test(x, use), way_out(x, use, True), moved(x, use), bound_twice(x, use))
import torch


def parameter(x, use_gpu):
    device = torch.device("cuda" if use_gpu else "cpu")
    noise = torch.ones(x.shape, device=device)  # want: PF403
    return (x * noise).sum().item()


def number(x, use_gpu):
    total = torch.relu(x).sum()
    device = torch.device("cuda" if use_gpu else "cpu")
    noise = torch.ones(2, device=device)  # want: PF403
    return (total * noise).sum().item()


def under_the_test(x, use_gpu):
    rows = torch.relu(x)
    noise = torch.ones(rows.shape)
    device = torch.device("cuda" if use_gpu else "cpu")
    noise = noise.to(device)
    if use_gpu:  # want: PF403
        print((rows * noise).shape)
    return noise.sum().item()


def way_out(x, use_gpu, early):
    rows = torch.relu(x)
    device = torch.device("cuda" if use_gpu else "cpu")
    noise = torch.ones(rows.shape, device=device)  # want: PF403
    if early:
        return noise.sum().item()
    return (rows * noise).sum().item()


def moved(x, use_gpu):
    rows = torch.relu(x)
    device = torch.device("cuda" if use_gpu else "cpu")
    noise = torch.ones(rows.shape, device=device)  # want: PF403
    return (rows.cpu() * noise.cpu()).sum().item()


def bound_twice(x, use_gpu):
    rows = torch.ones(2)
    print(rows.shape)
    rows = torch.relu(x)
    device = torch.device("cuda" if use_gpu else "cpu")
    noise = torch.ones(rows.shape, device=device)  # want: PF403
    return (rows * noise).sum().item()
