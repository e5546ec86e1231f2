"""Distributed programs: variants of one that is right, and the same with one fault each."""

from __future__ import annotations

import pytest

from placefix import engine
from placefix.rules import RULES
from placefix.settings import Settings
from placefix.source import Source

CODES = [
    "PF101",
    "PF105",
    "PF106",
    "PF107",
    "PF108",
    "PF111",
    "PF113",
    "PF208",
    "PF312",
    "PF313",
    "PF314",
    "PF405",
    "PF411",
    "PF412",
    "PF415",
    "PF416",
]
PROGRAM = """\
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def collate(samples):
    return torch.stack([x for x, _ in samples]), torch.stack([y for _, y in samples])


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    device = torch.device("cuda", local_rank)
    data = TensorDataset(torch.arange(64.0).view(64, 1), torch.arange(64))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=8, sampler=sampler, num_workers=2, pin_memory=True, collate_fn=collate)
    model = nn.Linear(1, 2)
    model.to(device)
    model = DDP(model, device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for x, y in loader:
            loss = model(x.to(device, non_blocking=True)).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        shown = loss.detach().to("cpu", non_blocking=True)
        torch.cuda.synchronize()
        if rank == 0:
            print(epoch, shown.item())
            torch.save(model.module.state_dict(), "net.pt")
        dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
"""
PLACED = "    model.to(device)\n"
WRAPPED = "    model = DDP(model, device_ids=[local_rank])\n"
HOOKS = """    nodes = []
    for p in model.parameters():
        node = p.expand_as(p).grad_fn.next_functions[0][0]
        node.register_hook(print)
        nodes.append(node)
"""
RIGHT = {
    "as it is": ("", ""),
    "gloo": ('"nccl"', '"gloo"'),
    "no device ids": (WRAPPED, "    model = DDP(model)\n"),
    "placed by cuda()": (PLACED, "    model.cuda()\n"),
    "placed by the number": (PLACED, "    model.to(local_rank)\n"),
    "device of a string": ('torch.device("cuda", local_rank)', 'torch.device(f"cuda:{local_rank}")'),
    "hooks after the placement": (WRAPPED, HOOKS + WRAPPED),
    "hooks of parameters": (PLACED, "    for p in model.parameters():\n        p.register_hook(print)\n" + PLACED),
    "blocking copy": (", non_blocking=True)\n        torch.cuda.synchronize()", ")"),
    "event": (
        "torch.cuda.synchronize()",
        "done = torch.cuda.Event()\n        done.record()\n        done.synchronize()",
    ),
    "no workers": ("num_workers=2, ", ""),
    "no pinned memory": ("pin_memory=True, ", ""),
    "default collate": (", collate_fn=collate", ""),
    "drop_last": ("DistributedSampler(data)", "DistributedSampler(data, drop_last=True)"),
    "sampler without shuffle": ("DistributedSampler(data)", "DistributedSampler(data, shuffle=False)"),
    "sampler of the loader": ("sampler.set_epoch", "loader.sampler.set_epoch"),
    "file of each process": ('"net.pt"', 'f"net{rank}.pt"'),
    "first process by the function": ("if rank == 0", "if dist.get_rank() == 0"),
    "device id of the group": (
        'init_process_group("nccl")',
        'init_process_group("nccl", device_id=torch.device("cuda", local_rank))',
    ),
    "buffer in pageable memory": (
        "            optimizer.step()\n",
        "            optimizer.step()\n        held = torch.zeros(1)\n        held.copy_(loss.detach(), non_blocking=True)\n        print(held)\n",
    ),
}
FAULTY = {
    "no set_epoch": ("        sampler.set_epoch(epoch)\n", "", "PF412"),
    "no sampler": ("sampler=sampler, ", "shuffle=True, ", "PF412"),
    "shuffle beside the sampler": ("sampler=sampler, ", "sampler=sampler, shuffle=True, ", "PF412"),
    "placed after the wrap": (PLACED + WRAPPED, WRAPPED + PLACED, "PF101"),
    "two device ids": ("device_ids=[local_rank]", "device_ids=[0, 1]", "PF105"),
    "hooks before the placement": (PLACED, HOOKS + PLACED, "PF208"),
    "read too early": ("        torch.cuda.synchronize()\n", "", "PF314"),
    "printed too early": ("        torch.cuda.synchronize()\n", "        print(shown)\n", "PF314"),
    "collated on the GPU, pinned": ("for x, _ in samples])", "for x, _ in samples]).cuda()", "PF313"),
    "collated on the GPU, in workers": ("for x, _ in samples])", "for x, _ in samples]).cuda()", "PF312"),
    "barrier of the first process": ("        dist.barrier()\n", "            dist.barrier()\n", "PF415"),
    "collective of the first process": ("            print(epoch,", "            dist.all_reduce(loss)\n            print(epoch,", "PF415"),
    "saved by all": ("        dist.barrier()\n", '        torch.save(model.module.state_dict(), "last.pt")\n        dist.barrier()\n', "PF416"),
    "loaded to the first GPU": (PLACED, '    model.load_state_dict(torch.load("old.pt"))\n' + PLACED, "PF405"),
    "attribute of the wrapper": ("            optimizer.zero_grad()\n", "            optimizer.zero_grad()\n            print(model.weight)\n", "PF113"),
}  # fmt: skip


def found(old: str, new: str) -> set[str]:
    assert old in PROGRAM
    source = Source.from_bytes(PROGRAM.replace(old, new, 1).encode(), "train.py")
    return {d.rule.code for d in engine.check(source, Settings(), [rule for rule in RULES if rule.code in CODES])}


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_program_has_no_finding(name: str) -> None:
    assert found(*RIGHT[name]) == set()


@pytest.mark.parametrize("name", FAULTY)
def test_a_fault_is_found(name: str) -> None:
    old, new, code = FAULTY[name]
    assert code in found(old, new)
