"""`placefix inventory`: every use of CUDA is in one class, with what `apply` does or why it does nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from command import run_text
from placefix import cuda_inventory, runner
from placefix.config import Configs
from placefix.discover import discover
from placefix.facts import cuda_api, torch_api

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

MIXED = """import torch
import torch.distributed as dist
from torch import nn


def prepare(net, gpu, rank):
    import cupy
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl")
    net.cuda(gpu)
    if torch.cuda.is_available():
        torch.cuda.manual_seed(1)
    return torch.device(f"cuda:{rank}")


net = nn.Linear(4, 2).cuda()
torch.cuda.nvtx.range_push("a")
torch.cuda.foo()
with torch.cuda.amp.autocast():
    net(torch.zeros(1, 4).cuda())
"""


def run(*args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return run_text("inventory", *args, cwd=cwd)


def ties(text: str, folder: Path) -> list[tuple[str, str, int]]:
    """(name, class, row) of each use in a program."""
    (folder / "a.py").write_text(text)
    targets = discover([str(folder / "a.py")], Configs(isolated=True))
    (found,) = cuda_inventory.usages_of_results(runner.check(targets))
    assert not found.error
    return [(tie.name, tie.kind, tie.row) for tie in found.usages]


def notes(text: str, folder: Path) -> dict[int, str]:
    """Row -> what is said of the use there."""
    (folder / "a.py").write_text(text)
    targets = discover([str(folder / "a.py")], Configs(isolated=True))
    (found,) = cuda_inventory.usages_of_results(runner.check(targets))
    assert not found.error
    return {tie.row: tie.note for tie in found.usages}


TEST = """import unittest
import torch


class TestNet(unittest.TestCase):
    def test_forward_gpu(self):
        self.assertTrue(torch.ones(1).cuda().is_cuda)
"""
STREAMS = """import torch


def overlap(x):
    with torch.cuda.stream(torch.cuda.Stream()):
        torch.cuda.synchronize()
"""
SEVERAL = """import torch


def spread(blocks, devices):
    if len(devices) > 1 and args.model_parallel:
        torch.cuda.set_device(devices[0])
"""


@pytest.mark.parametrize(
    ("text", "row", "reason"),
    [
        (TEST, 7, "it is a test of CUDA itself"),
        (STREAMS, 6, "the code around it uses CUDA streams or graphs"),
        (SEVERAL, 6, "the code around it is meant for GPUs"),
    ],
    ids=["test", "streams", "several"],
)
def test_what_stands_without_a_finding_has_its_reason(text: str, row: int, reason: str, tmp_path: Path) -> None:
    assert reason in notes(text, tmp_path)[row]


def test_each_use_is_in_one_class(tmp_path: Path) -> None:
    assert ties(MIXED, tmp_path) == [
        ("import cupy", "cuda-only", 7),
        ("torch.cuda.set_device", "equivalent", 8),
        ('backend="nccl"', "equivalent", 9),
        (".cuda()", "person", 10),
        ("torch.cuda.manual_seed", "equivalent", 12),
        ('f"cuda:{…}"', "person", 13),
        (".cuda()", "mapped", 16),
        ("torch.cuda.nvtx.range_push", "cuda-only", 17),
        ("torch.cuda.foo", "person", 18),
        ("torch.cuda.amp.autocast", "mapped", 19),
        (".cuda()", "mapped", 20),
    ]


@pytest.mark.parametrize(
    ("text", "use"),
    [
        ('f"cuda:{rank}"', 'f"cuda:{…}"'),
        ('"cuda:{}".format(rank)', '"cuda:{}".format(…)'),
        ("'cuda:{0}'.format(rank)", '"cuda:{}".format(…)'),
        ('"cuda:%d" % rank', '"cuda:%d" % …'),
        ('"cuda:%s" % (rank,)', '"cuda:%d" % …'),
        ('"cuda:" + str(rank)', '"cuda:" + …'),
        ('"cuda: {}".format(rank)', None),
        ('"on cuda:%d" % rank', None),
        ('names["cuda:"] + str(rank)', None),
    ],
)
def test_a_gpu_by_a_number_that_the_program_works_out(text: str, use: str | None, tmp_path: Path) -> None:
    program = f"import torch\n\n\ndef device_of(rank, names):\n    return torch.device({text})\n"
    assert ties(program, tmp_path) == ([(use, "person", 5)] if use else [])


TABLE = """mapped: `placefix apply` rewrites it
  uses  files  use                      note
     2      1  .cuda()
     1      1  torch.cuda.amp.autocast

equivalent: it has an equivalent for every accelerator
  uses  files  use                     note
     1      1  backend="nccl"          `torch.distributed.get_default_backend_for_device` from torch 2.6; raises without CUDA
     1      1  torch.cuda.manual_seed  `torch.manual_seed`; does nothing without CUDA
     1      1  torch.cuda.set_device   `torch.accelerator.set_device_index` from torch 2.6; raises without CUDA; the file uses several processes with NCCL, which needs CUDA

cuda-only: it exists for CUDA alone
  uses  files  use                         note
     1      1  import cupy                 arrays on the GPU
     1      1  torch.cuda.nvtx.range_push  raises without CUDA

