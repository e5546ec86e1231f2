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
    "a sampler": ("shuffle=True", "sampler=torch.utils.data.RandomSampler(data, True)", "10: the DataLoader has `sampler`"),
    "no batch": ("batch_size=16, ", "", "10: the DataLoader has no batch size"),
    "another dimension": ("nn.DataParallel(model)", "nn.DataParallel(model, dim=1)", "12: `dim` has no counterpart"),
    "a while loop": ("for epoch in range(2):", "epoch = 0\nwhile epoch < 2:\n    epoch += 1", "15: the loop over the epochs"),
    "a decision": ("        optimizer.step()\n", "        if loss > 3:\n            break\n        optimizer.step()\n", "20: a test depends"),
    "a name in use": ("data = Tensor", "rank = 3\ndata = Tensor", "9: the name `rank` is in use"),
    "a file that is read": ('torch.save(model.state_dict(), "model.pt")', 'open("log.txt", "w").write("done")\ntext = open("log.txt").read()', "22: every process would write"),
    "a file that is changed": ('torch.save(model.state_dict(), "model.pt")', 'open("log.txt", "r+").write("done")', "22: every process would write"),
    "a file that must be new": ('torch.save(model.state_dict(), "model.pt")', 'open("log.txt", "x").write("done")', "22: every process would write"),
    "noise": ("model(x), y)", "model(x + torch.randn(x.size(0), 4, device=device)), y)", "17: `torch.randn` draws the same numbers"),
    "noise of a tensor": ("model(x), y)", "model(x + torch.empty(len(x), 4, device=device).normal_()), y)", "17: `normal_` draws the same numbers"),
    "entries of samples": ("        optimizer.step()\n", "        optimizer.step()\n        kept.extend(y.tolist())\n", "21: `y` has an entry for each sample"),
    "an unknown value": ("        optimizer.step()\n", "        optimizer.step()\n        print(measure(x, y)[0].item())\n", "21: `measure(x, y)[0]` is not shown to be"),
    "distributed already": ("import torch\n", "import torch\nimport torch.distributed\n", "1: the script uses torch.distributed already"),
    "the clock": ("    print(epoch", "    if time.time() % 2 > 1:\n        print(epoch", "21: a metric below this test"),
    "a random number": ("    print(epoch", "    if torch.rand(1).item() > 0.5:\n        print(epoch", "21: a metric below this test"),
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


def test_a_test_of_the_clock_around_the_call_of_a_function() -> None:
    """The processes would not all come to the reduction in the function."""
    show = "def show(value):\n    print(value.item())\n\n\nstart = time.time()\n"
    text = PLAIN.replace("torch.manual_seed(0)\n", show + "torch.manual_seed(0)\n").replace(
        "        optimizer.step()\n",
        "        optimizer.step()\n        if time.time() - start > 60:\n            show(loss)\n",
    )
    assert any(one.startswith("26: a metric below this test") for one in reasons(text)), reasons(text)
    assert reasons(text.replace("if time.time() - start > 60:", "if epoch > 0:")) == []


def test_modules_that_write() -> None:
    text = PLAIN.replace("import time\n", "import shutil\n\nimport wandb\n").replace(
        "for epoch", 'wandb.init(project="x")\nwandb.watch(model)\nshutil.copy("a", "b")\nfor epoch'
    )
    assert (
        '\nif rank == 0:\n    wandb.init(project="x")\n    wandb.watch(model)\n    shutil.copy("a", "b")\n'
        in migrated(text).text
    )
    assert any("the result of `wandb.init`" in one for one in reasons(text.replace("wandb.init", "run = wandb.init")))


def test_a_file_that_is_written_is_the_null_device_elsewhere() -> None:
    log = 'with open("log.csv", mode="a") as log:\n    for epoch'
    body = PLAIN.replace("for epoch", log).replace("\n    for x", "\n        for x")
    start = body.index("        for x")
    text = body[:start] + body[start:].replace("\n        ", "\n            ").replace(
        "    print(epoch, loss.item())", "        log.write(str(loss.item()))"
    )
    found = migrated(text)
    assert not found.refusals, found.refusals
    assert 'with open("log.csv" if rank == 0 else os.devnull, mode="a") as log:\n' in found.text
    assert "        log.write(str(mean_of_processes(loss).item()))\n" in found.text


def test_neighbouring_output_statements_share_a_test() -> None:
    old = "    print(epoch, loss.item())\n"
    new = """\
    print("epoch", epoch)
    print("a string\\n"
          "of two lines")
    # a comment
    print(\"\"\"text
of three
lines\"\"\", epoch)
"""
    expected = """\
    if rank == 0:
        print("epoch", epoch)
        print("a string\\n"
              "of two lines")
    # a comment
    if rank == 0:
        print(\"\"\"text
of three
lines\"\"\", epoch)
"""
    assert expected in migrated(PLAIN.replace(old, new)).text


def test_each_process_may_make_a_directory_that_may_exist() -> None:
    text = PLAIN.replace("import time\n", "import os\nimport time\n")
    made = (
        text.replace("torch.save(", 'os.makedirs("out", exist_ok=True)\nos.makedirs("new")\ntorch.save(')
        + "done = True\n"
    )
    assert (
        '\nos.makedirs("out", exist_ok=True)\nif rank == 0:\n    os.makedirs("new")\n    torch.save('
        in migrated(made).text
    )


