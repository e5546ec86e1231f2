"""The command: what it prints and how it exits."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from placefix.cli import main
from placefix.simulate import installation, judgement, verify
from placefix.simulate.program import Program, find_program
from placefix.simulate.request import Request
from placefix.simulate.torch_environment import SetupError

if TYPE_CHECKING:
    from placefix.simulate.client import Simulator

pytestmark = pytest.mark.proof  # each run starts a simulated machine

SOURCE = Path(__file__).parents[2] / "src"
WRONG = """import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(3, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs = torch.ones(4, 3)
for _ in range(5):
    loss = model(inputs).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
"""
STYLE = """import random
import torch

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Linear(3, 2).to("cuda")
x = torch.randn(4, 3).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(2):
    loss = model(x).square().sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print("loss", loss.item())
"""
Run = Callable[..., tuple[int, str]]
RIGHT = WRONG.replace("torch.ones(4, 3)", "torch.ones(4, 3).to(device)")


def run_process(tmp_path: Path, script: str, *options: str) -> tuple[int, str]:
    """The exit code and the output of the command, with a simulator that it starts."""
    path = tmp_path / "train.py"
    path.write_text(script, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(SOURCE), os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, "-m", "placefix", "verify", *options, str(path)]
    done = subprocess.run(
        command, check=False, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=900
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def run(
    tmp_path: Path, simulator: Simulator, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """The exit code and the output of the command, run in this process with the simulator of all tests: a start costs seconds."""
    monkeypatch.setattr(verify, "Simulator", lambda python, force: nullcontext(simulator))
    monkeypatch.chdir(tmp_path)

    def run_here(script: str, *options: str) -> tuple[int, str]:
        path = tmp_path / "train.py"
        path.write_text(script, encoding="utf-8")
        words = options if options and options[-1].endswith((".ipynb", ".py")) else (*options, str(path))
        monkeypatch.setattr(sys, "argv", ["placefix", "verify", *words])
        with pytest.raises(SystemExit) as left:
            main()
        assert isinstance(left.value.code, int)
        return left.value.code, "".join(capsys.readouterr())

    return run_here


def test_an_error_is_shown_where_it_is(tmp_path: Path) -> None:
    code, said = run_process(tmp_path, WRONG)
    assert code == 1
    assert "SIMULATED" in said
    assert "got mat1 is on cpu" in said
    assert "train.py:9: loss = model(inputs).sum()" in said
    assert "inputs: float32 [4, 3] on cpu, made in train.py:7" in said
    assert (
        "`inputs` (made in train.py:7, never moved) on cpu meets `model` on cuda:0 in train.py:9. PF302 fixes it: `placefix apply train.py`"
        in said
    )
    assert "model: Linear on cuda:0" in said


def test_an_item_of_a_dict_is_shown(run: Run) -> None:
    script = """import torch

net = torch.nn.Linear(2, 2)
kept = {"old": {name: p.data.clone() for name, p in net.named_parameters()}}
net.cuda()
for name, p in net.named_parameters():
    kept["old"][name] = 0.9 * kept["old"][name] + p.data
"""
    code, said = run(script)
    assert code == 1
    assert "kept['old'][name]: float32 [2, 2] on cpu, made in train.py:4" in said


def test_a_clean_run(tmp_path: Path) -> None:
    code, said = run_process(tmp_path, RIGHT, "--gpus", "1", "--steps", "3")
    assert code == 0
    assert "ran clean: 3 optimizer steps on cuda:0 (stopped there), with 1 simulated device" in said
    assert "Linear  module     2 on cuda:0" in said


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("raise KeyError('no such column')\n", "fails without any device in the same way: KeyError"),
        ("import no_such_module_here\n", "the module 'no_such_module_here' is not installed"),
        ("import sys\nsys.exit(3)\n", "the script ends itself with exit code 3"),
        ("import sys\nsys.exit('no data')\n", "the script ends itself: no data"),
        ("input('model? ')\n", "the script waits for input, and has none here"),
        (
            "import argparse\np = argparse.ArgumentParser()\np.add_argument('--data', required=True)\np.parse_args()\n",
            "(train.py: error: the following arguments are required: --data); its arguments come after its name",
        ),
        ("x = (\n", "SyntaxError"),
        ("import torch\nif torch.cuda.is_available():\n    torch.cuda.CUDAGraph()\n", "CUDA graphs cannot be captured"),
        (
            "import torch\nd = 'cuda' if torch.cuda.is_available() else 'cpu'\n"
            "torch.eye(2, device=d).to_sparse_csr() @ torch.ones(2, 1, device=d)\n",
            "the simulator cannot run this",
        ),
        (
            "import torch\nif torch.cuda.is_available():\n    raise NotImplementedError('no')\n",
            "NotImplementedError: no",
        ),
        ("import time\ntime.sleep(3600)\n", "did not end in time"),
        ("import os\nos.kill(os.getpid(), 9)\n", "the process died (signal 9)"),
    ],
)
def test_not_judged(script: str, reason: str, run: Run) -> None:
    limit = "2" if "sleep" in script else "300"
    code, said = run(script, "--gpus", "1", "--timeout", limit)
    assert code == (3 if "simulator cannot run" in reason or "CUDA graphs" in reason else 2)
    assert reason in said


def test_fix(run: Run, tmp_path: Path) -> None:
    script = WRONG.replace("inputs = torch.ones(4, 3)\n", "inputs = torch.ones(4, 3)\ninputs.to(device)\n")
    script = script.replace('"cuda")', '"cuda" if torch.cuda.is_available() else "cpu")')
    code, said = run(script, "--fix")
    assert code == 0, said
    before, after = said.split("after the fix:")
    assert "device error" in before
    assert "ran clean: 5 optimizer steps on cuda:0" in after
    assert "equal those of the plain CPU, bit for bit" in after
    assert (tmp_path / "train.py").read_text(encoding="utf-8") == script


def test_fix_knows_what_the_script_imports_from_beside_it(run: Run, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "net.py").write_text(
        "from torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.fc = nn.Linear(3, 2)\n\n    def forward(self, x):\n        return self.fc(x)\n"
    )
    script = WRONG.replace("inputs = torch.ones(4, 3)\n", "inputs = torch.ones(4, 3)\ninputs.to(device)\n")
    script = script.replace("nn.Linear(3, 2)", "Net()").replace("import torch\n", "import torch\nfrom net import Net\n")
    code, said = run(script, "--gpus", "1", "--fix")
    assert code == 0, said
    assert "ran clean: 5 optimizer steps on cuda:0" in said


def test_stub_data(run: Run) -> None:
    script = """import torch
from torchvision import datasets, transforms
data = datasets.MNIST("nowhere", train=True, download=True, transform=transforms.Compose([transforms.ToTensor()]))
images, labels = next(iter(torch.utils.data.DataLoader(data, batch_size=4)))
model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(784, 10)).cuda()
torch.nn.functional.cross_entropy(model(images.cuda()), labels.cuda()).backward()
"""
    assert run(script, "--gpus", "1", "--stub-data")[0] == 0


def test_an_untried_torch_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert installation.untried_version() is None
    monkeypatch.setattr(installation, "TESTED_TORCH", ("1.0.0",))
    assert installation.untried_version() == version("torch").partition("+")[0]
    assert installation.why_unsupported() is None


def test_an_old_torch_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "OLDEST_TORCH", (99, 0))
    assert "needs torch 99.0 or later" in (installation.why_unsupported() or "")


def test_the_machine_code_covers_the_tested_machines() -> None:
    pytest.importorskip("torch")
    from placefix.simulate import guard

    assert set(guard._CODE) == {name for _, name in installation.TESTED_SYSTEMS}
    assert len({frozenset(code) for code in guard._CODE.values()}) == 1
    address = bytes(8).hex()
    texts = [
        text.format(streams=address, new_stream=address) for code in guard._CODE.values() for text in code.values()
    ]
    assert all(len(bytes.fromhex(text)) <= guard._CODE_SIZE for text in texts)


def test_an_untried_system_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "TESTED_SYSTEMS", (("Plan 9", "mips"),))
    assert "was not tried on" in (installation.why_unsupported() or "")


def test_a_rank_that_died_is_not_judged(tmp_path: Path) -> None:
    from typing import cast

    error: dict[str, Any] = {"type": "ProcessExitedException", "text": "process 1 terminated with signal SIGSEGV"}
    verdict, reason = judgement._classify(cast("Any", None), Request("x.py"), {}, error, judgement.Judgement())
    assert verdict == judgement.NOT_MODELLED
    assert "died" in reason


def test_the_first_sentence_names_the_culprit_in_another_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "goals.py").write_text("import torch\n\n\ndef goal():\n    return torch.zeros(4, 2)\n")
    script = (
        "import torch\nfrom torch import nn\nfrom goals import goal\n"
        "model = nn.Linear(3, 2).cuda()\n\n\ndef loss(target):\n    pred = model(torch.ones(4, 3).cuda())\n"
        "    return nn.functional.mse_loss(pred, target)\n\n\nloss(goal())\n"
    )
    code, said = run(script, "--gpus", "1")
    assert code == 1
    assert "`target` (made in goals.py:5, never moved) on cpu meets `pred` on cuda:0 in train.py:9." in said
    assert "train.py:12: loss(goal())  (calls)" in said


def test_the_output_of_the_script_is_shown(run: Run) -> None:
    script = "import sys\nprint('one')\nprint('two', file=sys.stderr)\nprint('three', end='')\n"
    said = run(script, "--gpus", "1")[1].splitlines()
    assert {"  > one", "  > two", "  > three"} <= set(said)
    assert "  > one" not in run(script, "--gpus", "1", "--quiet")[1]


def test_a_module_of_a_package(run: Run, tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").touch()
    (tmp_path / "pkg" / "net.py").write_text("import torch\nnet = torch.nn.Linear(3, 2)\n")
    (tmp_path / "pkg" / "train.py").write_text(
        "import sys\nfrom .net import net\nprint(sys.argv[1:], __name__, __package__, net.cuda().weight.device)\n"
    )
    code, said = run("", "--gpus", "1", "-m", "pkg.train", "--lr", "0.1")
    assert code == 0, said
    assert "['--lr', '0.1', 'train.py'] __main__ pkg cuda:0" in said.replace(str(tmp_path) + os.sep, "")
    assert "no such module" in run("", "-m", "pkg.absent")[1]


RANKS = """import os, torch, torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.nn.parallel import DistributedDataParallel as DDP

