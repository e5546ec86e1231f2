"""Measure on the simulated devices which mixtures of devices torch's layers and losses accept, and where their results lie; prints JSON.

The samples are those of torch's own tests of its modules. For each module that can be made and called on the CPU: where the result lies with all
on the device; whether it refuses its inputs on the device while it lies on the CPU, and each input alone on the CPU while the rest is on the device.
"""

from __future__ import annotations

import json
import sys
import warnings
from typing import Any

from placements import first_only, is_tensors, mapped, on, place, refuses_devices, tried  # it installs the simulator

import torch  # isort: skip
from torch.testing._internal.common_modules import module_db  # isort: skip

SAMPLES = 3

# What distributions are made of, where that is not one tensor of positive numbers below 1.
PAIRS = {
    "Beta", "Cauchy", "FisherSnedecor", "Gamma", "Gumbel", "InverseGamma", "Kumaraswamy", "Laplace", "LogisticNormal", "LogNormal", "Normal",
    "Pareto", "VonMises", "Weibull",
}  # fmt: skip


def parameters(name: str) -> list[torch.Tensor]:
    """Tensors of the CPU to make a distribution of."""
    one = torch.tensor([0.2, 0.3, 0.5])
    if name == "Uniform":
        return [one, one + 1]
    if name == "MultivariateNormal":
        return [one, torch.eye(3)]
    if name in ("NegativeBinomial", "Binomial"):
        return [torch.tensor([4.0, 5.0, 6.0]), one]
    return [one, one.clone()] if name in PAIRS else [one]


def distribution(name: str) -> dict[str, Any]:
    """Where a sample and its probability lie, and whether one of the CPU is asked about a value of a device."""
    made = getattr(torch.distributions, name)
    host, device = made(*parameters(name)), made(*(p.cuda() for p in parameters(name)))
    torch.manual_seed(0)
    value = host.sample()
    there = tried(device.log_prob, ([value.cuda()], {}))
    return {
        "place": [place(device.sample()), place(there)],
        "apart": verdict(tried(host.log_prob, ([value.cuda()], {}))),
        "error": str(there) if isinstance(there, Exception) else "",
    }


def optimizer(name: str) -> bool:
    """Whether an optimizer has state as soon as it is made."""
    made = getattr(torch.optim, name)([torch.nn.Parameter(torch.ones(2, 2))])
    return len(made.state) > 0


def verdict(value: Any) -> str:
    """Whether a call was refused for its devices."""
    if not isinstance(value, Exception):
        return "accepted"
    return "refused" if refuses_devices(value) else f"failed: {value}"[:100]


def measure(info: Any) -> dict[str, Any]:
    """What was measured of one class."""
    found: dict[str, Any] = {"place": set(), "parameters": set(), "apart": set(), "inputs": {}, "weight": set()}
    samples = info.module_inputs_func(info, device="cpu", dtype=torch.float32, requires_grad=False, training=True)
    for sample in list(samples)[:SAMPLES]:
        given, called = sample.constructor_input, sample.forward_input
        if called is None:
            continue

        def made(device: str, given: Any = given) -> Any:
            torch.manual_seed(0)
            return info.module_cls(*given.args, **given.kwargs).to(device)

        def moved(device: str, called: Any = called) -> list[Any]:
            return [mapped(a, on(device)) for a in called.args]

        module = made("cpu")
        if called.kwargs or isinstance(tried(module, (moved("cpu"), {})), Exception):
            continue
        found["weight"].add(isinstance(getattr(module, "weight", None), torch.nn.Parameter))
        parameters = any(True for _ in (*module.parameters(), *module.buffers()))
        found["parameters"].add(parameters)
        found["place"].add(place(tried(made("cuda:0"), (moved("cuda:0"), {}))))
        if parameters:
            found["apart"].add(verdict(tried(made("cpu"), (moved("cuda:0"), {}))))
        operands = [n for n, a in enumerate(called.args) if is_tensors(a)]
        for number in operands if len(operands) > 1 or parameters else ():
            inputs = moved("cuda:0")
            inputs[number] = first_only(inputs[number], on("cpu"))
            found["inputs"].setdefault(str(number), set()).add(verdict(tried(made("cuda:0"), (inputs, {}))))
    return {
        key: {k: sorted(v) for k, v in value.items()} if isinstance(value, dict) else sorted(value, key=str)
        for key, value in found.items()
    }


def main() -> None:
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch.cuda.init()
    answer = {}
    for info in module_db:
        if info.module_cls.__module__.startswith("torch.nn.modules"):
            try:
                answer[info.module_cls.__name__] = measure(info)
            except Exception as error:
                answer[info.module_cls.__name__] = {"error": f"{type(error).__name__}: {error}"[:200]}
    from placefix.torch_model.modules import classes

    names = {
        role: [n.rpartition(".")[2] for n, c in classes().items() if c.role == role]
        for role in ("distribution", "optimizer")
    }
    drawn = {name: distribution(name) for name in names["distribution"]}
    eager = {name: optimizer(name) for name in names["optimizer"]}
    json.dump({"layers": answer, "distributions": drawn, "optimizers": eager}, sys.stdout)


if __name__ == "__main__":
    main()