person: a person has to decide
  uses  files  use             note
     1      1  .cuda()         `gpu` may be the number of a particular GPU, or None for the current one, and `.to(None)` moves nothing
     1      1  f"cuda:{…}"     it names a GPU by a number that the program computes
     1      1  torch.cuda.foo  its behaviour without CUDA is not known

by file
  file  mapped  unsafe  equivalent  cuda-only  person
  a.py       3       0           3          2       3

"""

MARKDOWN = """# What ties this code to CUDA

## Cuda-only: it exists for CUDA alone

| uses | files | use | note |
|---|---|---|---|
| 2 | 1 | `torch.cuda.nvtx.mark` | raises without CUDA |

## By file

| file | mapped | unsafe | equivalent | cuda-only | person |
|---|---|---|---|---|---|
| `a.py` | 0 | 0 | 0 | 2 | 0 |
"""

# No rule is triggered by it: the inventory reads it all the same.
MARKS = 'import torch\n\ntorch.cuda.nvtx.mark("a")\ntorch.cuda.nvtx.mark("b")\n'


def test_table(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(MIXED)
    (tmp_path / "plain.py").write_text("import torch\n")
    done = run(".", "--isolated", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, TABLE)
    assert done.stderr == "11 uses of CUDA in 1 file of 2.\n"


def test_markdown(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(MARKS)
    assert run(".", "--output-format", "markdown", cwd=tmp_path).stdout == MARKDOWN


def test_json(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(MARKS)
    assert json.loads(run(".", "--output-format", "json", cwd=tmp_path).stdout) == {
        "counts": {"mapped": 0, "unsafe": 0, "equivalent": 0, "cuda-only": 2, "person": 0},
        "uses": [
            {
                "use": "torch.cuda.nvtx.mark",
                "class": "cuda-only",
                "note": "raises without CUDA",
                "count": 2,
                "files": [{"filename": "a.py", "count": 2, "rows": [3, 4]}],
            }
        ],
    }


def test_on_a_terminal_it_is_laid_out(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(MARKS)
    assert "│ torch.cuda.nvtx.mark" in run(".", "--color", "always", cwd=tmp_path).stdout


def test_exit_codes(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(MARKS)
    (tmp_path / "bad.py").write_text("import torch\nx.cuda(\n")
    done = run(".", cwd=tmp_path)
    assert done.returncode == 2
    assert "torch.cuda.nvtx.mark" in done.stdout
    assert done.stderr.startswith("error: bad.py: line 2: ")
    assert run("--output-format", "yaml", cwd=tmp_path).returncode == 2
    (tmp_path / "bad.py").unlink()
    assert run(".", cwd=tmp_path).returncode == 0


def test_what_asks_is_no_tie(tmp_path: Path) -> None:
    text = 'import torch\n\ndevice = torch.device("cuda" if torch.cuda.is_available() else "cpu")\nprint(torch.cuda.is_bf16_supported())\n'
    assert ties(text, tmp_path) == []


def test_legacy_async_is_listed(tmp_path: Path) -> None:
    assert ties("import torch\n\n\ndef f(x):\n    return x.cuda(async=True)\n", tmp_path) == [
        ("legacy-async-keyword", "mapped", 5)
    ]


def test_a_silenced_use_is_not_lost(tmp_path: Path) -> None:
    text = "import torch\n\nx = torch.zeros(3).cuda()  # placefix: ignore\n"
    assert ties(text, tmp_path) == [(".cuda()", "person", 3)]


def test_a_collapsed_guard_counts_its_moves(tmp_path: Path) -> None:
    text = "import torch\n\nnet = torch.nn.Linear(1, 1)\nif torch.cuda.is_available():\n    net.cuda()\n    net = net.cuda()\n"
    assert ties(text, tmp_path) == [(".cuda()", "mapped", 5), (".cuda()", "mapped", 6)]


def test_what_a_guard_keeps_is_not_mapped(tmp_path: Path) -> None:
    text = """import torch

cuda = torch.cuda.is_available()
net = torch.nn.Linear(1, 1)
if cuda:
    net = torch.nn.DataParallel(net).cuda()
    print(torch.cuda.device_count())
"""
    found = ties(text, tmp_path)
    assert found[1:] == [("torch.cuda.device_count", "equivalent", 7)]
    assert found[0][::2] == (".cuda()", 6)


def test_a_guarded_definition_is_the_choice_itself(tmp_path: Path) -> None:
    text = 'import torch\n\nif torch.cuda.is_available():\n    device = torch.device("cuda")\nelse:\n    device = torch.device("cpu")\n'
    assert ties(text, tmp_path) == []


@pytest.mark.parametrize("name", sorted(torch_api.CUDA_PROCEDURES | torch_api.CUDA_QUESTIONS))
def test_both_tables_say_what_raises(name: str) -> None:
    known = cuda_api.find(f"torch.cuda.{name}")
    assert known is not None
    assert known.without == "raises"


@pytest.mark.parametrize("name", sorted(torch_api.ACCELERATOR_SINCE))
def test_both_tables_know_the_counterpart(name: str) -> None:
    known = cuda_api.find(f"torch.cuda.{name}")
    assert known is not None
    assert known.instead == f"torch.accelerator.{torch_api.ACCELERATOR_SINCE[name][0]}"