dist.init_process_group("nccl")
rank = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(rank)
d = torch.device("cuda", rank)
two = torch.zeros(2, device=d)
dist.reduce_scatter(two, [torch.ones(2, device=d), torch.full((2,), 2.0, device=d)])
assert two.tolist() == [2.0 + 2 * rank] * 2
dist.all_to_all_single(two, torch.arange(2.0, device=d) + 10 * rank)
assert two.tolist() == [float(rank), 10.0 + rank]
works = dist.batch_isend_irecv(
    [dist.P2POp(dist.isend, two.clone(), 1 - rank), dist.P2POp(dist.irecv, two, 1 - rank)]
)
for work in works:
    work.wait()
assert two.tolist() == [1.0 - rank, 11.0 - rank]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.used, self.unused = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4)), nn.Linear(3, 4)

    def forward(self, x):
        return self.used(x)


torch.manual_seed(0)
x = torch.randn(8, 3)
net = Net()
expected = net.used(x).detach()
net = DDP(nn.SyncBatchNorm.convert_sync_batchnorm(net).to(d), device_ids=[rank], find_unused_parameters=True)
optimizer = torch.optim.SGD(net.parameters(), 0.1)
for step in range(2):
    out = net(x[rank * 4 : rank * 4 + 4].to(d))
    if step == 0:  # the statistics are those of the whole batch
        torch.testing.assert_close(out.detach().cpu(), expected[rank * 4 : rank * 4 + 4], rtol=1e-4, atol=1e-5)
    (out ** 2 * torch.arange(4.0, device=d)).sum().backward()
    optimizer.step()
