"""torch's description of its operators: native_functions.yaml, which the wheel carries for torchgen."""

from __future__ import annotations

import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from placefix.simulate.errors import UnsupportedError

_FILE = "packaged/ATen/native/native_functions.yaml"
_ENTRY = re.compile(r"  (\w+):\s*([^#]*)")
_KERNEL = re.compile(r"    ([\w, ]+):\s*([^#]*)")


class NativeFunction(NamedTuple):
    """One entry of the file, as far as a device is concerned."""

    name: str  # with the overload: add.Tensor
    kernels: frozenset[str]  # the dispatch keys that have a kernel
    structured: bool
    checked: bool  # torchgen writes the test that all tensors are on one device in front of the CUDA kernel

    @property
    def method(self) -> str:
        """The name of the CUDA kernel in torch's messages."""
        name, _, overload = self.name.partition(".")
        out = "_out" if overload == "out" or overload.endswith("_out") else ""
        if self.structured:  # NativeSignature: the name, then the overload
            return f"wrapper_CUDA_{name}{out}" + (f"_{overload}" if overload else "")
        return f"wrapper_CUDA_{overload}_{name}{out}"  # DispatcherSignature: the overload goes first


@cache
def native_functions() -> dict[str, NativeFunction]:
    """All operators by name."""
    # Not imported: torchgen needs a YAML parser, and the file's own shape is regular enough.
    spec = find_spec("torchgen")
    if spec is None or not spec.submodule_search_locations:
        raise UnsupportedError("torchgen is not installed beside torch")
    path = Path(next(iter(spec.submodule_search_locations))) / _FILE
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UnsupportedError(f"native_functions.yaml cannot be read: {error}") from None
    entries: list[tuple[str, dict[str, str], set[str]]] = []
    for line in lines:
        if line.startswith("- func:"):
            entries.append((line[7:].strip().split("(")[0], {}, set()))
            key = ""
        elif entries and (match := _ENTRY.match(line)):
            key = match[1]
            entries[-1][1][key] = match[2].strip()
            if key == "ufunc_inner_loop":  # the loop is given, and the kernels are written around it
                entries[-1][2].update(("CPU", "CUDA"))
        elif entries and key == "dispatch" and (match := _KERNEL.match(line)):
            entries[-1][2].update(name.strip() for name in match[1].split(","))
    kernels = {name: keys for name, _, keys in entries}
    found = {}
    for name, entry, keys in entries:
        delegate = entry.get("structured_delegate")
        found[name] = NativeFunction(
            name,
            frozenset(kernels.get(delegate, set()) if delegate else keys),
            bool(delegate) or entry.get("structured") == "True",
            entry.get("device_check") != "NoCheck",
        )
    if len(found) < 2000 or not found["addmm"].checked or found["add.Tensor"].checked:
        raise UnsupportedError("native_functions.yaml is not written as expected")
    return found
