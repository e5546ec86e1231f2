import horovod.torch as hvd
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP

model = nn.Linear(6, 2)
model = DDP(model, device_ids=[hvd.local_rank()])
model.cuda()