sharded = FSDP(nn.Linear(8, 4).to(d), device_id=rank)
sharded(torch.ones(4, 8, device=d)).sum().backward()
print("rank", rank, "of", dist.get_world_size())
dist.destroy_process_group()
"""


@pytest.mark.battery  # it starts several processes
def test_processes_of_a_launcher(run: Run) -> None:
    code, said = run(RANKS, "--nproc", "2")
    assert code == 0, said
    assert "[0] rank 0 of 2" in said
    assert "[1] rank 1 of 2" in said
    assert "ran clean: 4 optimizer steps on cuda:0, cuda:1, with 2 simulated devices" in said


@pytest.mark.parametrize(
    ("source", "machines"),
    [
        (b"x.cuda()", (1, 2)),
        (b"x.to('cuda:0')", (1, 2)),
        (b"x.to('cuda:3')", (4,)),
        (b"m = DataParallel(m, device_ids=[0, 2])", (3,)),
        (b"x.cuda(1)", (2,)),
        (b"torch.cuda.set_device(2)", (3,)),
        (b"print('cuda:3 is a device')", (1, 2)),
        (b"f(3)", (1, 2)),
        (b"x = (", (1, 2)),
    ],
)
def test_the_machine_has_the_devices_that_the_script_names(
    source: bytes, machines: tuple[int, ...], tmp_path: Path
) -> None:
    (tmp_path / "train.py").write_bytes(source)
    program = Program(tmp_path / "train.py")
    assert verify.choose_machines(program, (), verify.VerifyOptions()) == machines
    assert verify.choose_machines(program, (), verify.VerifyOptions(gpus=5)) == (5,)


@pytest.mark.parametrize(
    ("arguments", "machines"),
    [
        ("--nproc_per_node 3 train.py", (3,)),
        ("--nproc-per-node=2 train.py", (2,)),
        ("--num_processes 1 train.py", (1,)),
        ("--num-processes=4 -m pkg.train --lr 1", (4,)),
        ("--nproc_per_node gpu train.py", (1, 2)),
        ("train.py", (1, 2)),
    ],
)
def test_a_launcher_has_a_device_for_each_process(
    arguments: str, machines: tuple[int, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bin").mkdir()
    for name in ("train.py", "bin/python", "bin/start", "bin/compiled"):
        (tmp_path / name).write_text("#!/usr/bin/env python\n" if name != "bin/compiled" else "ELF")
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "train.py").touch()
    words = arguments.split()
    python = str(tmp_path / "bin" / "python")
    for script, module in (("start", ""), ("bin/start", ""), ("", "start.main")):
        program = find_program(script, module, words, python)
        assert program.script.name == "train.py"
        assert program.launcher == ("-m start.main" if module else str(tmp_path / "bin" / "start"))
        assert verify.choose_machines(program, words, verify.VerifyOptions()) == machines
    for script, module, words in (
        ("compiled", "", ["train.py"]),
        ("start", "", ["--help"]),
        ("", "start", []),
        ("absent", "", []),
    ):
        with pytest.raises(SetupError, match=r"no such|starts no script"):
            find_program(script, module, words, python)
    assert find_program("train.py", "", ["other.py"], python) == Program(Path("train.py"))


LAUNCHED = STYLE.replace("import torch\n", "import os\nimport torch\nimport torch.distributed as dist\n", 1).replace(
    "model = ", 'dist.init_process_group("nccl")\ntorch.cuda.set_device(dist.get_rank())\nmodel = '
).replace(
    "optimizer = ", "model = torch.nn.parallel.DistributedDataParallel(model, device_ids=[dist.get_rank()])\noptimizer = ", 1
).replace("print(", "print(__file__, dist.get_rank(), dist.get_world_size(), ")  # fmt: skip


@pytest.mark.battery  # it starts several processes
def test_torchrun(run: Run, tmp_path: Path) -> None:
    options = ("-m", "torch.distributed.run", "--nproc_per_node", "2", "--standalone")
    code, said = run(LAUNCHED, *options)
    assert code == 0, said
    assert f"  > {tmp_path}/train.py 1 2 loss" in said
    assert "ran clean: 4 optimizer steps on cuda:0, cuda:1, with 2 simulated devices" in said
    code, said = run(LAUNCHED.replace(".cuda()", "").replace("model(x)", "model.module(x)"), *options)
    assert code == 1
    assert "`x` (made in train.py:" in said


@pytest.mark.battery  # it starts several processes
def test_the_steps_of_started_processes_are_limited(run: Run) -> None:
    script = LAUNCHED.replace("range(2)", "range(200)")
    code, said = run(script, "--steps", "1", "--nproc", "2")
    assert code == 0, said
    assert "ran clean: 2 optimizer steps on cuda:0, cuda:1 (stopped there), with 2 simulated devices" in said


def test_started_processes_run_the_fixed_text(simulator: Simulator, tmp_path: Path) -> None:
    script, fixed = tmp_path / "train.py", tmp_path / "elsewhere" / "fixed.py"
    fixed.parent.mkdir()
    script.write_text("print('original')\n")
    fixed.write_text("import os\nprint('fixed', os.environ['RANK'], __file__)\n")
    request = Request(str(script), folder=str(tmp_path), source=str(fixed), copy_limit=10**6, processes=2, devices=2)
    report = simulator.run(request)
    assert sorted(report["out"].splitlines()) == [f"[{rank}] fixed {rank} {script}" for rank in (0, 1)]


def test_a_fix_of_processes_needs_a_copy(run: Run) -> None:
    code, said = run(STYLE, "--fix", "--in-place", "--nproc", "2")
    assert code == 2
    assert "--fix with several processes needs a copy of the script" in said


@pytest.mark.battery  # it starts several processes
def test_a_rank_that_fails(run: Run) -> None:
    script = (
        "import os, torch\nd = torch.device('cuda', int(os.environ['RANK']))\n"
        "model = torch.nn.Linear(3, 2).to(d)\nif os.environ['RANK'] == '1':\n    model(torch.ones(4, 3))\n"
    )
    code, said = run(script, "--nproc", "2")
    assert code == 1
    assert "device error with 2 simulated devices: RuntimeError: Expected all tensors" in said
    assert "train.py:5: model(torch.ones(4, 3))" in said


def test_ranks_that_never_meet(run: Run) -> None:
    script = (
        'import os, torch, torch.distributed as dist\ndist.init_process_group("nccl")\n'
        "torch.cuda.set_device(dist.get_rank())\nif dist.get_rank() == 0:\n    dist.barrier()\n"
    )
    code, said = run(script, "--nproc", "2", "--output-format", "json")
    data = json.loads(said)
    assert (code, data["exit_code"], data["verdict"]) == (1, 1, "error between ranks")
    (found,) = data["ranks"]
    assert found["kind"] == "never-meet"
    assert [(place["rank"], place["line"], place["source"]) for place in found["places"]] == [(0, 5, "dist.barrier()")]
    assert found["text"].endswith("rank 0 waits in train.py:5 (`dist.barrier()`), rank 1 has ended")


@pytest.mark.parametrize(("memory", "code"), [("1G", 1), ("3G", 0)])
def test_memory(run: Run, memory: str, code: int) -> None:
    script = "import torch\nkept = torch.empty(2 * 2**30, dtype=torch.uint8, device='cuda')\n"
    found, said = run(script, "--gpus", "1", "--memory", memory)
    assert found == code
    assert ("CUDA out of memory. Tried to allocate 2.00 GiB" in said) == bool(code)


def test_memory_is_a_size(run: Run) -> None:
    code, said = run("", "--memory", "much")
    assert code == 2
    assert "'much' is not a size" in said


def test_a_time_limit_after_clean_steps_is_a_result(run: Run) -> None:
    script = RIGHT.replace("range(5)", "iter(int, 1)")
    code, said = run(script, "--gpus", "1", "--timeout", "4", "--quiet")
    assert code == 0, said
    assert "then stopped at the time limit of 4 s; use --steps or --timeout" in said


def test_a_caught_error_is_not_clean(run: Run) -> None:
    script = "import torch\nmodel = torch.nn.Linear(3, 2).cuda()\ntry:\n    model(torch.ones(4, 3))\nexcept RuntimeError:\n    pass\n"
    code, said = run(script, "--gpus", "1")
    assert code == 1
    assert "the script caught a device error (train.py:4): RuntimeError: Expected all tensors" in said


def test_a_caught_error_in_a_notebook_is_in_a_cell(run: Run, tmp_path: Path) -> None:
    cells = (
        "import torch\nmodel = torch.nn.Linear(3, 2).cuda()",
        "try:\n    model(torch.ones(4, 3))\nexcept RuntimeError:\n    pass",
    )
    (tmp_path / "n.ipynb").write_text(notebook(*cells))
    code, said = run("", "--gpus", "1", str(tmp_path / "n.ipynb"))
    assert code == 1
    assert "the script caught a device error (n.ipynb, cell 2, line 2): RuntimeError: Expected all tensors" in said


def test_a_script_without_training_makes_no_step(run: Run) -> None:
    code, said = run("import torch\nprint(torch.ones(2).cuda().sum().item())\n", "--gpus", "1")
    assert code == 0
    assert "ran clean: no optimizer step, with 1 simulated device" in said


def test_json(run: Run) -> None:
    import json

    code, said = run(WRONG, "--gpus", "1", "--output-format", "json")
    found = json.loads(said)
    assert (code, found["verdict"], found["exit_code"]) == (1, "device error", 1)
    assert found["sentence"].startswith("`inputs` (made in train.py:7, never moved)")
    assert found["error"]["where"][-1]["line"] == 9
    fixed = json.loads(run(WRONG, "--gpus", "1", "--fix", "--output-format", "json")[1])
    assert fixed["before"]["verdict"] == "device error"
    assert fixed["after"]["verdict"] == "clean"
    assert fixed["comparisons"]["cpu"]["kind"] == "equal"
    assert "+inputs = torch.ones(4, 3" in fixed["diff"]
    assert (fixed["exit_code"], fixed["rules"]) == (0, ["PF302", "PF402"])


ONCE = """import os, torch
assert not os.path.exists("checkpoint.pt"), "written by another run"
torch.save(torch.nn.Linear(3, 2).cuda().state_dict(), "checkpoint.pt")
import helper
print(os.path.abspath("checkpoint.pt"), helper.__file__, open("../beside.txt").read())
"""


def test_each_run_has_a_copy_of_the_folder(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "helper.py").touch()
    (tmp_path / "beside.txt").write_text("neighbour")
    monkeypatch.chdir(folder)
    script = str(folder / "train.py")
    (folder / "train.py").write_text(ONCE)
    code, said = run("", script)
    assert code == 0, said
    assert f"  > {folder}/checkpoint.pt {folder}/helper.py neighbour" in said
    assert sorted(path.name for path in folder.iterdir()) == ["helper.py", "train.py"]
    code, said = run("", "--in-place", script)
    assert code == 2
    assert "AssertionError: written by another run" in said
    assert (folder / "checkpoint.pt").exists()


def test_modules_are_found_where_python_finds_them(run: Run, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "beside.py").touch()
    (tmp_path / "top.py").touch()
    (tmp_path / "tempfile.py").write_text("raise AssertionError('replaces a module of Python')\n")
    script = tmp_path / "sub" / "train.py"
    script.write_text("import beside, tempfile\n")
    code, said = run("", "--gpus", "1", str(script))
    assert code == 0, said
    script.write_text("import top\n")
    code, said = run("", "--gpus", "1", str(script))
    assert code == 2
    assert "the module 'top' is not installed" in said


def test_a_run_that_writes_to_a_file_without_a_copy_is_not_judged(run: Run, tmp_path: Path) -> None:
    (tmp_path / "large.bin").write_bytes(bytes(4096))
    code, said = run("open('large.bin', 'r+b').write(b'x')\n", "--copy-limit", "3K")
    assert code == 2
    assert "cannot be judged: the script writes to large.bin, which is not copied for each run" in said
    assert run("open('large.bin', 'rb').read()\n", "--copy-limit", "3K")[0] == 0
    assert run("", "--copy-limit", "little")[0] == 2


@pytest.fixture
def change_fix(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Make `apply` write another text than it would, as a wrong fix."""
    import placefix

    fix_source = placefix.fix_source

    def change(old: str, new: str) -> None:
        def fix(*arguments: Any, **options: Any) -> Any:
            outcome: Any = fix_source(*arguments, **options)
            assert old in outcome.text
            return outcome._replace(text=outcome.text.replace(old, new))

        monkeypatch.setattr(placefix, "fix_source", fix)

    return change


