# The process of rank 0 makes the collective as well, under a test whether there are several processes.
import torch
import torch.distributed as dist


class Evaluator:
    def evaluate(self):
        if not self.distributed or dist.get_rank() == 0:
            metric = 0.5
            if self.distributed:
                dist.broadcast(torch.tensor(metric, device=self.device), 0)
        else:
            metric = torch.tensor(0, device=self.device)
            dist.broadcast(metric, 0)
            metric = metric.item()
        return metric
