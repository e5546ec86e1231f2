# A layer is read of the wrapper.
# rules: PF101,PF105,PF106,PF107,PF108,PF111,PF113,PF312,PF313,PF315,PF405,PF411,PF412,PF414,PF415,PF416
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))

    def forward(self, x):
        return self.body(x)


class Trainer:
    def __init__(self, model, data, optimizer, path):
        self.gpu_id = int(os.environ["LOCAL_RANK"])
        self.global_rank = int(os.environ["RANK"])
        self.model = model.to(self.gpu_id)
        self.sampler = DistributedSampler(data)
        self.loader = DataLoader(data, batch_size=8, sampler=self.sampler, pin_memory=True)
        self.optimizer = optimizer
        self.path = path
        self.first = 0
        if os.path.exists(path):
            self._load()
        self.model = DDP(self.model, device_ids=[self.gpu_id])

    def _load(self):
        snapshot = torch.load(self.path, map_location=f"cuda:{self.gpu_id}")
        self.model.load_state_dict(snapshot["model"])
        self.first = snapshot["epoch"]

    def _save(self, epoch):
        torch.save({"model": self.model.module.state_dict(), "epoch": epoch}, self.path)

    def _step(self, x, y):
        self.optimizer.zero_grad()
        loss = nn.functional.cross_entropy(self.model.body(x), y)  # want: PF113 report
        loss.backward()
        self.optimizer.step()

    def train(self, epochs):
        for epoch in range(self.first, epochs):
            self.sampler.set_epoch(epoch)
            for x, y in self.loader:
                self._step(x.to(self.gpu_id), y.to(self.gpu_id))
            if self.global_rank == 0:
                self._save(epoch)


def main():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group(backend="nccl")
    model = Net()
    trainer = Trainer(
        model,
        TensorDataset(torch.randn(64, 8), torch.randint(2, (64,))),
        torch.optim.SGD(model.parameters(), lr=0.1),
        "snapshot.pt",
    )
    trainer.train(3)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
