"""What a run does not need it does not load: the deterministic half of the speed promise."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

FAKES = Path(__file__).parent / "fakes.py"

# A file that rules are triggered by, and in which there is nothing to find.
QUIET = "import torch\n\n\n" + "\n".join(
    f'def f{number}(model, x):\n    """.cuda( and DataParallel( and torch.device are only named here."""\n    return x + {number}\n'
    for number in range(60)
)

HEAVY = {"libcst", "rich", "torch", "pydantic", "pathspec", "tomllib", "json", "tempfile", "placefix.writer"}

_PROBE = """
import sys
sys.argv = ["placefix", *sys.argv[1:]]
if {fakes!r}:
    sys.path.insert(0, {folder!r})
    import fakes, placefix.rules
    placefix.rules.RULES = fakes.FAKES
from placefix.cli import main
code = None
try:
    main()
except SystemExit as stop:
    code = stop.code
loaded = sorted(sys.modules)
import json
sys.stderr.write("\\n" + json.dumps([code, loaded]))
"""


def loaded(cwd: Path, *args: str, fakes: bool = False) -> tuple[int, set[str]]:
    """The exit code of a run in a process of its own, and the modules it loaded."""
    probe = _PROBE.format(fakes=fakes, folder=str(FAKES.parent))
    done = subprocess.run([sys.executable, "-c", probe, *args], cwd=cwd, capture_output=True, text=True, check=True)
    code, modules = json.loads(done.stderr.splitlines()[-1])
    return code, set(modules)


def test_nothing_found_loads_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(QUIET)
    for command in (["check"], ["apply"], ["apply", "--diff"]):
        code, modules = loaded(tmp_path, *command, "a.py")
        assert code == 0
        assert "placefix.engine" in modules
        assert not modules & HEAVY, command


def test_a_dismissed_file_is_not_parsed(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    code, modules = loaded(tmp_path, "check", "a.py")
    assert code == 0
    assert "placefix.facts" not in modules


def test_rules_load_their_questions_when_they_are_triggered(tmp_path: Path) -> None:
    """Canonical code that compares with "cuda" and tells autocast the type has no CUDA spelled out in it."""
    (tmp_path / "a.py").write_text(
        "import torch\n\n\ndef train(model, loader, device):\n    model.to(device)\n    for x, y in loader:\n"
        '        with torch.autocast(device_type="cuda", enabled=device.type == "cuda"):\n'
        "            model(x.to(device)).sum().backward()\n"
    )
    code, modules = loaded(tmp_path, "check", "a.py")
    assert code == 0
    assert "placefix.facts.interpret.flow" in modules
    late = {"python2_syntax", "suppression", "text_edits", "layout", "rules.cuda.device_rewrite"}
    assert not modules & {f"placefix.{module}" for module in late}
    assert "placefix.rules.tensors.pf301_batch_not_placed" in modules
    assert "placefix.rules.cuda.pf401_hardcoded_cuda_call" not in modules


def test_findings_without_their_fixes_need_no_writer(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("model.cuda()\n")
    code, modules = loaded(tmp_path, "check", "--output-format", "concise", "a.py", fakes=True)
    assert code == 1
    assert not modules & {"libcst", "rich"}


def test_a_fix_and_its_diff_need_no_rich_when_piped(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("model.cuda()\n")
    for command in (["check"], ["check", "--output-format", "json"], ["apply", "--diff"]):
        code, modules = loaded(tmp_path, *command, "a.py", fakes=True)
        assert code == 1
        assert "libcst" in modules
        assert "rich" not in modules, command


def test_colour_is_rich(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("model.cuda()\n")
    code, modules = loaded(tmp_path, "apply", "--diff", "--color", "always", "a.py", fakes=True)
    assert code == 1
    assert "rich" in modules


def test_usage_errors_and_help_load_no_rich(tmp_path: Path) -> None:
    for args, expected in ((["--help"], 0), (["check", "--help"], 0), (["check", "--nonsense"], 2), (["--version"], 0)):
        code, modules = loaded(tmp_path, *args)
        assert code == expected
        assert not modules & HEAVY, args


def test_import_placefix_is_free() -> None:
    probe = "import sys, placefix; print(sorted(m for m in sys.modules if m.startswith('placefix')))"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['placefix']"


def test_only_the_command_that_runs_is_built(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from placefix import cli
    from placefix.cli.application import typer_of

    built, build = [], typer.main.get_command
    monkeypatch.setattr(typer.main, "get_command", lambda app: built.append(app) or build(app))
    with pytest.raises(SystemExit):
        cli.app(["rule", "PF101"])
    assert "PF101" in capsys.readouterr().out
    assert built == [cli.app, typer_of("rule")]