@pytest.mark.parametrize(
    ("old", "new", "failure"),
    [
        ("", "", None),
        ("loss.backward()", "los.backward()", "the fixed script raises NameError: name 'los' is not defined; the original runs clean"),
        ("range(2)", "range(3)", "3 optimizer steps after the fix, 2 before"),
        ("lr=0.1", "lr=0.2", "the results differ"),
        ("optimizer = ", "y = x.sum()\nmodel.cpu(); x = x.cpu()\noptimizer = ", "Linear (module) is on the CPU; it was on cuda:0 before the fix"),
        ("print(", "x = x.cpu(); model(x.to(device)); print(", "x (variable) is on the CPU; it was on cuda:0 before the fix"),
    ],
)  # fmt: skip
def test_a_wrong_fix_fails(
    run: Run, change_fix: Callable[[str, str], None], old: str, new: str, failure: str | None
) -> None:
    import json

    if old:
        change_fix(old, new)
    code, said = run(STYLE, "--gpus", "1", "--fix", "--output-format", "json")
    found = json.loads(said)
    assert (found["exit_code"], code) == (int(failure is not None),) * 2, said
    assert found["failures"] == [] if failure is None else failure in found["failures"]
    assert found["before"]["verdict"] == "clean"


def test_an_exception_that_the_original_hides_behind_a_device_error_is_not_the_fix(run: Run) -> None:
    script = STYLE.replace(".cuda()", "") + "raise KeyError('no such column')\n"
    code, said = run(script, "--gpus", "1", "--fix")
    assert "KeyError: 'no such column'" in said
    assert code == 2
    assert "FAILED" not in said


