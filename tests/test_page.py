"""The page of --report in a browser: headless Chromium draws it, and a script in it plays the reader."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from fakes import git, run
from placefix.report.html import side_by_side

if TYPE_CHECKING:
    from pathlib import Path

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
browser = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium: the page is not tried")

# What a reader does → what the page then says; each step starts from the page as it opens.
READER = """
<script>
const $ = selector => document.querySelector(selector), all = selector => [...document.querySelectorAll(selector)];
const said = {};
const after = (name, act) => {
  $("#clear").click();
  const start = performance.now();
  act();
  said[name] = { shown: $("#shown").textContent, drawn: all(".finding").length, ms: performance.now() - start,
                 text: $("#list").innerText.slice(0, 4000), codes: all(".finding p code").map(code => code.textContent) };
};
const click = selector => $(selector).dispatchEvent(new MouseEvent("click", { bubbles: true }));
after("opened", () => {});
after("no warnings", () => click('[data-filter=severity][value=warning]'));
after("no safe fixes", () => click('[data-filter=state][value=safe]'));
after("one rule", () => { $("#rule").value = "PF903"; $("#rule").dispatchEvent(new Event("change", { bubbles: true })); });
after("a bar", () => click('.bar[data-kind=rule]'));
after("a bar twice", () => { click('.bar[data-kind=folder]'); click('.bar[data-kind=folder]'); });
after("a folder", () => click('.bar[data-kind=folder]'));
after("more", () => click("#more"));
$("#clear").click();
$("#path").value = "日本";
$("#path").dispatchEvent(new Event("input"));
setTimeout(() => {
  said.path = { shown: $("#shown").textContent, marks: all("mark").map(mark => mark.textContent), alerts: window.alerts || 0 };
  said.width = [document.documentElement.scrollWidth, window.innerWidth];
  document.body.innerHTML = "";
  document.body.append(Object.assign(document.createElement("pre"), { id: "said", textContent: JSON.stringify(said) }));
}, 400);
</script>
"""


def chromium(page: Path, *args: str) -> str:
    assert CHROMIUM is not None
    quiet = (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        f"--user-data-dir={page.parent / 'profile'}",
    )
    command = [CHROMIUM, *quiet, "--virtual-time-budget=5000", *args, page.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=600).stdout


def read(page: Path) -> dict[str, Any]:
    """What the page says to a reader."""
    played = page.with_name("played.html")
    played.write_text(page.read_text(encoding="utf-8").replace("</body>", READER + "</body>"), encoding="utf-8")
    found = re.search(r'<pre id="said">(.*?)</pre>', chromium(played, "--dump-dom"), flags=re.S)
    assert found is not None
    return json.loads(html.unescape(found[1]))  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def said(big: Path) -> dict[str, Any]:
    return read(big)


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of some thousand findings."""
    folder = tmp_path_factory.mktemp("a repository")
    for number in range(28):
        file = folder / f"part {number % 4}" / f"m{number}.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text("".join(f"x{n} = {n}\nrisky.cuda()\nmodel.cuda()\nkept.cuda()\n" for n in range(25)))
    (folder / "日本.py").write_text(
        "s = '</script><script>alerts = 1</script><!--'; shown.cuda()\r\n", encoding="utf-8"
    )
    (folder / "broken.py").write_text("model.cuda(\n")
    result = run("check", "--report", "page.html", "--no-cache", "-q", "--output-format", "concise", cwd=folder)
    assert result.returncode == 2
    return folder / "page.html"


@browser
def test_the_page_stays_usable_with_thousands_of_findings(said: dict[str, Any]) -> None:
    assert said["opened"]["shown"] == "2,101 of 2,101"
    assert 0 < said["opened"]["drawn"] <= 120
    assert said["opened"]["drawn"] < said["more"]["drawn"] <= 240
    assert max(step["ms"] for step in said.values() if isinstance(step, dict) and "ms" in step) < 1500
    assert said["width"][0] <= said["width"][1], "nothing runs over the edge"