def test_a_sampler_of_all_items() -> None:
    for order, option in (("RandomSampler", ""), ("SequentialSampler", ", shuffle=False")):
        text = PLAIN.replace("loader = DataLoader", f"order = torch.utils.data.{order}(data)\nloader = DataLoader")
        expected = f"sampler=DistributedSampler(data{option}) if distributed else order"
        assert expected in migrated(text.replace("shuffle=True", "sampler=order")).text
    assert any(
        "has `sampler`" in one
        for one in reasons(text.replace("shuffle=True", "sampler=order").replace("Sampler(data)", "Sampler(data[:4])"))
    )


def test_two_wraps_in_one_test() -> None:
    text = PLAIN.replace(
        "model = nn.DataParallel(model)\n",
        "other = nn.Linear(4, 3).to(device)\nif torch.cuda.device_count() > 1:\n    model = nn.DataParallel(model)\n    other = nn.DataParallel(other)\n",
    ).replace("cross_entropy(model(x), y)", "cross_entropy(model(x) + other(x).detach(), y)")
    found = migrated(text)
    assert not found.refusals, found.refusals
    assert "device_count" not in found.text
    assert found.text.count(" = DistributedDataParallel(") == 2


# Losses of `out`, the output for a batch, and `y`: of pairs of samples, of statistics of the batch, of some samples by their place.
MIXED = (
    "nn.functional.cross_entropy(out @ out.t(), torch.arange(len(y), device=device))",
    "nn.functional.cross_entropy(torch.matmul(out, out.T), y)",
    "nn.functional.cross_entropy(torch.mm(out, out.transpose(0, 1)), y)",
    "nn.functional.cross_entropy(-torch.cdist(out, out), y)",
    'nn.functional.cross_entropy(torch.einsum("nc,mc->nm", out, out), y)',
    "nn.functional.cross_entropy(nn.functional.linear(out, out), y)",
    "nn.functional.cross_entropy(nn.functional.cosine_similarity(out.unsqueeze(1), out.unsqueeze(0), dim=2), y)",
    "((out[:, None, :] - out[None]) ** 2).mean()",
    "nn.functional.cross_entropy(out.softmax(dim=0), y)",
    "nn.functional.cross_entropy(out / out.norm(), y)",
    "nn.functional.cross_entropy(out - out.mean(0), y)",
    "nn.functional.cross_entropy(out, y) + out.var(dim=0).mean()",
    "torch.relu(1 - out.std(0)).mean()",
    "((out - out.min()) / (out.max() - out.min())).mean()",
    "nn.functional.cross_entropy(out[:4], y[:4])",
    "out[0].mean()",
    "(out.chunk(2)[0] - out.chunk(2)[1]).abs().mean()",
    "out.view(2, -1).softmax(1).mean()",
    "nn.functional.pdist(out).mean()",
)
# Losses of one sample each.
SINGLE = (
    "nn.functional.cross_entropy(out, y)",
    "nn.functional.cross_entropy(out.view(-1, 3), y.view(-1))",
    "nn.functional.cross_entropy(out, y, weight=torch.ones(3, device=device))",
    "(out.logsumexp(1) - out.gather(1, y.unsqueeze(1)).squeeze(1)).mean()",
    "nn.functional.nll_loss(out.log_softmax(dim=1), y)",
    "(out.pow(2).sum(1) + out.norm(dim=1)).mean()",
    "torch.bmm(out.unsqueeze(1), out.unsqueeze(2)).mean()",
    "nn.functional.cosine_similarity(out, torch.ones_like(out)).mean()",
    "torch.clamp(1 - nn.functional.normalize(out), min=0).mean()",
    "(out @ torch.ones(3, 2, device=device)).mean()",
    "out.t().eq(y.view(1, -1)).float().mean() + out.mean()",
    "out[:, 0].abs().mean()",
    "torch.stack([out, out], dim=1).max(dim=1)[0].mean()",
    "(out.sum() / out.size(0)) * 2",
    "out.sum(0).mul(1.0 / y.size(0)).mean()",
    "torch.max(out, 1)[0].mean()",
)


@pytest.mark.parametrize("loss", MIXED)
def test_a_loss_that_mixes_samples(loss: str) -> None:
    """Its value for a batch is no mean of its values for the parts."""
    found = reasons(PLAIN.replace("nn.functional.cross_entropy(model(x), y)", loss.replace("out", "model(x)")))
    assert "19: `loss` is not shown to be a mean over the batch" in found, found
    named = PLAIN.replace("        loss =", "        out = model(x)\n        loss =").replace(
        "nn.functional.cross_entropy(model(x), y)", loss
    )
    assert any("`loss` is not shown to be a mean over the batch" in one for one in reasons(named))


@pytest.mark.parametrize("loss", SINGLE)
def test_a_loss_of_each_sample(loss: str) -> None:
    text = PLAIN.replace("        loss =", "        out = model(x)\n        loss =")
    assert reasons(text.replace("nn.functional.cross_entropy(model(x), y)", loss)) == []


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
