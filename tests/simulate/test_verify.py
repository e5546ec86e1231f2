"""The command: what it prints and how it exits."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from placefix.cli import main
from placefix.simulate import installation, verify

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
    monkeypatch.setattr(verify, "Simulator", lambda force: nullcontext(simulator))
    monkeypatch.chdir(tmp_path)

    def run_here(script: str, *options: str) -> tuple[int, str]:
        path = tmp_path / "train.py"
        path.write_text(script, encoding="utf-8")
        monkeypatch.setattr(sys, "argv", ["placefix", "verify", *options, str(path)])
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
    assert "`inputs` (made in train.py:7, never moved) on cpu meets `model` on cuda:0 in train.py:9. PF302 fixes it: `placefix apply train.py`" in said
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
        ("import sys\nsys.exit(3)\n", "SystemExit: 3"),
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
    assert code == 2
    assert reason in said


def test_fix(run: Run, tmp_path: Path) -> None:
    script = WRONG.replace("inputs = torch.ones(4, 3)\n", "inputs = torch.ones(4, 3)\ninputs.to(device)\n")
    script = script.replace('"cuda")', '"cuda" if torch.cuda.is_available() else "cpu")')
    code, said = run(script, "--fix")
    assert code == 0, said
    before, after = said.split("after the fixes of apply")
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


def test_an_untried_torch_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "TESTED_TORCH", ("1.0.0",))
    assert "was not tried on torch" in (installation.why_unsupported() or "")


def test_the_machine_code_covers_the_tested_machines() -> None:
    pytest.importorskip("torch")
    from placefix.simulate import guard

    assert set(guard._CODE) == {name for _, name in installation.TESTED_SYSTEMS}
    assert len({frozenset(code) for code in guard._CODE.values()}) == 1
    assert all(len(bytes.fromhex(text)) <= 16 for code in guard._CODE.values() for text in code.values())


def test_an_untried_system_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "TESTED_SYSTEMS", (("Plan 9", "mips"),))
    assert "was not tried on" in (installation.why_unsupported() or "")


def test_a_rank_that_died_is_not_judged(tmp_path: Path) -> None:
    from typing import Any, cast

    from placefix.simulate.request import Request

    error: dict[str, Any] = {"type": "ProcessExitedException", "text": "process 1 terminated with signal SIGSEGV"}
    verdict, reason = verify._classify(cast("Any", None), Request("x.py"), {}, error, verify.Judgement())
    assert verdict == verify.UNKNOWN
    assert "died" in reason
