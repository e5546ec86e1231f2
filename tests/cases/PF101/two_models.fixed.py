import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(rank):
    generator, critic = nn.Linear(2, 6), nn.Linear(6, 1)
    generator.to(rank)
    generator = DDP(generator, device_ids=[rank])  # want: PF101
    critic.to(rank)
    critic = DDP(critic, device_ids=[rank])  # want: PF101
    return generator, critic
# machines: 2
# run: import ranks
# run: ranks.run(worker)
