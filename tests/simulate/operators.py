"""Run PyTorch's own samples of its operators on the simulated device and on the CPU; prints JSON.

Forward and backward values must be those of the CPU. And every operator of two tensors or more is tried with
its first one alone on the device: it must refuse.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from typing import Any

from placefix.simulate import installation

installation.install(2)

import torch  # noqa: E402
from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402
from torch.utils._pytree import tree_flatten, tree_map  # noqa: E402

SAMPLES = 3
UNINITIALISED = {"empty", "empty_like", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided"}


def cuda(value: Any) -> Any:
    """The same on the device, leaves again leaves."""

    def move(x: Any) -> Any:
        if isinstance(x, torch.Tensor) and not x.is_cuda:
            return x.detach().cuda().requires_grad_(x.requires_grad)
        if isinstance(x, torch.device) or x == "cpu":
            return torch.device("cuda:0")
        return x

    return tree_map(move, value)


def copy(value: Any) -> Any:
    """Fresh leaves, for operators that write to their operands."""
    return tree_map(
        lambda x: x.detach().clone().requires_grad_(x.requires_grad) if isinstance(x, torch.Tensor) else x, value
    )


def tensors(value: Any) -> list[torch.Tensor]:
    """All tensors in there."""
    return [x for x in tree_flatten(value)[0] if isinstance(x, torch.Tensor)]


def call(op: Any, sample: Any, backward: bool) -> tuple[list[torch.Tensor], list[Any]]:
    """The results, and the gradients of the operands."""
    torch.manual_seed(0)
    leaves = tensors(sample)
    result = op(sample[0], *sample[1], **sample[2])
    out = tensors(result)
    grads: list[Any] = []
    if backward:
        wanted = [x for x in leaves if x.requires_grad]
        roots = [y for y in out if y.requires_grad]
        if wanted and roots:
            ones = [torch.ones_like(y) for y in roots]
            grads = list(torch.autograd.grad(roots, wanted, ones, allow_unused=True))
    return out, grads


def same(a: Any, b: Any, kind: str) -> str:
    """Why two results are not the same, or nothing."""
    if len(a) != len(b):
        return f"{kind}: {len(a)} results against {len(b)}"
    for x, y in zip(a, b, strict=True):
        if x is None or y is None:
            if x is not y:
                return f"{kind}: one is missing"
            continue
        if not y.is_cuda and x.dim() > 0:
            return f"{kind}: not on the device"
        if torch._C._dispatch_keys(y).has(torch._C.DispatchKey.CUDA) != y.is_cuda and y.layout is torch.strided:
            return f"{kind}: device and keys disagree"
        try:
            torch.testing.assert_close(y.cpu(), x, equal_nan=True, rtol=1e-5, atol=1e-5)
        except AssertionError as error:
            return f"{kind}: {str(error).splitlines()[0]}"
    return ""


def main() -> None:
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    # Random operators must draw the same numbers on both sides.
    torch.cuda.init()
    for generator in torch.cuda.default_generators:
        generator.host, generator.follows = torch.default_generator, True
    only = set(sys.argv[1:])
    ran: dict[str, str] = {}
    mixed: dict[str, str] = {}
    began = time.time()
    for op in op_db:
        name = f"{op.name}.{op.variant_test_name}" if op.variant_test_name else op.name
        if only and name not in only:
            continue
        dtypes = op.supported_dtypes("cpu")
        if not dtypes:
            ran[name] = "skip: not for the CPU"
            continue
        dtype = torch.float32 if torch.float32 in dtypes else sorted(dtypes, key=str)[0]
        backward = op.supports_autograd and dtype in op.supported_backward_dtypes("cpu")
        try:
            torch.manual_seed(0)
            samples = []
            for sample in op.sample_inputs("cpu", dtype, requires_grad=backward):
                samples.append((sample.input, sample.args, sample.kwargs))
                if len(samples) == SAMPLES:
                    break
        except Exception as error:
            ran[name] = f"skip: no samples: {type(error).__name__}"
            continue
        verdict = "ok" if samples else "skip: no samples"
        for sample in samples:
            try:
                expected = call(op, copy(sample), backward)
            except Exception as error:
                verdict = f"skip: fails on the CPU: {type(error).__name__}"
                break
            try:
                got = call(op, cuda(sample), backward)
            except Exception as error:
                verdict = f"{type(error).__name__}: {str(error).splitlines()[0][:200] if str(error) else ''}"
                break
            if op.name in UNINITIALISED:
                continue
            problem = same(expected[0], got[0], "forward") or same(expected[1], got[1], "backward")
            if problem:
                try:
                    again = call(op, copy(sample), backward)
                except Exception:
                    again = expected
                if same(expected[0], cuda(again[0]), "") == "":
                    verdict = problem
                    break
        ran[name] = verdict
        if verdict != "ok":
            continue
        for sample in samples:
            parts = tensors(sample)
            if len(parts) < 2 or any(t.dim() == 0 or t.numel() == 0 for t in parts):
                continue
            first = parts[0]
            partly = tree_map(lambda x, first=first: x.detach().cuda() if x is first else x, sample)
            try:
                torch.manual_seed(0)
                op(partly[0], *partly[1], **partly[2])
                mixed[name] = "accepted"
            except Exception as error:
                mixed[name] = f"refused: {str(error).splitlines()[0][:160] if str(error) else type(error).__name__}"
            break
    json.dump({"ran": ran, "mixed": mixed, "seconds": round(time.time() - began, 1)}, sys.stdout)


if __name__ == "__main__":
    main()