def test_a_name_that_the_fix_leaves_unbound_is_a_failure_after_a_device_error(
    run: Run, change_fix: Callable[[str, str], None]
) -> None:
    change_fix("print(", "print(missing, ")
    code, said = run(STYLE.replace(".cuda()", ""), "--gpus", "1", "--fix")
    assert code == 1
    assert "FAILED: the fixed script raises NameError: name 'missing' is not defined" in said


@pytest.mark.parametrize(
    ("old", "new", "kind", "sentence"),
    [
        ("loss = model(x).square().sum()", "with torch.autocast(device): loss = model(x).square().sum()", "explained", "autocast computes with another precision"),
        ("range(2)", "range(2 * torch.cuda.is_available())", "explained", "without a device the script makes no optimizer step"),
        ("square()", "mul(random.random()).square()", "unknown", "two runs of the same script give other numbers"),
    ],
)  # fmt: skip
def test_differences_that_are_no_failures_have_a_reason(run: Run, old: str, new: str, kind: str, sentence: str) -> None:
    import json

    code, said = run(STYLE.replace(old, new), "--gpus", "1", "--fix", "--output-format", "json")
    found = json.loads(said)
    assert (code, found["failures"]) == (0, []), said
    assert found["comparisons"]["cpu"]["kind"] == kind
    assert sentence in found["comparisons"]["cpu"]["sentence"]


