import time

import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(torch.cuda.get_device_name(0))  # want: PF406


def measure(model, x):
    torch.cuda.synchronize()  # want: PF406
    start = time.perf_counter()
    for _ in range(10):
        model(x)
        torch.cuda.synchronize(device)  # want: PF406
    # since the last time
    torch.cuda.reset_peak_memory_stats()  # want: PF406
    return time.perf_counter() - start


# run: print(measure(abs, -1) >= 0)
# numbers: the name of the GPU is printed
