"""Turn this process into one that has CUDA devices. Once, before torch is imported, for good."""

from __future__ import annotations

import importlib.util
import platform
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from placefix.simulate.simulated_hardware import MAX_DEVICES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from placefix.simulate.torch_c_bindings import SimulatedMachine

#: The versions of torch whose internals were tried; another one is used only if the self-test passes, and the output says so. (2.9.1 was tried with the
#: wheel for aarch64, 2.13.0 with that for x86_64, 2.6.0 on both.)
TESTED_TORCH = ("2.6.0", "2.9.1", "2.13.0")
OLDEST_TORCH = (2, 6)
_WAY_OUT = (
    "`placefix verify --setup` installs a CPU build in a separate environment; `--python` names another interpreter"
)
TESTED_SYSTEMS = (("Linux", "x86_64"), ("Linux", "aarch64"))


class _BeforeTorchCuda:
    """Prepares torch._C at the moment that torch itself imports torch.cuda."""

    def __init__(self, prepare: Any) -> None:
        self.prepare = prepare

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> None:
        """Finds nothing, ever."""
        if name == "torch.cuda" and self.prepare is not None:
            prepare, self.prepare = self.prepare, None
            prepare()


def refused_system() -> str | None:
    """The name of the system with the reason if the simulator cannot run on it, else None."""
    name = {"Darwin": "macOS", "Windows": "Windows"}.get(platform.system())
    reason = "it forks processes, and replaces functions in the libraries that torch has for Linux"
    return None if name is None else f"the simulator does not run on {name}: {reason}"


def why_unsupported() -> str | None:
    """Why nothing is known of the simulator on this system and this torch, or None."""
    refused = refused_system()
    if refused is not None:
        return refused
    system = (platform.system(), platform.machine())
    if system not in TESTED_SYSTEMS:
        return f"the simulator was not tried on {' '.join(system)} (only on {', '.join(map(' '.join, TESTED_SYSTEMS))})"
    if sys.implementation.name != "cpython":
        return "the simulator needs CPython"
    from importlib.metadata import PackageNotFoundError, version

    try:
        torch_version = version("torch").partition("+")[0]
    except PackageNotFoundError:
        return f"torch is not installed. {_WAY_OUT}"
    # By hand: an interpreter of `--python` may have torch and no library that reads versions.
    if tuple(map(int, torch_version.split(".")[:2])) < OLDEST_TORCH:
        return f"the simulator needs torch {'.'.join(map(str, OLDEST_TORCH))} or later, and this is {torch_version}"
    if _has_gpu_libraries():
        return f"this torch {torch_version} is a build for GPUs, and the simulator needs a CPU build. {_WAY_OUT}"
    return None


def _has_gpu_libraries() -> bool:
    """Whether the installed torch is a build for GPUs. It is not imported."""
    found = importlib.util.find_spec("torch")
    libraries = Path(found.origin).parent / "lib" if found is not None and found.origin is not None else Path()
    return any((libraries / f"libtorch_{name}.so").exists() for name in ("cuda", "hip", "xpu"))


def untried_version() -> str | None:
    """The version of torch if the simulator was not tried on it, else None. It may run if the self-test passes."""
    from importlib.metadata import version

    torch_version = version("torch").partition("+")[0]
    return None if torch_version in TESTED_TORCH else torch_version


def install(devices: int = 1, *, shared_numbers: bool = False) -> SimulatedMachine:
    """Make this process one with simulated CUDA devices.

    With `shared_numbers` the devices draw random numbers from the CPU's generator, so that a script computes the
    same numbers as on the CPU; otherwise every device has a separate generator, as real ones have.
    """
    if "torch" in sys.modules:
        raise RuntimeError("the simulator must be installed before torch is imported")
    if not 1 <= devices <= MAX_DEVICES:
        raise ValueError(f"{devices} devices: there can be 1 to {MAX_DEVICES}")
    made: list[SimulatedMachine] = []

    def prepare() -> None:
        """Add the simulated machine to torch._C before the rest of torch is imported."""
        # torch/__init__.py has set up torch._C by now, but `import torch` has not returned.
        from placefix.simulate import guard, torch_c_bindings

        machine: list[SimulatedMachine] = []
        machine.append(
            torch_c_bindings.SimulatedMachine(
                guard.DeviceGuard(lambda: machine[0].count() if machine else devices), devices
            )
        )
        machine[0].shared_numbers = shared_numbers
        torch_c_bindings.install_bindings(machine[0])
        made.extend(machine)

    finder = _BeforeTorchCuda(prepare)
    sys.meta_path.insert(0, finder)
    try:
        import torch
    finally:
        sys.meta_path.remove(finder)
    machine = made[0]
    _register(machine)
    from placefix.simulate import collectives, patches

    patches.apply_patches(machine)
    machine.keep += (collectives.install_collectives(),)
    assert torch.cuda._is_compiled()
    return machine


def _register(machine: SimulatedMachine) -> None:
    import torch

    from placefix.simulate import device_tags, generators, handwritten_kernels, kernels, sparse, sync_batch_norm

    # DLPack initialises torch.cuda, which must not happen here.
    started, torch.cuda._initialized = torch.cuda._initialized, True
    try:
        device_tags.install_layout(device_tags.discover_layout())
        generators.discover()
    finally:
        torch.cuda._initialized = started
    library = torch._C._dispatch_library("IMPL", "aten", "CUDA", __file__, 0)
    above = torch._C._dispatch_library("IMPL", "aten", "AutogradCUDA", __file__, 0)
    sparsely = torch._C._dispatch_library("IMPL", "aten", "SparseCUDA", __file__, 0)
    machine.keep = (library, above, sparsely)  # they unregister when they die
    generated = kernels.generate_kernels()
    by_hand = handwritten_kernels.handwritten_kernels(machine, generated) | sync_batch_norm.sync_batch_norm_kernels()
    for name, kernel in (generated | by_hand).items():
        library.impl(name, "CUDA", kernel, False)
    for name, kernel in sparse.sparse_kernels(machine.index).items():
        sparsely.impl(name, "SparseCUDA", kernel, False)
    for name, kernel in handwritten_kernels.composed_kernels().items():
        library.impl(name, "CUDA", kernel, False)
        above.impl(name, "AutogradCUDA", kernel, False)
