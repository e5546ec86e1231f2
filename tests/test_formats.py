"""The formats for machines: each as it stands in tests/snapshots, and as the services' own schemas want it.

`PLACEFIX_UPDATE=1 pytest tests/test_formats.py -n0` rewrites the snapshots; what changed is read before it is committed.
"""

from __future__ import annotations

import json
import os
import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

import placefix
from fakes import run

if TYPE_CHECKING:
    from subprocess import CompletedProcess

SNAPSHOTS = Path(__file__).parent / "snapshots"
FORMATS = (
    "full",
    "concise",
    "json",
    "json-lines",
    "sarif",
    "github",
    "gitlab",
    "junit",
    "rdjson",
    "azure",
    "pylint",
    "grouped",
)
NO_CI = {"GITHUB_WORKSPACE": "", "CI_PROJECT_DIR": "", "PYTHONUTF8": "1"}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """What is hard on formats: names with spaces, signs and no ASCII, all line ends, all kinds of findings, errors."""
    root = tmp_path / "a repo"
    for name, data in {
        "src/with space/train 50%, a:b.py": b"a = 1\r\nmodel.cuda()\r\nmodel.cuda()\r\n",
        "src/日本.py": 's = "日本 <&>", "𝒳", risky.cuda()\nkept.cuda()\n\tx = shown.cuda()'.replace(
            "\tx", "x"
        ).encode(),
        "latin.py": b"# coding: latin-1\ns = '\xe9]]>'; model.cuda()\n",
        "broken.py": b"model.cuda(\n",
        "quiet.py": b"x = 1\n",
    }.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return root


def checked(tree: Path, output_format: str, *args: str) -> CompletedProcess[bytes]:
    return run("check", "--output-format", output_format, *args, cwd=tree, env=NO_CI)


def settled(output: bytes, tree: Path) -> str:
    """The output without what differs from machine to machine."""
    text = output.decode()
    for spelt in (str(tree), str(tree).replace(" ", "%20")):
        text = text.replace(spelt, "/ROOT")
    return text.replace(placefix.__version__, "VERSION")


def compare(text: str, name: str) -> None:
    file = SNAPSHOTS / name
    if os.environ.get("PLACEFIX_UPDATE"):
        file.write_text(text, encoding="utf-8", newline="")
    assert text == file.read_bytes().decode(), f"{name}: read what changed, then run this with PLACEFIX_UPDATE=1"


@pytest.mark.parametrize("output_format", FORMATS)
def test_snapshot(tree: Path, output_format: str) -> None:
    result = checked(tree, output_format)
    assert result.returncode == 2  # broken.py
    compare(settled(result.stdout, tree), f"{output_format}.txt")


@pytest.mark.parametrize("output_format", ["full", "json", "json-lines"])
def test_statistics(tree: Path, output_format: str) -> None:
    compare(settled(checked(tree, output_format, "--statistics").stdout, tree), f"statistics-{output_format}.txt")


def test_statistics_have_not_every_format(tree: Path) -> None:
    result = checked(tree, "sarif", "--statistics")
    assert (result.returncode, result.stdout) == (2, b"")
    assert b"full, concise, json, json-lines" in result.stderr
    result = run("check", "--statistics", "latin.py", cwd=tree, env={"PLACEFIX_OUTPUT_FORMAT": "sarif"})
    assert (result.returncode, result.stdout) == (1, b"1  warning PF901 [*] fake-cuda\n")


def sarif(tree: Path, *args: str) -> dict[str, Any]:
    log = json.loads(checked(tree, "sarif", *args).stdout)
    assert isinstance(log, dict)
    return log


def test_sarif_is_valid(tree: Path) -> None:
    """By the model that is generated from the official schema, which forbids what it does not know."""
    from pydantic import ValidationError
    from pydantic_sarif.model import StaticAnalysisResultsFormatSarifVersion210JsonSchema as Log

    log = sarif(tree)
    Log.model_validate(log)
    log["runs"][0]["results"][0]["nonsense"] = 1
    with pytest.raises(ValidationError):
        Log.model_validate(log)
    (tree / "broken.py").unlink()
    for file in tree.rglob("*.py"):
        file.write_text("x = 1\n")
    Log.model_validate(sarif(tree))


