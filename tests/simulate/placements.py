"""Measure on the simulated devices where torch's operators leave their results and which mixtures of devices they accept; prints JSON.

Arguments: names of operators as in torch's `op_db`, all of them without. For each operator and each of its spellings (function, method,
in place) the samples of torch are called

- with all tensors on the device: what comes back and where it lies, its dimensions, whether it is a view, whether random numbers were drawn;
- with one operand on the CPU and the others on the device, as it is and as a 0-dim tensor; and the other way round.

Operands are known by their position in the function spelling, or by their keyword.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from typing import TYPE_CHECKING, Any

from placefix.simulate import installation

installation.install(2)

import torch  # noqa: E402
from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SAMPLES = 24
# Their samples take long, or have no tensors.
SLOW = {"nn.functional.max_unpool3d", "nn.functional.max_unpool2d", "nn.functional.max_unpool1d"}
# The values of what they return are arbitrary.
_NUMBER = (bool, int, float, complex)

Key = int | str
Call = tuple[list[Any], dict[str, Any]]


def is_tensors(value: Any) -> bool:
    """Whether a value is a tensor or a list with at least one."""
    if isinstance(value, (list, tuple)):
        return any(isinstance(item, torch.Tensor) for item in value)
    return isinstance(value, torch.Tensor)


def mapped(value: Any, change: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    """The value with its tensors changed."""
    if isinstance(value, (list, tuple)):
        return type(value)(mapped(item, change) for item in value) if type(value) in (list, tuple) else value
    return change(value) if isinstance(value, torch.Tensor) else value


def first_only(value: Any, change: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    """The value with its first tensor changed."""
    if not isinstance(value, (list, tuple)):
        return mapped(value, change)
    place = next((n for n, item in enumerate(value) if isinstance(item, torch.Tensor)), None)
    return type(value)(mapped(item, change) if n == place else item for n, item in enumerate(value))


def on(device: str) -> Callable[[torch.Tensor], torch.Tensor]:
    """A change that puts a copy of a tensor on a device."""
    return lambda x: x.detach().clone().to(device)


def zero_dim(x: torch.Tensor) -> torch.Tensor:
    """The first value of a tensor as a 0-dim tensor of the CPU."""
    return x.detach().cpu().reshape(-1)[0].clone()


class Sample:
    """One call that torch makes in its tests: positional arguments (the input first) and keywords."""

    def __init__(self, sample: Any, args: Any = (), kwargs: dict[str, Any] | None = None) -> None:
        self.args = list(args) if sample is None else [sample.input, *sample.args]
        self.kwargs = dict(kwargs or {}) if sample is None else dict(sample.kwargs)

    def operands(self) -> Iterator[tuple[Key, Any]]:
        """The arguments that hold tensors, by position or keyword."""
        yield from ((n, a) for n, a in enumerate(self.args) if is_tensors(a))
        yield from ((k, a) for k, a in self.kwargs.items() if is_tensors(a))

    def changed(self, change: Callable[[Key, Any], Any]) -> Call:
        """The arguments with every operand changed."""
        args = [change(n, a) if is_tensors(a) else device_of(a) for n, a in enumerate(self.args)]
        return args, {k: change(k, a) if is_tensors(a) else device_of(a) for k, a in self.kwargs.items()}


def device_of(value: Any) -> Any:
    """A device that a sample names, on the simulated machine."""
    return torch.device("cuda:0") if isinstance(value, torch.device) or value == "cpu" else value


def place(value: Any) -> str:
    """Where a result lies: cpu, cuda, mixed; or what it is when it is no tensor."""
    if isinstance(value, torch.Tensor):
        return str(value.device.type)
    if isinstance(value, (list, tuple)):
        kinds = {place(item) for item in value}
        return kinds.pop() if len(kinds) == 1 else "mixed" if kinds else "empty"
    if value is None:
        return "none"
    return "bool" if isinstance(value, bool) else "number" if isinstance(value, _NUMBER) else "other"


def shape_of_result(value: Any) -> str:
    """tensor, tuple2 (with the number of tensors), list; or what it is when it is no tensor."""
    if isinstance(value, torch.Tensor):
        return "tensor"
    if isinstance(value, list):
        return "list" if is_tensors(value) else "other"
    if isinstance(value, tuple):
        return f"tuple{len(value)}"
    return place(value)


def tried(call: Callable[..., Any], arguments: Call) -> Any:
    """What a call gives, or its exception."""
    try:
        return call(*arguments[0], **arguments[1])
    except Exception as error:
        return error


def dims(value: Any) -> list[int]:
    """The dimensions of all tensors in there."""
    if isinstance(value, torch.Tensor):
        return [value.dim()]
    return [d for item in value for d in dims(item)] if isinstance(value, (list, tuple)) else []


def is_view(value: Any, arguments: Call) -> bool:
    """Whether a result has its memory in common with an operand, and is not the operand."""
    first = value[0] if isinstance(value, (list, tuple)) and value else value
    given = [a for a in (*arguments[0], *arguments[1].values()) if isinstance(a, torch.Tensor)]
    if not isinstance(first, torch.Tensor) or first.layout is not torch.strided or first.numel() == 0:
        return False
    try:
        return any(
            first.untyped_storage().data_ptr() == a.untyped_storage().data_ptr()
            for a in given
            if a.layout is torch.strided
        )
    except RuntimeError:
        return False


def refuses_devices(error: Any) -> bool:
    """Whether an exception is about devices."""
    text = str(error).lower()
    return isinstance(error, Exception) and any(
        word in text for word in ("device", "cpu", "cuda", "input type", "tensor for argument")
    )


def measure(call: Callable[..., Any], samples: list[Sample]) -> dict[str, Any]:
    """What one spelling does with its samples."""
    found: dict[str, Any] = {
        "result": set(), "place": set(), "rank": set(), "view": set(), "random": False, "written": set(),
        "cpu": {}, "scalar": {}, "cuda": {}, "to": {}, "error": "",
    }  # fmt: skip
    for sample in samples:
        whole = sample.changed(lambda _, a: mapped(a, on("cuda:0")))
        versions = [(k, a, a._version) for k, a in keyed(whole) if isinstance(a, torch.Tensor)]
        state = torch.cuda.default_generators[0].get_state().clone(), torch.get_rng_state()
        value = tried(call, whole)
        if isinstance(value, Exception):
            found["error"] = f"{type(value).__name__}: {str(value).splitlines()[0][:160] if str(value) else ''}"
            continue
        now = torch.cuda.default_generators[0].get_state(), torch.get_rng_state()
        found["random"] |= any(not torch.equal(a, b) for a, b in zip(state, now, strict=True))
        found["result"].add(shape_of_result(value))
        found["place"].add(place(value) + (" asked" if "device" in sample.kwargs else ""))
        found["view"].add(is_view(value, whole))
        found["written"].update(str(k) for k, a, version in versions if a._version != version)
        given = [d for _, a in sample.operands() for d in dims(a)]
        if isinstance(value, torch.Tensor) and given:
            found["rank"].add((given[0], max(given), value.dim()))
        mixtures(call, sample, found)
    return {key: sorted(value, key=str) if isinstance(value, set) else value for key, value in found.items()}


def keyed(arguments: Call) -> Iterator[tuple[Key, Any]]:
    """Arguments by position or keyword."""
    yield from enumerate(arguments[0])
    yield from arguments[1].items()


def mixtures(call: Callable[..., Any], sample: Sample, found: dict[str, Any]) -> None:
    """Try one operand apart from the others; `found` gets, for each, whether that was refused or accepted."""
    operands = list(sample.operands())
    if sum(len(sizes(a)) for _, a in operands) < 2 or any(0 in sizes(a) for _, a in operands):
        return
    shaped = all(min(dims(a)) > 0 for _, a in operands)
    for key, value in operands:
        if shaped:
            for way, here, there in (("cpu", "cuda:0", "cpu"), ("cuda", "cpu", "cuda:0")):
                mixed = sample.changed(
                    lambda k, a, h=here, t=there, key=key: (
                        first_only(mapped(a, on(h)), on(t)) if k == key else mapped(a, on(h))
                    )
                )
                note(found[way], key, tried(call, mixed), found["to"] if way == "cpu" else None)
        if isinstance(value, torch.Tensor) and value.numel():
            # the same on one device must be legal
            alike = sample.changed(lambda k, a, key=key: zero_dim(a).cuda() if k == key else mapped(a, on("cuda:0")))
            if not isinstance(tried(call, alike), Exception):
                apart = sample.changed(lambda k, a, key=key: zero_dim(a) if k == key else mapped(a, on("cuda:0")))
                note(found["scalar"], key, tried(call, apart), None)


def sizes(value: Any) -> list[int]:
    """How many values the tensors in there have."""
    if isinstance(value, torch.Tensor):
        return [value.numel()]
    return [n for item in value for n in sizes(item)] if isinstance(value, (list, tuple)) else []


def note(verdicts: dict[str, str], key: Key, value: Any, to: dict[str, str] | None) -> None:
    """Record whether a mixture was refused; what is refused for another reason says nothing."""
    if isinstance(value, Exception):
        verdict = (
            "refused" if refuses_devices(value) else f"failed: {str(value).splitlines()[0][:100] if str(value) else ''}"
        )
    else:
        verdict = "accepted"
        if to is not None:
            to.setdefault(str(key), place(value))
    before = verdicts.get(str(key))
    if before is None or before.startswith("failed"):
        verdicts[str(key)] = verdict
    elif before != verdict and not verdict.startswith("failed"):
        verdicts[str(key)] = "both"


def m() -> torch.Tensor:
    """A matrix of positive numbers."""
    return torch.rand(3, 3) + 0.1


def image(*channels: int) -> torch.Tensor:
    """A batch of one image."""
    return torch.rand(1, *(channels or (1,)), 4, 4)


# What torch has no samples of: the spelling, and a call of it.
OWN: dict[str, Any] = {
    "rand": ("function", lambda: (3,)),
    "randperm": ("function", lambda: (4,)),
    "range": ("function", lambda: (0, 4)),
    "hann_window": ("function", lambda: (4,)),
    "hamming_window": ("function", lambda: (4,)),
    "bartlett_window": ("function", lambda: (4,)),
    "blackman_window": ("function", lambda: (4,)),
    "kaiser_window": ("function", lambda: (4,)),
    "fft.fftfreq": ("function", lambda: (4,)),
    "fft.rfftfreq": ("function", lambda: (4,)),
    "tensor": ("function", lambda: ([1.0, 2.0],)),
    "as_tensor": ("function", lambda: (m(),)),
    "asarray": ("function", lambda: (m(),)),
    "Tensor": ("function", lambda: ([1.0, 2.0],)),
    "FloatTensor": ("function", lambda: (3, 3)),
    "LongTensor": ("function", lambda: ([1, 2],)),
    "_shape_as_tensor": ("function", lambda: (m(),)),
    "onnx.operators.shape_as_tensor": ("function", lambda: (m(),)),
    "result_type": ("function", lambda: (m(), m())),
    "chain_matmul": ("function", lambda: (m(), m(), m())),
    "conv_tbc": ("function", lambda: (torch.rand(4, 1, 3), torch.rand(2, 3, 2), torch.rand(2))),
    "poisson": ("function", lambda: (m(),)),
    "binomial": ("function", lambda: (m().round() + 3, torch.full((3, 3), 0.5))),
    "feature_dropout": ("function", lambda: (image(2), 0.5, True)),
    "native_dropout": ("function", lambda: (m(), 0.5, True)),
    "frobenius_norm": ("function", lambda: (m(), [0])),
    "nuclear_norm": ("function", lambda: (m(),)),
    "norm_except_dim": ("function", lambda: (m(),)),
    "grid_sampler": ("function", lambda: (image(), torch.rand(1, 2, 2, 2), 0, 0, False)),
    "affine_grid_generator": ("function", lambda: (torch.rand(1, 2, 3), (1, 1, 4, 4), False)),
    "lobpcg": ("function", lambda: (torch.eye(12), 1)),
    "matrix_power": ("function", lambda: (m(), 2)),
    "slogdet": ("function", lambda: (m(),)),
    "gru_cell": ("function", lambda: (torch.rand(1, 3), torch.rand(1, 2), torch.rand(6, 3), torch.rand(6, 2))),
    "rnn_tanh_cell": ("function", lambda: (torch.rand(1, 3), torch.rand(1, 2), torch.rand(2, 3), torch.rand(2, 2))),
    "is_same_size": ("function", lambda: (m(), m())),
    "is_complex": ("function", lambda: (m(),)),
    "is_floating_point": ("function", lambda: (m(),)),
    "is_nonzero": ("function", lambda: (torch.ones(1),)),
    "numel": ("function", lambda: (m(),)),
    "can_cast": ("function", lambda: (torch.int, torch.float)),
    "nn.functional.gumbel_softmax": ("function", lambda: (m(),)),
    "nn.functional.fold": ("function", lambda: (torch.rand(1, 4, 9), (4, 4), (2, 2))),
    "nn.functional.affine_grid": ("function", lambda: (torch.rand(1, 2, 3), (1, 1, 4, 4))),
    "nn.functional.lp_pool1d": ("function", lambda: (torch.rand(1, 2, 4), 2, 2)),
    "nn.functional.lp_pool2d": ("function", lambda: (image(), 2, 2)),
    "nn.functional.lp_pool3d": ("function", lambda: (image(1, 4), 2, 2)),
    "nn.functional.max_unpool2d": ("function", lambda: (torch.rand(1, 1, 2, 2), torch.tensor([[[[0, 3], [8, 11]]]]), 2)),
    "nn.functional.max_unpool1d": ("function", lambda: (torch.rand(1, 1, 2), torch.tensor([[[0, 3]]]), 2)),
    "nn.functional.upsample": ("function", lambda: (image(),), lambda: {"scale_factor": 2}),
    "size": ("method", lambda: (m(), 0)),
    "stride": ("method", lambda: (m(), 0)),
    "storage_offset": ("method", lambda: (m(),)),
    "dim": ("method", lambda: (m(),)),
    "ndimension": ("method", lambda: (m(),)),
    "nelement": ("method", lambda: (m(),)),
    "element_size": ("method", lambda: (m(),)),
    "data_ptr": ("method", lambda: (m(),)),
    "tolist": ("method", lambda: (m(),)),
    "is_contiguous": ("method", lambda: (m(),)),
    "is_set_to": ("method", lambda: (m(), m())),
    "type_as": ("method", lambda: (m(), m())),
    "detach": ("method", lambda: (m(),)),
    "cpu": ("method", lambda: (m(),)),
    "new": ("method", lambda: (m(), 3)),
    "new_tensor": ("method", lambda: (m(), [1.0, 2.0])),
    "dequantize": ("method", lambda: (m(),)),
    "copy_": ("inplace", lambda: (m(), m())),
    "fill_diagonal_": ("inplace", lambda: (m(), 1.0)),
    "random_": ("inplace", lambda: (m(),)),
    "requires_grad_": ("inplace", lambda: (m(),)),
    "swapaxes_": ("inplace", lambda: (m(), 0, 1)),
}  # fmt: skip


def samples_of(op: Any) -> list[Sample]:
    """Up to SAMPLES calls with tensors, of unlike kinds first."""
    dtypes = op.supported_dtypes("cpu")
    order = [torch.float32, torch.int64, torch.bool, torch.complex64]
    dtype = next((d for d in order if d in dtypes), None)
    if dtype is None:
        return []
    torch.manual_seed(0)
    found, shapes = [], set()
    for number, sample in enumerate(op.sample_inputs("cpu", dtype, requires_grad=False)):
        one = Sample(sample)
        options = [a for a in (*one.args, *sorted(one.kwargs.items())) if not is_tensors(a)]
        shape = tuple((k, *dims(a)) for k, a in one.operands()), repr(options)
        if shape not in shapes:
            shapes.add(shape)
            found.append(one)
        if len(found) == SAMPLES or number > 200:
            break
    return found


def public_function(name: str) -> Any:
    """What torch has under a name, or None."""
    found: Any = torch
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def public(op: Any, sample: Sample) -> Callable[..., Any]:
    """The function that programs call; torch's samples of random ones call it with the same seed each time."""
    found = public_function(op.name)
    if found is None or isinstance(tried(found, sample.changed(lambda _, a: a)), Exception):
        return op.op  # type: ignore[no-any-return]
    return found  # type: ignore[no-any-return]


