"""Configuration files, options over them, and the rules they select."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fakes import FAKES, run
from placefix import rule_selection
from placefix.config import ConfigError, Configs, Options, select

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _rules(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(rule_selection, "RULES", FAKES)
    monkeypatch.chdir(tmp_path)


def codes(rules: object) -> str:
    return " ".join(rule.code for rule in rules)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("chosen", "dropped", "expected"),
    [
        ((), (), "PF901 PF902 PF903"),
        (("PF",), (), "PF901 PF902 PF903"),
        (("PF90",), ("PF902",), "PF901 PF903"),
        (("PF902", "PF901"), (), "PF901 PF902"),  # in the rules' order
        (("PF902",), ("PF9",), "PF902"),  # the longer prefix wins
        (("PF902",), ("PF902",), ""),  # and ignore on a tie
        ((), ("PF",), ""),
        (("PF91",), (), ""),  # an opt-in rule wants its full code
        (("PF911",), (), "PF911"),
    ],
)
def test_select(chosen: tuple[str, ...], dropped: tuple[str, ...], expected: str) -> None:
    assert codes(select(chosen, dropped)) == expected


@pytest.mark.parametrize(("chosen", "dropped"), [(("PF8",), ()), ((), ("XX1",)), (("PF9011",), ()), (("",), ())])
def test_select_unknown(chosen: tuple[str, ...], dropped: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="no rule fits"):
        select(chosen, dropped)


def test_nearest_file_wins(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text('[tool.placefix]\nselect = ["PF901"]\n')
    (tmp_path / "a" / "pyproject.toml").write_text("[project]\nname = 'placefix-user'\n")  # no table: not ours
    configs = Configs()
    assert codes(configs.at(str(inner)).rules) == "PF901"
    (inner / "placefix.toml").write_text('select = ["PF902"]\n')
    (inner / "pyproject.toml").write_text('[tool.placefix]\nselect = ["PF903"]\n')
    configs = Configs()
    assert codes(configs.at(str(inner)).rules) == "PF902"
    assert codes(configs.at(str(tmp_path / "a")).rules) == "PF901"


def test_all_keys(tmp_path: Path) -> None:
    (tmp_path / "placefix.toml").write_text(
        'select = ["PF90"]\nignore = ["PF903"]\nexclude = ["old/", "*_pb2.py"]\n'
        'target-torch = "2.10"\ndevice-idiom = "accelerator"\ndevice-name = "dev"\nunsafe-fixes = true\n'
        '[per-file-ignores]\n"tests/*.py" = ["PF901"]\n"conftest.py" = ["PF9"]\n'
    )
    found = Configs().at(str(tmp_path))
    assert codes(found.rules) == "PF901 PF902"
    assert (found.settings.target_torch, found.settings.device_idiom, found.settings.device_name) == (
        (2, 10),
        "accelerator",
        "dev",
    )
    assert found.unsafe_fixes
    assert codes(found.rules_for(str(tmp_path / "tests" / "a.py"))) == "PF902"
    assert codes(found.rules_for(str(tmp_path / "lib" / "a.py"))) == "PF901 PF902"
    assert codes(found.rules_for(str(tmp_path / "lib" / "conftest.py"))) == ""
    assert found.excludes_path(str(tmp_path / "old"), folder=True)
    assert not found.excludes_path(str(tmp_path / "old"), folder=False)
    assert found.excludes_path(str(tmp_path / "x" / "a_pb2.py"), folder=False)
    assert not found.excludes_path(str(tmp_path.parent / "a_pb2.py"), folder=False)  # outside its root


def test_options_lie_over_the_file(tmp_path: Path) -> None:
    (tmp_path / "placefix.toml").write_text(
        'select = ["PF901"]\nignore = ["PF902"]\nexclude = ["a.py"]\nunsafe-fixes = true\ntarget-torch = "2.0"\n'
    )
    over = Configs(Options(select=("PF902",), exclude=("b.py",), unsafe_fixes=False)).at(str(tmp_path))
    assert codes(over.rules) == "PF902"
    assert not over.unsafe_fixes
    assert over.settings.target_torch == (2, 0)
    assert all(over.excludes_path(str(tmp_path / name), folder=False) for name in ("a.py", "b.py"))
    added = Configs(Options(ignore=("PF901",))).at(str(tmp_path))
    assert codes(added.rules) == ""


def test_isolated_and_named_file(tmp_path: Path) -> None:
    (tmp_path / "placefix.toml").write_text("nonsense = 1\n")
    assert codes(Configs(isolated=True).at(str(tmp_path)).rules) == "PF901 PF902 PF903"
    other = tmp_path / "elsewhere" / "any.toml"
    other.parent.mkdir()
    other.write_text('select = ["PF903"]\nexclude = ["x.py"]\n')
    named = Configs(file="elsewhere/any.toml").at(str(tmp_path))
    assert codes(named.rules) == "PF903"
    assert named.excludes_path(str(other.parent / "x.py"), folder=False)  # relative to its own folder
    assert not named.excludes_path(str(tmp_path / "x.py"), folder=False)


def test_the_accelerator_idiom_brings_its_own_oldest_torch() -> None:
    assert Configs(Options(device_idiom="accelerator")).at("/").settings.target_torch == (2, 7)
    with pytest.raises(ValueError, match=r"needs target-torch 2\.7 or later, not 2\.6"):
        Configs(Options(device_idiom="accelerator", target_torch="2.6"))


def test_the_idiom_auto_takes_any_torch() -> None:
    assert Configs(Options(device_idiom="auto")).at("/").settings.target_torch == (1, 13)
    assert Configs(Options(device_idiom="auto", target_torch="2.6")).at("/").settings.device_idiom == "auto"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("slect = []", 'slect: unknown key: did you mean "select"?'),
        ('select = "PF9"', "select: must be a list of strings"),
        ("select = [1]", "select: must be a list of strings"),
        ('select = ["PF7"]', "select: no rule fits 'PF7'"),
        ('ignore = ["PF7"]', "ignore: no rule fits 'PF7'"),
        ('exclude = ["[z-a]"]', "exclude: '[z-a]' is not a .gitignore pattern"),
        ("target-torch = 2.1", 'target-torch: must be a string of the form "X.Y"'),
        ('target-torch = "2"', 'target-torch: must be a string of the form "X.Y"'),
        ('device-idiom = "mps"', 'device-idiom: must be "cuda" or "accelerator" or "auto"'),
        ('device-name = "for"', "device-name: must be a Python name"),
        ('unsafe-fixes = "yes"', "unsafe-fixes: must be true or false"),
        ("per-file-ignores = []", "per-file-ignores: must be a table"),
        ('[per-file-ignores]\n"*.py" = "PF9"', "per-file-ignores: '*.py': must be a list of strings"),
        ('[per-file-ignores]\n"*.py" = ["PF7"]', "per-file-ignores: no rule fits 'PF7'"),
        ('[per-file-ignores]\n"!a.py" = ["PF9"]', "per-file-ignores: '!a.py': a pattern cannot be negated here"),
        ('device-idiom = "accelerator"\ntarget-torch = "2.0"', 'device-idiom "accelerator" needs target-torch'),
        ("select = [", "is not valid TOML: "),
    ],
)
def test_bad_file_is_named_with_its_key(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "placefix.toml"
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        Configs().at(str(tmp_path))
    message = str(caught.value)
    assert message.startswith(f"{file}: {complaint}")
    assert "\n" not in message


def test_bad_pyproject_table(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool]\nplacefix = 3\n")
    with pytest.raises(ConfigError, match=r"pyproject\.toml: tool\.placefix: must be a table"):
        Configs().at(str(tmp_path))
    with pytest.raises(ConfigError, match="no such file"):
        Configs(file="absent.toml")
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    with pytest.raises(ConfigError, match=r"has no \[tool\.placefix\] table"):
        Configs(file="pyproject.toml")


def test_a_folder_named_as_the_configuration(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="a folder, not a file"):
        Configs(file=str(tmp_path))


def test_a_file_that_is_not_about_us_may_be_broken(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("this is = not TOML [")
    assert codes(Configs().at(str(tmp_path)).rules) == "PF901 PF902 PF903"


def test_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("model.cuda()\n")
    (tmp_path / "pyproject.toml").write_text("[tool.placefix]\nselct = []\n")
    result = run("check", "a.py", cwd=tmp_path)
    assert result.returncode == 2
    assert result.stdout == b""
    assert result.stderr.startswith(f"error: {tmp_path / 'pyproject.toml'}: selct: unknown key".encode())
    assert result.stderr.count(b"\n") == 1
    assert run("check", "--isolated", "a.py", cwd=tmp_path).returncode == 1
    (tmp_path / "pyproject.toml").write_text("[tool.placefix]\nper-file-ignores = {'a.py' = ['PF9']}\n")
    assert run("check", "a.py", cwd=tmp_path).returncode == 0
