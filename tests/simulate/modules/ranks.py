"""Runs a case's worker as a job of several processes does: forks of this one, which has not touched a device yet."""

from __future__ import annotations

import os
import runpy
import socket
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any


def run(worker: Any, *arguments: Any, ranks: int = 2, backend: str | None = "nccl", rank: bool = True) -> None:
    """Call `worker(rank, *arguments)` in each process of a group, train the DDP that it returns, print the loss.

    With `backend` None the worker makes the group. Raises what a rank raised, and if the ranks' weights differ.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), WORLD_SIZE=str(ranks))
    with tempfile.TemporaryDirectory() as folder:
        children = {}
        for number in range(ranks):
            child = os.fork()
            if child == 0:
                status = 1
                try:
                    _rank(worker, arguments, number, ranks, backend, rank, Path(folder))
                    status = 0
                except BaseException as error:
                    text = f"{type(error).__name__}: {error}"
                    (Path(folder) / f"error{number}").write_text(text, encoding="utf-8")
                    traceback.print_exc()
                finally:
                    os._exit(status)
            children[child] = number
        failed, died = False, ""
        while children:
            child, status = os.wait()
            if children.pop(child, None) is not None and status != 0 and not failed:
                failed = True
                died = f"a rank died: status {status}, {len(list(Path(folder).glob('weights*')))} had finished"
                for other in children:
                    os.kill(other, 9)  # they wait for the one that failed
        for error in sorted(Path(folder).glob("error*")):
            raise RuntimeError(error.read_text(encoding="utf-8"))
        if failed:
            raise RuntimeError(died)
        weights = [(Path(folder) / f"weights{number}").read_text(encoding="utf-8") for number in range(ranks)]
    if len(set(weights)) > 1:
        raise RuntimeError("the ranks end with different weights (gradients were not synchronised)")
    print(weights[0])


def _rank(worker: Any, arguments: Any, number: int, ranks: int, backend: str | None, rank: bool, folder: Path) -> None:
    import torch
    import torch.distributed as dist
    from torch.distributed.optim import ZeroRedundancyOptimizer

    os.environ.update(RANK=str(number), LOCAL_RANK=str(number))
    torch.manual_seed(0)
    if backend is not None:
        dist.init_process_group(backend, rank=number, world_size=ranks)
    returned = worker(*((number,) if rank else ()), *arguments)
    values = returned if isinstance(returned, tuple) else (returned,)
    optimizer = next((value for value in values if isinstance(value, torch.optim.Optimizer)), None)
    state = [_train(value, optimizer, number) for value in values if isinstance(value, torch.nn.Module)]
    if isinstance(optimizer, ZeroRedundancyOptimizer):
        optimizer.consolidate_state_dict()  # as for a checkpoint
    (folder / f"weights{number}").write_text(" ".join(f"{weight:.6f}" for part in state for weight in part))
    # Who leaves takes the store and the connections along: the others may still be talking.
    latest = time.monotonic() + 300
    while len(list(folder.glob("weights*"))) < ranks and time.monotonic() < latest:
        time.sleep(0.05)


def _train(model: Any, optimizer: Any, number: int) -> list[float]:
    import torch

    optimizer = optimizer or torch.optim.SGD(model.parameters(), lr=0.1)
    first = next(model.parameters())
    for step in range(2):
        x = torch.full((4, first.shape[1]), 0.1 * (1 + number + step)).to(first.device)
        optimizer.zero_grad()
        model(x).pow(2).mean().backward()
        optimizer.step()
    return [float(parameter.detach().cpu().sum()) for parameter in model.parameters()]


def launch(path: str) -> None:
    """Run a whole script as a launcher does, in two processes that it finds its rank in the environment of."""

    def script() -> Any:
        found = runpy.run_path(path, run_name="__main__")
        return tuple(value for value in found.values() if type(value).__name__ == "DistributedDataParallel")

    run(script, backend=None, rank=False)
