"""Prove the mechanism on this torch before it judges anything. Runs in a fork: nothing of it stays."""

from __future__ import annotations

import os
import traceback
from typing import Any


def selftest_failure() -> str | None:
    """Why the simulator cannot be trusted on this torch, or None."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        text = b""
        try:
            _check()
        except BaseException:
            text = traceback.format_exc(limit=-1).strip().splitlines()[-1].encode() or b"failed"
        os.write(write, text[:2000])
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        found = pipe.read().decode("utf-8", "replace")
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status:
        return f"the simulator's self-test ended with signal {-status}"
    return f"the simulator's self-test failed: {found}" if found else None


def _refuses(text: str, run: Any) -> None:
    try:
        run()
    except Exception as error:
        if text not in str(error):
            raise AssertionError(f"expected {text!r}, got {error}") from None
        return
    raise AssertionError(f"not refused: {text}")


def _check() -> None:
    import torch
    from torch import nn

    from placefix.simulate import device_checks

    assert torch.cuda.is_available() and torch.cuda.device_count() >= 2
    torch.manual_seed(0)
    plain = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(144, 3))
    placed = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(144, 3))
    placed.load_state_dict(plain.state_dict())
    before = list(placed.parameters())
    placed.to("cuda")
    assert all(a is b for a, b in zip(before, placed.parameters(), strict=True)), "parameters were replaced"
    x, y = torch.randn(5, 1, 8, 8), torch.tensor([0, 1, 2, 0, 1])
    losses = []
    for model, device in ((plain, "cpu"), (placed, "cuda:0")):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, foreach=False)
        for _ in range(2):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
            loss.backward()
            optimizer.step()
        assert str(loss.device) == device
        losses.append(loss.item())
    assert losses[0] == losses[1], f"values differ: {losses}"
    for a, b in zip(plain.parameters(), placed.parameters(), strict=True):
        assert b.is_cuda and b.grad is not None and b.grad.is_cuda and torch.equal(a, b.cpu())
    _refuses(
        device_checks.device_mismatch_error("mat1", -1, 0, "wrapper_CUDA_addmm"), lambda: placed[4](torch.ones(2, 144))
    )
    _refuses("found at least two devices, cuda:0 and cpu!", lambda: x.cuda() + x)
    _refuses("found at least two devices, cuda:0 and cuda:1!", lambda: x.cuda() * x.to("cuda:1"))
    _refuses("can't convert cuda:0 device type tensor to numpy", lambda: x.cuda().numpy())
    _refuses("invalid device ordinal", lambda: x.to(f"cuda:{torch.cuda.device_count()}"))
    view = x.cuda().view(-1)[3:]
    assert view.device == torch.device("cuda", 0) and view._base is not None
    assert torch.empty(3, device="cuda:1").device.index == 1 and not x.is_cuda
    assert torch.accelerator.current_accelerator() == torch.device("cuda")