def test_sarif_fixes_give_the_fixed_text(tree: Path) -> None:
    (tree / "broken.py").unlink()
    run_ = sarif(tree)["runs"][0]
    assert run_["originalUriBaseIds"]["SRCROOT"]["uri"].startswith("file:///")
    texts: dict[str, str] = {}
    for result in reversed(run_["results"]):
        for fix in result.get("fixes", ()):
            if fix["properties"]["applicability"] != "safe":
                assert fix["description"]["text"].startswith("unsafe: ")
                continue
            for change in fix["artifactChanges"]:
                name = unquote(change["artifactLocation"]["uri"])
                file = tree / name
                encoding = "latin-1" if name == "latin.py" else "utf-8"
                text = texts.get(name) or file.read_bytes().decode(encoding)
                for replacement in reversed(change["replacements"]):
                    region, lines = replacement["deletedRegion"], text.splitlines(keepends=True)
                    start, end = (
                        sum(map(len, lines[: region[row] - 1])) + region[column] - 1
                        for row, column in (("startLine", "startColumn"), ("endLine", "endColumn"))
                    )
                    text = text[:start] + replacement["insertedContent"]["text"] + text[end:]
                texts[name] = text
    run("apply", cwd=tree)
    assert len(texts) == 2
    for name, text in texts.items():
        assert (tree / name).read_bytes() == text.encode("latin-1" if name == "latin.py" else "utf-8")
    shown = [r for r in run_["results"] if "shown" in r["message"]["text"]]
    assert shown and "fixes" not in shown[0], "what is never applied is not offered"


def test_fingerprints_stay_when_lines_move(tree: Path) -> None:
    def prints() -> list[str]:
        found = [r["partialFingerprints"]["placefix/v1"] for r in sarif(tree)["runs"][0]["results"]]
        assert found == [issue["fingerprint"] for issue in json.loads(checked(tree, "gitlab").stdout)[: len(found)]]
        return found

    before = prints()
    assert len(set(before)) == len(before) == 6
    file = tree / "src/日本.py"
    file.write_bytes(b"# a new line\n" + file.read_bytes())
    assert prints() == before


def test_paths_are_relative_to_the_repository_that_ci_names(tree: Path) -> None:
    for variable in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        here = NO_CI | {variable: str(tree)}
        issues = run("check", "--output-format", "gitlab", cwd=tree / "src", env=here).stdout
        assert {issue["location"]["path"].split("/")[0] for issue in json.loads(issues)} == {"src"}
        elsewhere = NO_CI | {variable: str(tree / "src")}
        issues = run("check", "--output-format", "gitlab", "latin.py", cwd=tree, env=elsewhere).stdout
        assert json.loads(issues)[0]["location"]["path"] == "latin.py"


def test_github_commands_are_one_line_each(tree: Path) -> None:
    lines = checked(tree, "github").stdout.decode().splitlines()
    assert len(lines) == 7
    for line in lines:
        command = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line)
        assert command is not None
        properties = dict(part.split("=") for part in command[2].split(","))
        assert {"title", "file"} <= set(properties) <= {"title", "file", "line", "endLine", "col", "endColumn"}
    assert "train 50%25%2C a%3Ab.py" in lines[2]
    assert lines[-1].startswith("::error title=placefix,file=broken.py::line 1: cannot be parsed")


def test_gitlab_issues_hold_what_gitlab_reads(tree: Path) -> None:
    issues = json.loads(checked(tree, "gitlab").stdout)
    assert len({issue["fingerprint"] for issue in issues}) == len(issues) == 7
    for issue in issues:
        assert issue["description"] and issue["check_name"]
        assert issue["severity"] in ("info", "minor", "major", "critical", "blocker")
        location = issue["location"]
        line = location["lines"]["begin"] if "lines" in location else location["positions"]["begin"]["line"]
        assert isinstance(line, int) and not location["path"].startswith(("/", "."))


def test_junit_counts_what_it_holds(tree: Path) -> None:
    top = ElementTree.fromstring(checked(tree, "junit").stdout)
    for element in (top, *top):
        assert int(element.get("tests", "")) == len(list(element.iter("testcase")))
        assert int(element.get("failures", "")) == len(list(element.iter("failure")))
        assert int(element.get("errors", "")) == len(list(element.iter("error")))
    (tree / "quiet folder").mkdir()
    top = ElementTree.fromstring(checked(tree, "junit", "quiet folder").stdout)
    assert (top.get("tests"), top.get("failures")) == ("1", "0")