def test_the_command_of_the_page_about_ci(run: Run, tmp_path: Path) -> None:
    import json
    import re
    import shlex

    page = (SOURCE.parent / "docs" / "ci.md").read_text(encoding="utf-8")
    found = re.search(r"```sh\nplacefix verify (.*) train\.py > verify\.json\n```\n(.*?)\n## ", page, re.DOTALL)
    assert found is not None
    code, said = run(STYLE, *shlex.split(found[1]))
    result = json.loads(said)
    named = set(re.findall(r"`(\w+)`", found[2].partition("`verify.json` has")[2].partition(".\n")[0]))
    assert named == {"before", "after", "diff", "rules", "comparisons", "failures", "exit_code"} <= set(result)
    assert (code, result["exit_code"], result["failures"]) == (0, 0, [])
    assert result["after"]["runs"][0]["steps"] == 2


def test_what_leaves_the_device_is_a_failure() -> None:
    from placefix.simulate.comparison import compare_reports
    from placefix.simulate.fix_comparison import lost_devices

    def report(place: str, out: str) -> dict[str, Any]:
        rows = [{"what": "Net", "kind": "module", "places": {where: 2}} for where in ("cpu", place)]
        return {"out": out, "table": rows, "sums": {}}

    before, after = report("cuda:0", "loss 0.5\n"), report("cpu", "loss 0.625\n")
    assert lost_devices(before, after) == ["Net (module) is on the CPU; it was on cuda:0 before the fix"]
    assert lost_devices(after, before) == lost_devices(before, before) == []
    found = compare_reports(after, before, "the original")
    assert (found.kind, found.largest, found.place) == ("different", 0.125, "the output `loss 0.625`")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_end_of_the_command_ends_the_script(tmp_path: Path, number: signal.Signals) -> None:
    script = tmp_path / "train.py"
    script.write_text(
        "import os, subprocess, sys, time\n"
        "child = subprocess.Popen(['sleep', '600'], start_new_session=True)\n"
        # The shell ends at once: its child has a session without a parent.
        "subprocess.run(['setsid', '--fork', 'sh', '-c', 'echo $$ > orphan; exec sleep 600'])\n"
        "while not (os.path.exists('orphan') and open('orphan').read()): time.sleep(0.01)\n"
        f"place = {str(tmp_path)!r}\n"
        "open(place + '/pids', 'w').write(f'{os.getpid()} {child.pid} {open(\"orphan\").read()}')\n"
        "os.rename(place + '/pids', place + '/written')\n"
        "try:\n    time.sleep(60)\nexcept KeyboardInterrupt:\n    time.sleep(60)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(SOURCE), os.environ.get("PYTHONPATH", "")])}
    # a shell ignores SIGINT in what it starts in the background, and so would the command
    start = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    start += "from placefix.__main__ import main; sys.exit(main())"
    command = [sys.executable, "-c", start, "verify", "--gpus", "1", str(script)]
    running = subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL, start_new_session=True
    )
    while not (tmp_path / "written").exists():
        assert running.poll() is None
        time.sleep(0.05)
    numbers = [int(word) for word in (tmp_path / "written").read_text().split()]
    if number == signal.SIGINT:
        os.killpg(running.pid, number)  # Ctrl-C in a terminal is for the whole group
    else:
        running.send_signal(number)
    assert running.wait(60) == 128 + number
    left = [number for number in numbers if Path(f"/proc/{number}").exists()]
    until = time.monotonic() + 30
    while left and time.monotonic() < until:
        time.sleep(0.05)
        left = [number for number in numbers if Path(f"/proc/{number}").exists()]
    assert left == []


