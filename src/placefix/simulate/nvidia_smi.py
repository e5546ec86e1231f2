"""The command `nvidia-smi` of a simulated machine: what scripts read of it. Imports no torch."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from placefix.simulate.request import ENVIRONMENT, Request
from placefix.simulate.simulated_hardware import (
    COMPUTE_CAPABILITY,
    CUDA_VERSION,
    DEFAULT_MEMORY,
    DRIVER,
    NAME,
    device_uuid,
)


def query(fields: list[str], devices: int, mib: int, *, header: bool, units: bool) -> list[str]:
    """The lines of --query-gpu, one for each device."""
    values = {
        "name": NAME, "gpu_name": NAME, "count": str(devices), "driver_version": DRIVER,
        "compute_cap": "{}.{}".format(*COMPUTE_CAPABILITY),
        "memory.total": f"{mib} MiB", "memory.used": "0 MiB", "memory.free": f"{mib} MiB", "memory.reserved": "0 MiB",
        "utilization.gpu": "0 %", "utilization.memory": "0 %", "temperature.gpu": "30", "power.draw": "50.00 W",
    }  # fmt: skip
    lines = [", ".join(fields)] if header else []
    for index in range(devices):
        own = {
            "index": str(index),
            "uuid": f"GPU-{device_uuid(index)}",
            "pci.bus_id": f"00000000:0{index}:00.0",
        }
        row = [(values | own).get(field, "[N/A]") for field in fields]
        lines.append(
            ", ".join(
                value.split(" ")[0] if not units and field not in ("name", "gpu_name") else value
                for field, value in zip(fields, row, strict=True)
            )
        )
    return lines


def install_command(request: Request) -> None:
    """Put a command `nvidia-smi` that knows the simulated devices first in the search path of programs."""
    folder = Path(request.report).parent / "bin"
    folder.mkdir()
    command = folder / "nvidia-smi"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m placefix.simulate.nvidia_smi "$@"\n')
    command.chmod(0o755)
    os.environ["PATH"] = os.pathsep.join([str(folder), os.environ.get("PATH", "")])


def main(arguments: list[str]) -> int:
    """Run the command; returns its exit code."""
    request = Request.from_json(os.environ[ENVIRONMENT])
    mib = (request.memory or DEFAULT_MEMORY) // 2**20
    fields = next((a.partition("=")[2] for a in arguments if a.startswith("--query-gpu=")), None)
    options = next((a.partition("=")[2] for a in arguments if a.startswith("--format=")), "").split(",")
    if fields is not None:
        lines = query(
            [f.strip() for f in fields.split(",")],
            request.devices,
            mib,
            header="noheader" not in options,
            units="nounits" not in options,
        )
    elif any(a.startswith("--query-") for a in arguments):
        lines = []  # no processes
    elif "-L" in arguments or "--list-gpus" in arguments:
        lines = [f"GPU {i}: {NAME} (UUID: GPU-{device_uuid(i)})" for i in range(request.devices)]
    else:
        lines = [f"NVIDIA-SMI {DRIVER}    Driver Version: {DRIVER}    CUDA Version: {CUDA_VERSION}"]
        lines += [f"|   {i}  {NAME}  |      0MiB / {mib}MiB |      0%      Default |" for i in range(request.devices)]
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
