import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(rank):
    generator, critic = nn.Linear(2, 6), nn.Linear(6, 1)
    generator = DDP(generator, device_ids=[rank])  # want: PF101
    critic = DDP(critic, device_ids=[rank])  # want: PF101
    generator.to(rank)
    critic.to(rank)
    return generator, critic
# machines: 2
# run: import ranks
# run: ranks.run(worker)
