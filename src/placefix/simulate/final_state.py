"""The state at the end of a script: the device of each object, checksums, and faults that raise no error."""

from __future__ import annotations

import ctypes
import gc
import hashlib
import inspect
import re
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from placefix.simulate.step_watcher import parameters_of, root_modules

if TYPE_CHECKING:
    from placefix.simulate.step_watcher import StepWatcher


def final_state(watch: StepWatcher) -> dict[str, Any]:
    """The state as plain data: "table" with the devices of modules and optimizers, "variables" with the device of each tensor of the script's namespace, "sums" with checksums of the trained modules, "silent" with sentences."""
    modules = list(watch.modules)
    for module in root_modules():
        if any(True for _ in module.parameters()) and not any(module is known for known in modules):
            modules.append(module)
    table = [_row(module, "module", [*module.parameters(), *module.buffers()]) for module in modules]
    for optimizer in watch.optimizers:
        table += [
            _row(optimizer, "optimizer", parameters_of(optimizer)),
            _row(optimizer, "state", _states_of(optimizer)),
        ]
    sums = {
        f"{type(module).__name__}#{number}": _checksums(module)
        for number, (module, row) in enumerate(zip(watch.modules, table, strict=False))
        if row["places"]
    }
    table = [row for row in table if row["places"] or row["kind"] == "optimizer"]
    return {"table": table, "variables": _variables(), "sums": sums, "silent": _silent_errors(watch, modules)}


def _variables() -> dict[str, str]:
    import torch

    names = vars(sys.modules["__main__"])
    return {name: str(value.device) for name, value in names.items() if isinstance(value, torch.Tensor)}


def _row(thing: Any, kind: str, tensors: list[Any]) -> dict[str, Any]:
    """A row of the table: how many of the tensors of an object are on each device."""
    return {"what": type(thing).__name__, "kind": kind, "places": Counter(str(tensor.device) for tensor in tensors)}


def _states_of(optimizer: Any) -> list[Any]:
    """The tensors that an optimizer keeps for its parameters, without scalars such as the number of steps."""
    import torch

    states = [state for state in optimizer.state.values() if isinstance(state, dict)]
    return [value for state in states for value in state.values() if isinstance(value, torch.Tensor) and value.dim()]


def _checksums(module: Any) -> dict[str, Any]:
    """Sum and hash of the tensors of a module, and the hash of its parameters alone."""
    import torch

    total, digest, weights = 0.0, hashlib.sha256(), hashlib.sha256()
    learned = {name for name, _ in module.named_parameters()}
    for name, tensor in module.state_dict().items():
        if isinstance(tensor, torch.Tensor) and tensor.layout is torch.strided:
            plain = tensor.detach().cpu()
            total += float(plain.double().abs().sum()) if not plain.is_complex() else 0.0
            plain = plain.contiguous()
            values = ctypes.string_at(plain.data_ptr(), plain.nbytes) if plain.nbytes else b""
            digest.update(values)
            # Ranks agree on their parameters; running statistics depend on the last batch of each rank.
            weights.update(values if name in learned else b"")
    return {
        "sum": total,
        "sha": digest.hexdigest()[:16],
        "weights": weights.hexdigest()[:16],
        "ddp": type(module).__name__ == "DistributedDataParallel",
    }


def _silent_errors(watch: StepWatcher, modules: list[Any]) -> list[str]:
    """The training errors that raise nothing, one sentence each. modules: those of the script."""
    return [*_untrained_optimizers(watch, modules), *_unregistered_copies(watch)]


def _untrained_optimizers(watch: StepWatcher, modules: list[Any]) -> list[str]:
    """Optimizers whose parameters are not those of the model, or did not change."""
    found = []
    owned = {id(p): p for module in modules for p in module.parameters()}
    lost = _shapes_without_optimizer(watch, owned)
    for optimizer in watch.optimizers:
        parameters = [p for p in parameters_of(optimizer) if p.requires_grad]
        place = watch.made.get(id(optimizer))
        name = f"{type(optimizer).__name__} ({place})" if place else type(optimizer).__name__
        stale = [p for p in parameters if id(p) not in owned and p.grad is None and tuple(p.shape) in lost]
        if stale:
            found.append(
                f"{name} holds {len(stale)} parameters that are no longer the model's: it trains copies left behind"
            )
        elif parameters and watch.steps and not any(_has_gradient(p) or _has_changed(p, watch) for p in parameters):
            found.append(f"{name} changed none of its {len(parameters)} parameters")
    return found


def _shapes_without_optimizer(watch: StepWatcher, owned: dict[int, Any]) -> set[tuple[int, ...]]:
    """The shapes of the model's parameters with a gradient that no optimizer has. owned: the model's, by identity."""
    optimized = {id(p) for optimizer in watch.optimizers for p in parameters_of(optimizer)}
    missing = (p for number, p in owned.items() if number not in optimized)
    return {tuple(p.shape) for p in missing if p.requires_grad and p.grad is not None}


def _has_gradient(parameter: Any) -> bool:
    return parameter.grad is not None and bool(parameter.grad.detach().abs().sum() > 0)


def _has_changed(parameter: Any, watch: StepWatcher) -> bool:
    """Whether a parameter differs from its value before the first step."""
    import torch

    before = watch.before.get(id(parameter))
    return before is not None and not torch.equal(parameter.detach().cpu(), before.cpu())


def _unregistered_copies(watch: StepWatcher) -> list[str]:
    """Attributes of modules that are moved copies of a Parameter: `self.w = nn.Parameter(...).cuda()`."""
    import torch

    found = []
    stepped = {id(p) for optimizer in watch.optimizers for p in parameters_of(optimizer)}
    seen = set()
    for thing in gc.get_objects():
        if not issubclass(type(thing), torch.nn.Module) or "_parameters" not in thing.__dict__:
            continue
        for name, value in list(thing.__dict__.items()):
            if isinstance(value, torch.Tensor) and value.grad_fn is not None and "ToCopy" in value.grad_fn.name():
                before = value.grad_fn.next_functions[0][0]
                if isinstance(getattr(before, "variable", None), torch.nn.Parameter):
                    key = (type(thing).__name__, name)
                    if key not in seen and id(before.variable) not in stepped:
                        seen.add(key)
                        found.append(
                            f"{key[0]}.{name}{_assignment_place(type(thing), name)} is a moved copy of a Parameter: "
                            "it is not registered and not trained"
                        )
    return found


def _assignment_place(kind: type, name: str) -> str:
    """Where a class assigns an attribute, in brackets after a space: " (train.py:11)". Empty if its source is not known."""
    try:
        lines, first = inspect.getsourcelines(kind)
        file = Path(inspect.getfile(kind)).name
    except (OSError, TypeError):
        return ""
    row = next((n for n, text in enumerate(lines, first) if re.match(rf"\s*self\.{name}\s*[:=]", text)), None)
    return "" if row is None else f" ({file}:{row})"