def main() -> None:
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch.cuda.init()
    only = set(sys.argv[1:])
    answer: dict[str, dict[str, Any]] = {}
    times = []
    for op in op_db:
        if (only and op.name not in only) or op.name in SLOW:
            continue
        began = time.time()
        try:
            samples = samples_of(op)
        except Exception as error:
            answer.setdefault(op.name, {"skipped": f"{type(error).__name__}"})
            continue
        measured = answer.setdefault(op.name, {})
        function = public(op, samples[0]) if samples else None
        for spelling, call in (("function", function), ("method", op.method_variant), ("inplace", op.inplace_variant)):
            if call is not None and samples:
                name = f"{spelling}.{op.variant_test_name}".removesuffix(".")
                measured[name] = measure(call, samples)
                measured[name]["wrapped"] = spelling == "function" and call is not public_function(op.name)
        for alias in getattr(op, "aliases", ()):
            if samples and alias.op is not None:
                other = answer.setdefault(alias.name, {})
                for spelling, call in (
                    ("function", alias.op),
                    ("method", alias.method_variant),
                    ("inplace", alias.inplace_variant),
                ):
                    if call is not None:
                        other[spelling] = {**measure(call, samples), "wrapped": False}
        times.append((round(time.time() - began, 2), op.name))
    for name, (spelling, arguments, *more) in OWN.items():
        if not only or name in only:
            torch.manual_seed(0)
            one = Sample(None, arguments(), more[0]() if more else {})
            call = getattr(torch.Tensor, name) if spelling in ("method", "inplace") else public_function(name)
            answer.setdefault(name, {})[spelling] = {**measure(call, [one]), "wrapped": False}
    json.dump({"operators": answer, "slowest": sorted(times)[-15:], "seconds": sum(t for t, _ in times)}, sys.stdout)


if __name__ == "__main__":
    main()