@browser
def test_the_filters(said: dict[str, Any]) -> None:
    assert said["no warnings"]["shown"] == "0 of 2,101" and "No finding passes" in said["no warnings"]["text"]
    assert said["no safe fixes"]["shown"] == "1,401 of 2,101"
    assert said["a bar"]["shown"] == "2,101 of 2,101"
    assert said["a bar twice"]["shown"] == "2,101 of 2,101"
    assert said["a folder"]["shown"] == "525 of 2,101" and "part 0/m0.py" in said["a folder"]["text"]
    assert said["path"] == {"shown": "1 of 2,101", "marks": ["cuda(", "to(device"], "alerts": 0}


@browser
def test_the_reasons_are_there(said: dict[str, Any]) -> None:
    text = said["opened"]["text"]
    for words in (
        "2:1 warning PF901 unsafe fix risky is on CUDA",
        "Fix: Move risky to the device",
        "Because: risky may be anything",
    ):
        assert words in text
    assert "risky" in said["opened"]["codes"], "what stands in backticks is set as code"


def test_the_page_needs_nothing_but_itself(big: Path) -> None:
    page = big.read_text(encoding="utf-8")
    assert not re.search(r"https?:|@import|url\(|\bsrc=", page)
    assert re.findall(r'href="([^"]*)"', page) == ["data:,"]
    assert page.count("</script>") == 2, "no text of a file ends the data"
    assert "broken.py</code> line 1: cannot be parsed" in page


def test_the_page_of_apply(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("model.cuda()\nkept.cuda()\n")
    for command in (["apply", "--diff"], ["apply"]):
        result = run(*command, "--report", "page.html", "a.py", cwd=tmp_path)
        assert result.stderr.startswith((b"Would fix 1 problem", b"Fixed 1 problem"))
        page = (tmp_path / "page.html").read_text()
        data = re.search(r'id="data">(.*?)</script>', page)
        assert data is not None
        (file,) = json.loads(data[1])["files"]
        assert [finding["state"] for finding in file["findings"]] == ["fixed", "none"]
        assert file["diff"][0] == ["~", 1, "model.cuda()", 1, "model.to(device)"]
        assert ("would be fixed" in page) == ("--diff" in command)
        assert f"<code>placefix {' '.join(command)} --report page.html a.py</code>" in page


def test_lines_are_paired_by_what_they_share() -> None:
    before = "x = make()\nif use_cuda:\n    x = x.cuda()\nelse:\n    x = x\nprint(x)"
    after = "x = make()\nx = x.to(device)\nprint(x)"
    assert list(side_by_side(before, after, 1)) == [
        ("", 1, "x = make()", 1, "x = make()"),
        ("-", 2, "if use_cuda:", 0, ""),
        ("~", 3, "    x = x.cuda()", 2, "x = x.to(device)"),
        ("-", 4, "else:", 0, ""),
        ("-", 5, "    x = x", 0, ""),
        ("", 6, "print(x)", 3, "print(x)"),
    ]


def test_the_folders_tell_something_apart(tmp_path: Path) -> None:
    for number in range(14):
        folder = tmp_path / "src" / "package" / f"part{number:02}"
        folder.mkdir(parents=True)
        (folder / "m.py").write_text("model.cuda()\n")
    run("check", "--report", "page.html", cwd=tmp_path)
    page = (tmp_path / "page.html").read_text()
    assert 'data-kind="folder" data-key="src/package/part00"' in page


def test_the_commit_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("model.cuda()\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "a.py")
    git(tmp_path, "commit", "-qm", "first")
    run("check", "--report", "page.html", "a.py", cwd=tmp_path)
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert f"commit <code>{commit.stdout.strip()}</code>" in (tmp_path / "page.html").read_text()


def test_a_page_without_findings_and_one_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    assert run("check", "--report", "page.html", "a.py", cwd=tmp_path).returncode == 0
    assert "<b>0</b><span>findings</span>" in (tmp_path / "page.html").read_text()
    os.mkdir(tmp_path / "folder")
    result = run("check", "--report", "folder", "a.py", cwd=tmp_path)
    assert result.returncode == 2 and b"error: folder: cannot be written" in result.stderr
