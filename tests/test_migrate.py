"""`placefix migrate ddp`: the diff, the file it writes, `undo`, the reasons against it, and hostile input."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from command import run_text
from each import check_each
from placefix import engine
from placefix.migrate import Migration, migrate
from placefix.rules import RULES
from placefix.settings import Settings
from placefix.source import Source

SCRIPTS = sorted((Path(__file__).parent / "migrate").glob("*/*.py"))


def migrated(text: str, *, synchronised: bool = False) -> Migration:
    rules = engine.rules_for_single_file(rule for rule in RULES if not rule.opt_in)
    return migrate(Source.from_bytes(text.encode(), "train.py"), Settings(), rules, synchronised=synchronised)


def reasons(text: str) -> list[str]:
    """The reasons against the migration of a script, each after its row."""
    return [f"{refusal.row}: {refusal.text}" for refusal in migrated(text).refusals]


# A script that can be migrated; the tests change parts of it.
PLAIN = """\
import time

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
data = TensorDataset(torch.randn(96, 4), torch.randint(0, 3, (96,)))
loader = DataLoader(data, batch_size=16, shuffle=True)
model = nn.Linear(4, 3).to(device)
model = nn.DataParallel(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
torch.save(model.state_dict(), "model.pt")
"""


def test_some_scripts_are_migrated_once() -> None:
    """The result is Python, and a second migration refuses it."""
    check_each(is_migrated_once, SCRIPTS[::9], lambda path: path.stem)


@pytest.mark.proof
@pytest.mark.long
def test_each_script_is_migrated_once() -> None:
    check_each(is_migrated_once, SCRIPTS, lambda path: path.stem)


def is_migrated_once(path: Path) -> None:
    found = migrated(path.read_text())
    assert not found.refusals, found.refusals
    ast.parse(found.text)
    assert "DistributedSampler(" in found.text
    assert "nn.DataParallel(" not in found.text
    again = migrated(found.text)
    assert any("already" in refusal.text or "no model" in refusal.text for refusal in again.refusals)


def test_the_parts_of_a_script() -> None:
    text = migrated(PLAIN).text
    for line in (
        '    dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")\n',
        "    batch_size=16 // world_size,\n",
        "sampler=DistributedSampler(data) if distributed else None",
        "    model = DistributedDataParallel(model)\n",
        "        loader.sampler.set_epoch(epoch)\n",
        "    loss_of_all = mean_of_processes(loss)\n",
        "    if rank == 0:\n        print(epoch, loss_of_all.item())\n",
        'if rank == 0:\n    torch.save(weights_of(model), "model.pt")\n',
        "if distributed:\n    dist.destroy_process_group()\n",
    ):
        assert line in text, line
    assert "SyncBatchNorm" not in text
    assert "SyncBatchNorm.convert_sync_batchnorm(model)" in migrated(PLAIN, synchronised=True).text


CHANGES = {
    "no wrap": ("model = nn.DataParallel(model)\n", "", "1: no model is wrapped by DataParallel"),
    "a sum": ("cross_entropy(model(x), y)", 'cross_entropy(model(x), y, reduction="sum")', "19: the loss is a sum over the batch"),
    "an unknown loss": ("nn.functional.cross_entropy(model(x), y)", "model(x).std()", "19: `loss` is not shown to be a mean"),
    "an unknown metric": ("print(epoch, loss.item())", "print(epoch, model(x).std().item())", "21: "),
    "a sampler": ("shuffle=True", "sampler=torch.utils.data.RandomSampler(data)", "10: the DataLoader has `sampler`"),
    "no batch": ("batch_size=16, ", "", "10: the DataLoader has no batch size"),
    "another dimension": ("nn.DataParallel(model)", "nn.DataParallel(model, dim=1)", "12: `dim` has no counterpart"),
    "a while loop": ("for epoch in range(2):", "epoch = 0\nwhile epoch < 2:\n    epoch += 1", "15: the loop over the epochs"),
    "a decision": ("        optimizer.step()\n", "        if loss > 3:\n            break\n        optimizer.step()\n", "20: a test depends"),
    "a name in use": ("data = Tensor", "rank = 3\ndata = Tensor", "9: the name `rank` is in use"),
    "a file": ('torch.save(model.state_dict(), "model.pt")', 'open("log.txt", "w").write("done")', "22: every process would write"),
    "distributed already": ("import torch\n", "import torch\nimport torch.distributed\n", "1: the script uses torch.distributed already"),
    "the clock": ("    print(epoch", "    if time.time() % 2 > 1:\n        print(epoch", "21: a metric below this test"),
    "another optimizer": ("model.parameters()", "nn.Linear(2, 2).parameters()", "13: this optimizer does not train"),
    "two models": ("model.parameters()", "[*model.parameters(), *nn.Linear(2, 2).parameters()]", "13: this optimizer"),
    "the module itself": ("model(x), y", "model.module(x), y", "17: training runs the model without its wrapper"),
    "a saved wrapper": ("model.state_dict()", "model", "22: this saves the wrapper itself"),
    "a fixed GPU": ("nn.Linear(4, 3).to(device)", "nn.Linear(4, 3).cuda(1)", "11: "),
    "a stream": (
        "data = TensorDataset(torch.randn(96, 4), torch.randint(0, 3, (96,)))",
        "class Stream(torch.utils.data.IterableDataset): ...\ndata = Stream()", "11: the DataLoader reads an IterableDataset",
    ),
    "a tensor that is kept": ("        optimizer.step()\n", "        optimizer.step()\n        kept.append(model(x))\n", "21: `model(x)` is kept"),
    "two statements on a line": ("    print(epoch, loss.item())", "    done = 1; print(epoch)", "21: the statement shares its line"),
    "a random split": ("torch.manual_seed(0)\n", "", "8: "),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_reasons(name: str) -> None:
    old, new, reason = CHANGES[name]
    assert old in PLAIN
    found = reasons(PLAIN.replace(old, new))
    assert any(one.startswith(reason) for one in found), found


def test_a_model_with_layers_that_a_step_leaves_out() -> None:
    network = """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.used = nn.Linear(4, 3)
        self.extra = nn.Linear(4, 3)

    def forward(self, x):
        {forward}
        return self.used(x)


"""
    text = PLAIN.replace("torch.manual_seed(0)\n", network + "torch.manual_seed(0)\n").replace(
        "nn.Linear(4, 3).to", "Net().to"
    )
    left_out = [
        text.replace("{forward}", "pass"),
        text.replace("{forward}", "if x.sum() > 0:\n            return self.extra(x)"),
    ]
    assert any("`extra` is never called" in reason for reason in reasons(left_out[0]))
    assert any("`extra` is not called on every path" in reason for reason in reasons(left_out[1]))
    assert reasons(text.replace("{forward}", "x = x + self.extra(x).mean()")) == []


def test_metrics() -> None:
    """Numbers of a batch are reduced once: tensors that are added up where they are shown, counts where they are added up."""
    plain = PLAIN.replace("    for x, y in loader:\n", "    total, seen, kept = 0.0, 0, []\n    for x, y in loader:\n")
    after = "        optimizer.step()\n"

    def text(inside: str, below: str) -> str:
        """The migrated script with statements in the training loop and below it, each on one line."""
        changed = plain.replace(after, after + f"        {inside}\n").replace(
            "    print(epoch, loss.item())", f"    {below}"
        )
        found = migrated(changed)
        assert not found.refusals, found.refusals
        return ast.unparse(ast.parse(found.text))

    assert "print(float(total_of_all))" in text("total += loss.detach()", "print(float(total))")
    assert "kept.append(mean_of_processes(loss.detach()))" in text("kept.append(loss.detach())", "print(len(kept))")
    assert "kept.append(mean_of_processes(loss).item())" in text(
        "kept.append(loss.item())", "print(sum(kept) / len(kept))"
    )
    counted = text("seen += len(y)", "print(total / seen, seen)")
    assert "seen += len(y) * world_size" in counted
    assert "print(total / seen, seen)" in counted
    weighted = text("total += loss.item() * x.size(0)", "print(total)")
    assert "total += mean_of_processes(loss).item() * (x.size(0) * world_size)" in weighted
    shared = text("total += (model(x).argmax(1) == y).sum().item() / len(y)", "print(total)")
    assert "total += sum_of_processes((model(x).argmax(1) == y).sum()).item() / (len(y) * world_size)" in shared
    tensors = text("total += ((model(x).argmax(1) == y).sum() / len(y)).item()", "print(total)")
    assert "total += mean_of_processes((model(x).argmax(1) == y).sum() / len(y)).item()" in tensors
    hidden = text("state = torch.zeros(x.size(0), 3)", "print(epoch)")
    assert "torch.zeros(x.size(0), 3)" in hidden


def test_functions_in_output_run_in_each_process() -> None:
    count = """\
def count():
    global calls
    calls += 1
    return calls


calls = 0
"""
    text = PLAIN.replace("torch.manual_seed(0)\n", count + "torch.manual_seed(0)\n").replace(
        "epoch, loss.item()", "count()"
    )
    assert "    count_result = count()\n    if rank == 0:\n        print(count_result)\n" in migrated(text).text
    assert any(
        "this output statement runs" in one for one in reasons(text.replace("(count())", "(count() if epoch else 0)"))
    )


def test_evaluation_is_not_reduced() -> None:
    """Each process evaluates all data, also below the training loop and with its names."""
    text = migrated(
        PLAIN
        + """\
correct, total = 0, 0
for x, y in DataLoader(TensorDataset(torch.randn(40, 4), torch.randint(0, 3, (40,))), batch_size=10):
    x, y = x.to(device), y.to(device)
    total += y.size(0)
    correct += (model(x).argmax(dim=1) == y).sum().item()
print(correct / total)
"""
    ).text
    assert "    total += y.size(0)\n    correct += (model(x).argmax(dim=1) == y).sum().item()\n" in text
    assert text.count("DistributedSampler(") == 1


def test_a_script_that_cannot_be_migrated(tmp_path: Path) -> None:
    text = PLAIN.replace("cross_entropy(model(x), y)", 'cross_entropy(model(x), y, reduction="sum")')
    (tmp_path / "train.py").write_text(text)
    for options in ([], ["--write"]):
        done = run_text("migrate", "ddp", *options, "train.py", cwd=tmp_path)
        assert done.returncode == 1
        assert done.stdout.startswith("train.py:19: the loss is a sum")
        assert (tmp_path / "train.py").read_text() == text


def test_diff_write_and_undo(tmp_path: Path) -> None:
    env = {"XDG_STATE_HOME": str(tmp_path / "state")}
    script = tmp_path / "train.py"
    script.write_bytes(PLAIN.replace("\n", "\r\n").encode())
    before = script.read_bytes()
    shown = run_text("migrate", "ddp", "--diff", "train.py", cwd=tmp_path, env=env)
    assert (shown.returncode, script.read_bytes()) == (0, before)
    assert shown.stdout.startswith("--- a/train.py\n+++ b/train.py\n")
    done = run_text("migrate", "ddp", "--write", "train.py", cwd=tmp_path, env=env)
    assert done.returncode == 0, done.stderr
    assert script.read_bytes().decode().replace("\r\n", "\n") == migrated(PLAIN).text
    assert b"\n" not in script.read_bytes().replace(b"\r\n", b"")
    assert run_text("undo", cwd=tmp_path, env=env).returncode == 0
    assert script.read_bytes() == before


HOSTILE = {
    "missing.py": (None, "missing.py: No such file or directory"),
    "broken.py": (b"def (", "broken.py: line 1: cannot be parsed as Python 3"),
    "latin.py": (b"x = '\xff'\n", "latin.py: "),
    "train.ipynb": (b"{}", "train.ipynb: a notebook is one process"),
    "folder": (b"", "folder: is no script"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_input(name: str, tmp_path: Path) -> None:
    data, error = HOSTILE[name]
    if name == "folder":
        (tmp_path / name).mkdir()
    elif data is not None:
        (tmp_path / name).write_bytes(data)
    done = run_text("migrate", "ddp", "--write", name, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {error}")
    assert done.stderr.count("\n") == 1


def test_usage(tmp_path: Path) -> None:
    assert run_text("migrate", "fsdp", "train.py", cwd=tmp_path).returncode == 2
    assert run_text("migrate", "ddp", "--diff", "--write", "train.py", cwd=tmp_path).returncode == 2


def test_the_example_of_the_page() -> None:
    """The script after the migration, as the page shows it without imports and model."""
    page = Path(__file__).parent.parent / "docs" / "one-gpu-to-many.md"
    before, after = re.findall(r"^```python\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    head = PLAIN.partition("torch.manual_seed")[0].replace("import time\n\n", "")
    network = "class Net(nn.Sequential):\n    def __init__(self):\n        super().__init__(nn.Linear(8, 4))\n\n\n"
    text = migrated(head + "\n\n" + network + before).text
    for part in after.split("\n\n\n"):
        assert part.strip() in text, part
