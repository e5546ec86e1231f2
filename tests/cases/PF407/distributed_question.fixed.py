"""Whether processes talk to each other is no question about CUDA."""
import torch
import torch.distributed as dist


def mean(value):
    if dist.is_available() and dist.is_initialized():
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        total = torch.tensor([value], dtype=torch.float32, device=device)  # want: PF407
        dist.all_reduce(total)
        value = total.item() / dist.get_world_size()
    return value
# run: dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
# run: print(mean(1.5))
