import torch
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Trainer:
    def __init__(self, model: nn.Module, rank: int) -> None:
        self.rank = rank
        self.model = model
        self.model = DDP(self.model, device_ids=[self.rank])  # want: PF101 warning
        self.best = 0.0
        # after the wrap
        self.model.to(self.rank)
# machines: 2
# run: import ranks
# run: ranks.run(lambda rank: Trainer(nn.Linear(6, 2), rank).model)
