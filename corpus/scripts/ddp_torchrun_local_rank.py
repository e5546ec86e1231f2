"""Started by torchrun; NCCL; the wrapper is built on the host module and moved later."""
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Trainer:
    def __init__(self, model, loader, local_rank):
        self.local_rank = local_rank
        self.loader = loader
        self.model = DDP(model, device_ids=[local_rank])
        self.model.to(local_rank)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=1e-3)

    def run_batch(self, source, targets):
        self.optimizer.zero_grad()
        loss = nn.functional.cross_entropy(self.model(source), targets)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def train(self, epochs):
        for epoch in range(epochs):
            self.loader.sampler.set_epoch(epoch)
            for source, targets in self.loader:
                source = source.to(self.local_rank)
                targets = targets.to(self.local_rank)
                loss = self.run_batch(source, targets)
            print(f"[GPU{self.local_rank}] epoch {epoch} loss {loss:.4f}")


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group(backend="nccl")
    dataset = TensorDataset(torch.rand(256, 20), torch.randint(0, 2, (256,)))
    loader = DataLoader(dataset, batch_size=32, pin_memory=True, sampler=DistributedSampler(dataset))
    Trainer(nn.Linear(20, 2), loader, local_rank).train(epochs=2)
    dist.destroy_process_group()


if __name__ == "__main__":
    if "LOCAL_RANK" in os.environ:
        main()
    else:
        print("start me with torchrun")