def test_junit_holds_no_control_characters(tree: Path) -> None:
    (tree / "a.py").write_bytes(b"risky\xc2\x85 = '\x1b\x00'.replace('\x00', ''); risky.cuda()\n".replace(b"\x00", b""))
    os.rename(tree / "a.py", tree / "esc\x1b.py")
    top = ElementTree.fromstring(checked(tree, "junit", "esc\x1b.py").stdout)
    assert top[0].get("name") == "esc\\x1b.py"


def test_names_that_are_no_text(tree: Path) -> None:
    name = os.fsdecode(b"\xff.py")
    try:
        (tree / name).write_bytes(b"model.cuda()\n")
    except OSError:
        pytest.skip("this file system has only names that are text")
    for output_format in FORMATS:
        assert checked(tree, output_format, name).returncode == 1
    location = sarif(tree, name)["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "%FF.py"


@pytest.mark.parametrize("output_format", FORMATS)
def test_output_file_holds_what_standard_output_would(tree: Path, output_format: str) -> None:
    expected = checked(tree, output_format)
    result = checked(tree, output_format, "--output-file", "out file.txt")
    assert (result.returncode, result.stdout) == (2, b"")
    assert (tree / "out file.txt").read_bytes() == expected.stdout


def test_output_file_of_a_diff_and_of_a_filter(tree: Path) -> None:
    expected = run("apply", "--diff", "latin.py", cwd=tree).stdout
    run("apply", "--diff", "latin.py", "-o", "diff", cwd=tree, env={"FORCE_COLOR": "1"})
    assert (tree / "diff").read_bytes() == expected
    run("apply", "-", "-o", "text", cwd=tree, stdin=b"model.cuda()\n")
    assert (tree / "text").read_bytes() == b"model.to(device)\n"


def test_output_file_is_old_or_new(tree: Path) -> None:
    file = tree / "out.txt"
    file.write_text("old")
    file.chmod(0o640)
    (tree / "link.txt").symlink_to("out.txt")
    assert checked(tree, "json", "-o", "link.txt", "--config", "missing.toml").returncode == 2
    assert file.read_text() == "old", "a run that ends early leaves the file"
    checked(tree, "json", "-o", "link.txt", "latin.py")
    assert json.loads(file.read_text())
    assert (tree / "link.txt").is_symlink() and stat.S_IMODE(file.stat().st_mode) == 0o640
    assert not [name for name in os.listdir(tree) if name.endswith(".tmp")]


def test_output_file_that_cannot_be_written(tree: Path) -> None:
    result = checked(tree, "json", "-o", "no/such/folder.txt")
    assert result.returncode == 2 and b"no such folder" in result.stderr
    result = checked(tree, "json", "latin.py", "-o", "src")
    assert result.returncode == 2 and b"error: src: cannot be written" in result.stderr
    if os.path.exists("/dev/stdout"):
        assert checked(tree, "json", "latin.py", "-o", "/dev/stdout").stdout == checked(tree, "json", "latin.py").stdout


def test_notebooks_are_placed_by_the_lines_of_their_file(tree: Path) -> None:
    cells = [
        {
            "cell_type": "code",
            "metadata": {},
            "outputs": [],
            "execution_count": None,
            "source": [f"x = {n}\n", "model.cuda()"],
        }
        for n in range(2)
    ]
    book = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    (tree / "a b.ipynb").write_text(json.dumps(book, indent=1))
    row = 1 + (tree / "a b.ipynb").read_text().split("\n").index('    "model.cuda()"')
    first = sarif(tree, "a b.ipynb")["runs"][0]["results"][0]
    assert first["message"]["text"].startswith("cell 1:2:1: ") and "fixes" not in first
    assert first["locations"][0]["physicalLocation"]["region"] == {"startLine": row, "endLine": row}
    (first, _) = json.loads(checked(tree, "gitlab", "a b.ipynb").stdout)
    assert first["location"]["lines"] == {"begin": row, "end": row}
    first = checked(tree, "github", "a b.ipynb").stdout.decode().splitlines()[0]
    assert f"file=a b.ipynb,line={row},endLine={row}::a b.ipynb:cell 1:2:1: " in first
    suite = ElementTree.fromstring(checked(tree, "junit", "a b.ipynb").stdout)[0]
    assert (suite[0].get("name"), suite[0].get("line")) == ("PF901 fake-cuda (cell 1:2:1)", str(row))
    run("check", "--report", "page.html", "a b.ipynb", cwd=tree)
    assert '["@",0,"cell 2",0,""]' in (tree / "page.html").read_text()


def test_rdjson_is_for_reviewdog(tree: Path) -> None:
    """Columns are bytes of UTF-8; only a safe fix of one edit is a suggestion, and applying it is `apply`."""
    found = json.loads(checked(tree, "rdjson").stdout)
    assert found["source"] == {"name": "placefix"}
    entries = found["diagnostics"]
    assert len(entries) == 7 and entries[-1]["location"] == {"path": "broken.py"}
    texts = {}
    for entry in entries[:-1]:
        assert entry["severity"] in ("ERROR", "WARNING", "INFO") and entry["code"]["value"] == "PF901"
        path = entry["location"]["path"]
        encoding = "latin-1" if path == "latin.py" else "utf-8"
        lines = (tree / path).read_bytes().decode(encoding).splitlines()
        place = entry["location"]["range"]
        line = lines[place["start"]["line"] - 1].encode()
        assert line[place["start"]["column"] - 1 : place["end"]["column"] - 1].endswith(b".cuda()")
        for suggestion in entry.get("suggestions", ()):
            assert suggestion["range"] == place
            changed = (
                line[: place["start"]["column"] - 1] + suggestion["text"].encode() + line[place["end"]["column"] - 1 :]
            )
            texts[path, place["start"]["line"]] = changed.decode()
    run("apply", cwd=tree)
    assert len(texts) == 3
    for (path, row), text in texts.items():
        encoding = "latin-1" if path == "latin.py" else "utf-8"
        assert (tree / path).read_bytes().decode(encoding).splitlines()[row - 1] == text


def test_azure_commands_are_one_line_each(tree: Path) -> None:
    lines = checked(tree, "azure").stdout.decode().splitlines()
    assert len(lines) == 7
    for line in lines:
        command = re.fullmatch(r"##vso\[task\.logissue type=(error|warning);([^\]]*)\](.+)", line)
        assert command is not None
        properties = dict(part.split("=", 1) for part in command[2].rstrip(";").split(";"))
        assert set(properties) <= {"sourcepath", "linenumber", "columnnumber", "code"}
    assert (
        "sourcepath=src/with space/train 50%AZP25, a:b.py;linenumber=2;columnnumber=1;code=PF901;]warning: " in lines[1]
    )
    assert lines[-1].startswith("##vso[task.logissue type=error;sourcepath=broken.py;]line 1: cannot be parsed")


def test_pylint_lines(tree: Path) -> None:
    lines = checked(tree, "pylint").stdout.decode().splitlines()
    pattern = r"(?P<path>.+?):(?P<row>\d+): \[(?P<code>\w\w\d{3})\((?P<name>[\w-]+)\), (?P<severity>\w+)\] .+"
    assert len(lines) == 6
    assert all(re.fullmatch(pattern, line) for line in lines)
    assert lines[0] == "latin.py:2: [PF901(fake-cuda), warning] `model` is on CUDA"


def test_grouped_has_a_file_once(tree: Path) -> None:
    shown = checked(tree, "grouped").stdout.decode()
    assert shown.count("train 50%, a:b.py:\n") == 1
    assert (
        "a:b.py:\n  2:1 warning PF901 [*] `model` is on CUDA\n  3:1 warning PF901 [*] `model` is on CUDA\n\n" in shown
    )


@pytest.mark.parametrize("output_format", ["azure", "pylint"])
def test_notes_are_no_findings_of_a_build(tmp_path: Path, output_format: str) -> None:
    text = "import torch\n\nif torch.cuda.is_available():\n    torch.cuda.manual_seed_all(1)\n    print(torch.cuda.memory_allocated())\n"
    (tmp_path / "a.py").write_text(text)
    found = placefix.check_paths([tmp_path], isolated=True)
    assert not found[0].faults
    assert run("check", "--isolated", "--output-format", output_format, cwd=tmp_path).stdout == b""


@pytest.mark.parametrize("command", [["apply", "--diff"], ["apply", "--dry-run"], ["check", "--diff"]])
def test_a_diff_refuses_a_format(tree: Path, command: list[str]) -> None:
    for output_format in ("json", "full"):
        result = run(*command, "--output-format", output_format, "latin.py", cwd=tree)
        assert (result.returncode, result.stdout) == (2, b"")
        assert b"--diff writes a unified diff: it goes with no --output-format" in result.stderr
    # the variable is for all runs, and means those that write findings
    assert run(*command, "latin.py", cwd=tree, env={"PLACEFIX_OUTPUT_FORMAT": "json"}).returncode == 1