def notebook(*cells: str) -> str:
    import json

    rows = [
        {
            "cell_type": "code",
            "metadata": {},
            "outputs": [],
            "execution_count": n,
            "source": text.splitlines(keepends=True),
        }
        for n, text in enumerate(cells, 1)
    ]
    kernel = {"language_info": {"name": "python"}}
    return json.dumps({"cells": rows, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5})


CELLS = (
    "!pip install something\n%matplotlib inline\nimport torch\nfrom torch import nn\n",
    "files = !ls\nmodel = nn.Linear(3, 2).cuda()\nx = torch.ones(4, 3)\n",
    "%time y = model(x)\nprint(y.sum().item())\ny",
)


def test_a_notebook_is_run_cell_by_cell(run: Run, tmp_path: Path) -> None:
    (tmp_path / "n.ipynb").write_text(notebook(*CELLS))
    for name, content, code in (
        ("n.ipynb", (*CELLS[:2], CELLS[2].replace("%time ", "")), 1),
        ("m.ipynb", (*CELLS[:2], CELLS[2].replace("(x)", "(x.cuda())")), 0),
    ):
        (tmp_path / name).write_text(notebook(*content))
        found, said = run("", "--gpus", "1", str(tmp_path / name))
        assert found == code, said
        if code:
            assert (
                "`x` (made in n.ipynb, cell 2, line 3, never moved) on cpu meets `model` on cuda:0 in n.ipynb, cell 3, line 1."
                in said
            )
            assert "PF302 fixes it: `placefix apply n.ipynb`" in said


