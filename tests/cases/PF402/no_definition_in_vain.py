"""Every run of the function needs CUDA: a choice of the device would only look portable."""
# machines: 1,2
# run: print(measured(lambda device: torch.ones(2, device=device)).shape)
import torch


def measured(work):
    device = torch.device("cuda")  # want: PF402 report
    total = torch.cuda.get_device_properties(0).total_memory
    print(total > 0)
    return work(device)
