# Only the student is trained: the teacher may move.
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

dist.init_process_group("nccl")
rank = dist.get_rank()
torch.cuda.set_device(rank)
student = DDP(nn.Linear(3, 2).cuda(rank), device_ids=[rank])
teacher = DDP(nn.Linear(3, 2).cuda(rank), device_ids=[rank])
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
for epoch in range(3):
    x = torch.randn(4, 3).cuda(rank)
    with torch.no_grad():
        wanted = teacher(x)
    loss = (student(x) - wanted).pow(2).mean()
    loss.backward()
    optimizer.step()
    teacher.cpu()
    torch.save(teacher.module.state_dict(), "teacher.pt")
    teacher.cuda(rank)