@pytest.mark.parametrize(
    ("cells", "code", "text"),
    [
        (("%matplotlib inline\n!pip install nothing\n%%time", "x = torch.ones(2).cuda()"), 0, "ran clean"),
        (("net = 1\n%run prepare.py\n%reset -f", "assert net == 1"), 0, "ran clean"),
        (
            ("%matplotlib inline", "%%writefile absent_helper.py\ndef f(): pass", "from absent_helper import f"),
            2,
            "shell commands and magics were not run, such as that in cell 3, line 1",
        ),
        (("name = input('name? ')",), 2, "the script waits for input, and has none here"),
    ],
)
def test_magics_do_nothing(run: Run, tmp_path: Path, cells: tuple[str, ...], code: int, text: str) -> None:
    (tmp_path / "n.ipynb").write_text(notebook("import torch", *cells))
    found, said = run("", "--gpus", "1", str(tmp_path / "n.ipynb"))
    assert (found, text in said) == (code, True), said


def test_a_fixed_notebook_is_compared(run: Run, tmp_path: Path) -> None:
    (tmp_path / "n.ipynb").write_text(notebook(*CELLS))
    code, said = run("", "--gpus", "1", "--fix", str(tmp_path / "n.ipynb"))
    assert code == 1, said  # a magic may do anything to `x`: it is not moved
    assert "PF302" not in said
    plain = (CELLS[0], CELLS[1].replace("files = !ls\n", ""), CELLS[2].replace("%time ", ""))
    (tmp_path / "n.ipynb").write_text(notebook(*plain))
    code, said = run("", "--gpus", "1", "--fix", str(tmp_path / "n.ipynb"))
    assert code == 0, said
    assert "after the fix:" in said
    assert "equal those of the plain CPU" in said
    (tmp_path / "n.ipynb").write_text("{")
    assert run("", str(tmp_path / "n.ipynb"))[0] == 2
