"""The model of torch as the analysis uses it: one operator has one answer, however a program spells it."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from placefix import engine, torch_model
from placefix.prefilter import source_patterns
from placefix.rules import RULES
from placefix.settings import Settings
from placefix.source import Source
from placefix.torch_model import libraries, rows

if TYPE_CHECKING:
    from placefix.torch_model.rows import Operator

HEAD = "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n\n"
DEVICE = 'device = torch.device("cuda" if torch.cuda.is_available() else "cpu")\n'
# What is computed of a tensor of the CPU meets a model on a device.
SCRIPT = DEVICE + "net = nn.Linear(4, 2).to(device)\nx = torch.ones(3, 4)\ny = {call}\nprint(net(y))\n"
# A tensor of the CPU meets one of a device.
MIXTURE = DEVICE + "x = torch.ones(3, 4).to(device)\nz = torch.ones(3, 4)\ny = {call}\n"
# What a layer's forward makes itself meets what it is called with, whatever device that is on.
FORWARD = (
    "class Net(nn.Module):\n    def forward(self, image):\n        image = image.unsqueeze(1)\n"
    "        x = torch.ones(3, 4)\n        y = {call}\n        return torch.cat([image, y])\n"
)
# What a layer keeps as a plain attribute meets what its forward computes.
ATTRIBUTE = (
    "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.linear = nn.Linear(4, 4)\n"
    "        self.x = torch.ones(3, 4)\n\n    def forward(self, image):\n        z = self.linear(image)\n"
    "        y = {call}\n        return z, y\n"
)
WANTED = [rule for rule in RULES if rule.code in ("PF302", "PF304", "PF305")]

# Their results are not computed of the values of the tensor.
OTHERS = {"ones_like", "zeros_like", "empty_like", "full_like", "rand_like", "randn_like", "randint_like"}


def found(program: str) -> list[tuple[str, int, str, str]]:
    """Rule, line, severity and applicability of what is found."""
    source = Source(HEAD + program)
    return sorted(
        (d.rule.code, source.location(d.span.start).row, d.severity.name, d.fix.applicability.name if d.fix else "")
        for d in engine.check(source, Settings(), WANTED)
    )


def spelled(operator: Operator, names: tuple[str, ...]) -> dict[str, str]:
    """The calls of an operator in all its spellings; `names`: what stands for its operands, in their order. Numbers stand between them."""
    places = {o.position: name for o, name in zip(operator.operands, names, strict=True)}
    arguments = [places.get(place, "1") for place in range(max(places) + 1)]
    calls = {}
    if "torch" in operator.spellings:
        calls["function"] = f"torch.{operator.name}({', '.join(arguments)})"
    if "F" in operator.spellings:
        calls["F"] = f"F.{operator.name}({', '.join(arguments)})"
    if "method" in operator.spellings:
        calls["method"] = f"{arguments[0]}.{operator.name}({', '.join(arguments[1:])})"
    if "inplace" in operator.spellings:
        calls["in place"] = f"{arguments[0]}.{operator.name}_({', '.join(arguments[1:])})"
    return calls


ROWS = sorted(rows.operators().items())
ONE = [
    name
    for name, row in ROWS
    if len(row.spellings & {"torch", "F", "method", "inplace"}) > 1
    and [(o.name, o.position) for o in row.operands] == [("input", 0)]
    and row.follows
    and row.gives_tensor
    and name not in OTHERS
]
TWO = [
    name
    for name, row in ROWS
    if len(row.spellings & {"torch", "F", "method", "inplace"}) > 1
    and len(row.operands) == 2
    and row.operands[0].position == 0
    and row.operands[1].position > 0
    and not any(o.several for o in row.operands)
    and not row.makes
]


def test_there_are_many() -> None:
    assert len(ONE) > 180
    assert len(TWO) > 80


@pytest.mark.parametrize("name", ONE)
def test_a_tensor_keeps_its_place_in_every_spelling(name: str) -> None:
    operator = rows.operators()[name]
    for program in (SCRIPT, FORWARD):
        answers = {how: found(program.format(call=call)) for how, call in spelled(operator, ("x",)).items()}
        first = next(iter(answers.values()))
        assert all(answer == first for answer in answers.values()), answers
        if operator.rank == "keeps" and not operator.gives_several:
            assert len(first) == 1, "it meets the device"
            assert first[0][2] == "ERROR"


@pytest.mark.parametrize("name", TWO)
def test_a_mixture_is_refused_in_every_spelling(name: str) -> None:
    operator = rows.operators()[name]
    answers = {how: found(MIXTURE.format(call=call)) for how, call in spelled(operator, ("x", "z")).items()}
    first = next(iter(answers.values()))
    assert all(answer == first for answer in answers.values()), answers
    assert bool(first) == (bool(operator.together) and not operator.lies_apart(operator.operands[1]))


@pytest.mark.parametrize("name", [name for name in TWO if "tensor" in rows.operators()[name].returns])
def test_an_attribute_meets_tensors_in_every_spelling(name: str) -> None:
    calls = spelled(rows.operators()[name], ("self.x", "z"))
    answers = {how: found(ATTRIBUTE.format(call=call)) for how, call in calls.items() if how != "in place"}
    first = next(iter(answers.values()))
    assert all(answer == first for answer in answers.values()), answers


@pytest.mark.parametrize(
    ("name", "device", "rank"),
    [
        ("torch.sin", "operands", "keeps"),
        ("torch.nn.functional.relu_", "operands", "keeps"),
        ("torch.Tensor.lerp", "operands", ""),
        ("torch.zeros", "argument", "sizes"),
        ("torch.from_numpy", "cpu", "may"),
        ("torch.linalg.norm", "operands", "reduces"),
    ],
)
def test_functions_by_name(name: str, device: str, rank: str) -> None:
    operator = torch_model.function(name)
    assert operator is not None
    assert operator.device == device
    assert not rank or operator.rank == rank


@pytest.mark.parametrize(
    "name", ["torch.nn.Linear", "torch.no_such", "numpy.sin", "torch.sin__", "torch.nn.functional.no_such"]
)
def test_other_names(name: str) -> None:
    assert torch_model.function(name) is None


def test_methods_and_attributes_are_told_apart() -> None:
    assert torch_model.method("T") is None
    assert torch_model.attribute("T") is not None
    assert torch_model.attribute("sin") is None
    assert torch_model.method("zero_") is not None
    assert torch_model.method("zero") is None
    assert torch_model.method("__len__") is None


def test_names_by_marks() -> None:
    found = torch_model.marked("tensor", "likely")
    methods = {name for name, row in torch_model.methods().items() if row.marks & {"tensor", "likely"}}
    assert methods <= found
    assert {"shape", "T", "sin", "sin_", "view"} <= found
    assert all(name in methods or torch_model.attribute(name) for name in found)


def test_operands() -> None:
    gather = torch_model.function("torch.gather")
    assert gather is not None
    assert [gather.operand(place, None) and gather.operand(place, None).name for place in range(3)] == [
        "input",
        None,
        "index",
    ]  # type: ignore[union-attr]
    assert gather.operand(1, None, method=True) == gather.operand(2, None) == gather.operand(9, "index")
    einsum = torch_model.function("torch.einsum")
    assert einsum is not None
    assert einsum.operand(0, None) is None
    assert einsum.operand(3, None) == einsum.operand(1, None) is not None


def test_the_rows_are_cheap() -> None:
    """Reading the rows takes milliseconds, and needs nothing of the analysis."""
    program = (
        "import sys, time; from placefix import torch_model; began = time.process_time(); torch_model.method('sin');"
        "print(time.process_time() - began); assert 'torch' not in sys.modules; assert 'placefix.facts' not in sys.modules"
    )
    took = min(
        float(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout)
        for _ in range(3)
    )
    assert took < 0.1  # CPU seconds; 3 ms on an idle machine


def test_the_prefilter_knows_factories() -> None:
    """What a text is searched for before it is parsed are factories of the model."""
    assert all(torch_model.is_factory(f"torch.{name}") for name in source_patterns._FACTORIES)


@pytest.mark.parametrize(
    ("owner", "name", "result"),
    [
        ("transformers.AutoTokenizer.from_pretrained", "encode", "tensor"),
        ("transformers.models.bert.BertTokenizerFast.from_pretrained", libraries.CALL, "encoding"),
        (libraries.BATCH_ENCODING, "to", "self"),
        (libraries.BATCH_ENCODING, "input_ids", "held"),
        ("torchvision.transforms.Compose", libraries.CALL, "tensor"),
        ("torchaudio.transforms.MelSpectrogram", libraries.RESULT, "module"),
        ("torchaudio.transforms.AmplitudeToDB", libraries.RESULT, None),
        ("torchaudio.transforms.AmplitudeToDB", libraries.CALL, "input"),
        ("torch_geometric.data.Data", libraries.RESULT, "graph"),
        (libraries.GRAPH, "edge_index", "held"),
        (libraries.GRAPH, "num_nodes", "read"),
        (libraries.GRAPH, "cuda", "self"),
        ("torch_geometric.datasets.Planetoid", libraries.RESULT, "graphset"),
        ("torchmetrics.Accuracy", "update", "call"),
        ("torchmetrics.Accuracy", "compute", "own"),
        ("torchmetrics.Accuracy", "reset", None),
        ("transformers.AutoTokenizer.from_pretrained", "decode", None),
        ("transformers.AutoModel.from_pretrained", libraries.CALL, None),
        ("torchvision.transforms.Resize", libraries.CALL, "input"),
        ("torchvision.transforms.Lambda", libraries.CALL, None),
        ("transformers.AutoProcessor.from_pretrained", libraries.CALL, "encoding"),
        ("torchvision.io.read_image", libraries.RESULT, "tensor"),
        ("torchaudio.load", libraries.RESULT, "tensor,number"),
        ("torchaudio.info", libraries.RESULT, None),
        ("diffusers.UNet2DConditionModel.from_pretrained", libraries.RESULT, "module"),
        ("diffusers.DDPMScheduler", "add_noise", "input"),
        ("diffusers.DDPMScheduler", "step", None),
        ("diffusers.StableDiffusionPipeline.from_pretrained", libraries.RESULT, None),
        ("timm.create_model", libraries.RESULT, "module"),
        ("timm.list_models", libraries.RESULT, None),
        ("segmentation_models_pytorch.Unet", libraries.RESULT, "module"),
        ("segmentation_models_pytorch.utils", libraries.RESULT, None),
        ("torchvision.models.resnet18", libraries.RESULT, "module"),
        ("torchvision.models.detection.FasterRCNN", libraries.RESULT, "module"),
        ("torchvision.models.ResNet18_Weights.verify", libraries.RESULT, "none"),
        ("torch_geometric.nn.conv.GCNConv", libraries.RESULT, "module"),
        ("torch_geometric.nn.global_mean_pool", libraries.RESULT, None),
        ("torch_geometric.loader.DataLoader", libraries.RESULT, "graphs"),
        ("torchvision.datasets.CIFAR10", libraries.RESULT, "images"),
        ("torchvision.datasets.MNIST", "data", "tensor"),
        ("torchvision.datasets.CIFAR10", "data", None),
        ("transformers.BertForMaskedLM", libraries.RESULT, "module"),
        ("transformers.AutoModel.from_pretrained", libraries.RESULT, "module"),
        ("transformers.BertForMaskedLM.forward", libraries.RESULT, "none"),
        ("torchmetrics.classification.MulticlassAccuracy", libraries.RESULT, "module"),
        ("torchmetrics.AveragePrecision", libraries.RESULT, None),
        ("transformers.optimization.AdamW", libraries.RESULT, "optimizer"),
        ("torch_optimizer.radam.RAdam", libraries.RESULT, "none"),
        ("transformers.get_linear_schedule_with_warmup", libraries.RESULT, "scheduler"),
        ("numpy.asarray", libraries.RESULT, "host"),
        ("numpy.zeros", libraries.RESULT, "array"),
        (libraries.ARRAY, "fill", "written"),
    ],
)
def test_members_of_libraries(owner: str, name: str, result: str | None) -> None:
    """The rows of other libraries are found by patterns of class names."""
    row = libraries.member(owner, name)
    assert (row.result if row is not None else None) == result


def test_only_transforms_to_tensors_give_tensors() -> None:
    """A composition gives a tensor only if one of its transforms does."""
    assert libraries.gives_tensor("torchvision.transforms.ToTensor")
    assert not libraries.gives_tensor("torchvision.transforms.Compose")
    assert not libraries.gives_tensor("transformers.AutoTokenizer.from_pretrained")
