import torch

torch.manual_seed(1)
torch.cuda.manual_seed_all(1)
torch.cuda.empty_cache()
print(torch.cuda.max_memory_allocated(), torch.cuda.device_count())
