"""The state at the end of a script: the device of each object, checksums, and faults that raise no error."""

from __future__ import annotations

import ctypes
import gc
import hashlib
from typing import TYPE_CHECKING, Any

from placefix.simulate.step_watcher import parameters_of, root_modules

if TYPE_CHECKING:
    from placefix.simulate.step_watcher import StepWatcher


def final_state(watch: StepWatcher) -> dict[str, Any]:
    """The state as plain data: "table" with the devices of modules and optimizers, "sums" with checksums of the trained modules, "silent" with sentences."""
    import torch

    modules = list(watch.modules)
    for module in root_modules():
        if any(True for _ in module.parameters()) and not any(module is known for known in modules):
            modules.append(module)
    table, sums = [], {}
    for number, module in enumerate(modules):
        places: dict[str, int] = {}
        for tensor in [*module.parameters(), *module.buffers()]:
            places[str(tensor.device)] = places.get(str(tensor.device), 0) + 1
        if not places:
            continue
        table.append({"what": type(module).__name__, "kind": "module", "places": places})
        if number < len(watch.modules):
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
            key = f"{type(module).__name__}#{number}"
            sums[key] = {
                "sum": total,
                "sha": digest.hexdigest()[:16],
                "weights": weights.hexdigest()[:16],
                "ddp": type(module).__name__ == "DistributedDataParallel",
            }
    for optimizer in watch.optimizers:
        places = {}
        for parameter in parameters_of(optimizer):
            places[str(parameter.device)] = places.get(str(parameter.device), 0) + 1
        table.append({"what": type(optimizer).__name__, "kind": "optimizer", "places": places})
        states: dict[str, int] = {}
        for state in optimizer.state.values():
            for value in state.values() if isinstance(state, dict) else ():
                if isinstance(value, torch.Tensor) and value.dim():
                    states[str(value.device)] = states.get(str(value.device), 0) + 1
        if states:
            table.append({"what": type(optimizer).__name__, "kind": "state", "places": states})
    return {"table": table, "sums": sums, "silent": _silent_errors(watch, modules)}


def _silent_errors(watch: StepWatcher, modules: list[Any]) -> list[str]:
    """The training errors that raise nothing, one sentence each. modules: those of the script."""
    return [*_untrained_optimizers(watch, modules), *_unregistered_copies(watch)]


def _untrained_optimizers(watch: StepWatcher, modules: list[Any]) -> list[str]:
    """Optimizers whose parameters are not those of the model, or did not change."""
    import torch

    found = []
    owned = {id(p): (module, name, p) for module in modules for name, p in module.named_parameters()}
    stepped = {id(p) for optimizer in watch.optimizers for p in parameters_of(optimizer)}
    for optimizer in watch.optimizers:
        parameters = [p for p in parameters_of(optimizer) if p.requires_grad]
        name = type(optimizer).__name__
        strangers = [p for p in parameters if id(p) not in owned and p.grad is None]
        shapes = {
            tuple(p.shape)
            for p_id, (_, _, p) in owned.items()
            if p_id not in stepped and p.requires_grad and p.grad is not None
        }
        stale = [p for p in strangers if tuple(p.shape) in shapes]
        if stale:
            found.append(
                f"{name} holds {len(stale)} parameters that are no longer the model's: it trains copies left behind"
            )
        changed = [
            p for p in parameters
            if id(p) in watch.before and not torch.equal(p.detach().cpu(), watch.before[id(p)].cpu())
        ]  # fmt: skip
        with_grad = [p for p in parameters if p.grad is not None and bool(p.grad.detach().abs().sum() > 0)]
        if parameters and not changed and not stale and not with_grad and watch.steps:
            found.append(f"{name} changed none of its {len(parameters)} parameters")
    return found


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
                            f"{key[0]}.{name} is a moved copy of a Parameter: it is not registered and not trained"
                        )
    return found
