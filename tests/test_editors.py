"""What docs/editors.md gives people for their editors, run as it stands: by the editors that are here, else as they read it."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import nbformat
import pytest

import placefix

DOCS = Path(__file__).parent.parent / "docs"
PAGE = (DOCS / "editors.md").read_text()
SCRIPT = "import torch\nmodel = torch.nn.Linear(1, 1)\nmodel.cuda()\n"
BROKEN = SCRIPT + "def f(:\n"

needs_nvim = pytest.mark.skipif(shutil.which("nvim") is None, reason="needs nvim (Debian: neovim)")
needs_emacs = pytest.mark.skipif(shutil.which("emacs") is None, reason="needs emacs (Debian: emacs-nox)")


def block(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def fixed(text: str) -> str:
    outcome = placefix.fix_source(text)
    assert isinstance(outcome, placefix.Changed)
    return outcome.text


@pytest.fixture
def bin(tmp_path: Path) -> Path:
    """A folder with `placefix`, as the one of an environment."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "placefix").write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m placefix "$@"\n')
    (folder / "placefix").chmod(0o755)
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with one script to be repaired, in a path with a space."""
    folder = tmp_path / "a project"
    folder.mkdir()
    (folder / "placefix.toml").write_text("")
    (folder / "train.py").write_text(SCRIPT)
    return folder


def run(command: list[str], bin: Path, cwd: Path, *, ok: bool = True) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PATH": f"{bin}{os.pathsep}{os.environ['PATH']}"}
    env["PYTHONPATH"] = os.pathsep.join(filter(None, [str(Path(placefix.__file__).parents[1]), env.get("PYTHONPATH")]))
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0 or not ok, done.stdout + done.stderr
    return done


def concise(bin: Path, project: Path) -> list[str]:
    command = [str(bin / "placefix"), "check", "--output-format", "concise", "train.py"]
    lines = run(command, bin, project, ok=False).stdout.splitlines()
    assert lines
    return lines


def places(text: str = SCRIPT) -> set[tuple[int, int, str]]:
    """Row, column and code of what is found in a text."""
    source = placefix.Source(text)
    return {(*source.location(d.span.start), d.code) for d in placefix.check_source(text)}


SPOTS = {place[:2] for place in places()}


# --- PyCharm -----------------------------------------------------------------------------

# How IntelliJ's RegexpFilter reads the words of an output filter: links are made of absolute paths only.
FILTER_WORDS = {
    "$FILE_PATH$": r"(^|[\W])(?P<file>(?:[A-Za-z]\:|/)[0-9 a-z_A-Z\-\\./]+)",
    "$LINE$": "(?P<line>[0-9]+)",
    "$COLUMN$": "(?P<column>[0-9]+)",
    "$MESSAGE$": "(?P<message>.*)",
}


def options(element: ElementTree.Element, path: str = "./option") -> dict[str, str]:
    return {option.attrib["name"]: option.attrib.get("value", "") for option in element.findall(path)}


def expanded(text: str, bin: Path, project: Path) -> str:
    """A text with PyCharm's macros in it."""
    macros = {"PyInterpreterDirectory": bin, "FilePath": project / "train.py", "ProjectFileDir": project}
    return re.sub(r"\$(\w+)\$", lambda found: str(macros[found[1]]), text)


def output_filter(expression: str) -> re.Pattern[str]:
    for word, pattern in FILTER_WORDS.items():
        expression = expression.replace(word, pattern)
    assert "$" not in expression
    return re.compile(expression, re.MULTILINE)


def tools() -> dict[str, ElementTree.Element]:
    root = ElementTree.parse(DOCS / "editors" / "placefix.xml").getroot()
    assert (root.tag, root.attrib["name"]) == ("toolSet", "placefix")  # PyCharm names a group's file after it
    return {tool.attrib["name"]: tool for tool in root.findall("tool")}


def watchers() -> dict[str, ElementTree.Element]:
    root = ElementTree.parse(DOCS / "editors" / "watchers.xml").getroot()
    assert root.tag == "TaskOptions"
    return {options(task)["name"]: task for task in root.findall("TaskOptions")}


def run_tool(name: str, bin: Path, project: Path) -> str:
    given = options(tools()[name], "./exec/option")
    command = [expanded(given["COMMAND"], bin, project), *shlex.split(expanded(given["PARAMETERS"], bin, project))]
    return run(command, bin, Path(expanded(given["WORKING_DIRECTORY"], bin, project)), ok=False).stdout


def run_watcher(name: str, bin: Path, project: Path) -> str:
    given = options(watchers()[name])
    command = [expanded(given["program"], bin, project), *shlex.split(expanded(given["arguments"], bin, project))]
    return run(command, bin, Path(expanded(given["workingDir"], bin, project)), ok=False).stdout


@pytest.mark.parametrize("name", ["placefix check", "placefix check project"])
def test_pycharms_tools_link_every_finding(name: str, bin: Path, project: Path) -> None:
    lines = run_tool(name, bin, project).splitlines()
    pattern = output_filter(options(tools()[name], "./filter/option")["REGEXP"])
    assert lines == [line.replace("train.py", str(project / "train.py")) for line in concise(bin, project)]
    for line in lines:
        match = pattern.search(line)
        assert match is not None and match["file"] == str(project / "train.py")
        assert (int(match["line"]), int(match["column"])) in SPOTS


def test_pycharms_tools_repair_the_file(bin: Path, project: Path) -> None:
    assert "+model.to(device)" in run_tool("placefix diff", bin, project)
    assert (project / "train.py").read_text() == SCRIPT
    run_tool("placefix apply", bin, project)
    assert (project / "train.py").read_text() == fixed(SCRIPT) != SCRIPT
    assert set(tools()) == {"placefix check", "placefix check project", "placefix diff", "placefix apply"}


def test_pycharms_watchers(bin: Path, project: Path) -> None:
    found = watchers()
    assert {name: task.attrib["isEnabled"] for name, task in found.items()} == {
        "placefix check": "true",
        "placefix apply": "false",
    }
    words = options(found["placefix check"], "./option/array/FilterInfo/option")["regExp"]
    lines = run_watcher("placefix check", bin, project).splitlines()
    assert lines
    for line in lines:
        match = output_filter(words).search(line)
        assert (
            match is not None
            and match["file"] == str(project / "train.py")
            and match["message"].startswith(("warning PF", "error PF"))
        )
    # its standard output must not be written over the file
    assert options(found["placefix apply"])["outputFromStdout"] == "false"
    assert expanded(options(found["placefix apply"])["output"], bin, project) == str(project / "train.py")
    run_watcher("placefix apply", bin, project)
    assert (project / "train.py").read_text() == fixed(SCRIPT)


# --- VS Code -----------------------------------------------------------------------------


def task() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(block("json"))["tasks"][0]
    return found


@pytest.mark.parametrize("reader", ["python", "node"])
def test_vs_codes_problem_matcher_reads_every_line(reader: str, bin: Path, project: Path) -> None:
    command = [part.replace("${file}", str(project / "train.py")) for part in (task()["command"], *task()["args"])]
    command[0] = str(bin / command[0])
    lines = run(command, bin, project, ok=False).stdout.splitlines()
    pattern = task()["problemMatcher"]["pattern"]
    if reader == "python":
        matches = [re.match(pattern["regexp"], line) for line in lines]
        groups = [[match[0], *match.groups()] for match in matches if match is not None]
    else:
        if shutil.which("node") is None:
            pytest.skip("needs node (Debian: nodejs)")
        program = "const [lines, regexp] = JSON.parse(process.argv[1]); console.log(JSON.stringify(lines.map(l => RegExp(regexp).exec(l))))"
        groups = [
            match
            for match in json.loads(
                run(["node", "-e", program, json.dumps([lines, pattern["regexp"]])], bin, project).stdout
            )
            if match
        ]
    assert len(groups) == len(lines) > 0
    read = {(int(group[pattern["line"]]), int(group[pattern["column"]]), group[pattern["code"]]) for group in groups}
    assert read == places()
    assert {group[pattern["file"]] for group in groups} == {str(project / "train.py")}


def test_vs_codes_problem_matcher_reads_cells(bin: Path, project: Path) -> None:
    (project / "a.ipynb").write_text(
        nbformat.writes(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(SCRIPT)]))
    )
    lines = run(
        [str(bin / "placefix"), "check", "--output-format", "concise", "a.ipynb"], bin, project, ok=False
    ).stdout.splitlines()
    pattern = task()["problemMatcher"]["pattern"]
    matches = [re.match(pattern["regexp"], line) for line in lines]
    assert {(m[pattern["file"]], int(m[pattern["line"]]), int(m[pattern["column"]])) for m in matches if m} == {
        ("a.ipynb", *spot) for spot in SPOTS
    }


# --- Vim and Neovim ----------------------------------------------------------------------


VIMS = {"nvim": ["nvim", "--headless", "-u", "NONE"], "vim": ["vim", "-N", "-es", "-u", "NONE", "-i", "NONE"]}
each_vim = pytest.mark.parametrize("editor", VIMS)


def vim(editor: str, commands: list[str], bin: Path, project: Path) -> None:
    """Run commands in train.py with the page's snippet for Vim."""
    if shutil.which(editor) is None:
        pytest.skip(f"needs {editor} (Debian: {'neovim' if editor == 'nvim' else 'vim'})")
    (project / "snippet.vim").write_text(block("vim"))
    given = ["source snippet.vim", "edit train.py", *commands, "qa!"]
    run([*VIMS[editor], *(part for command in given for part in ("-c", command))], bin, project)


@each_vim
def test_vims_make_lists_every_finding(editor: str, bin: Path, project: Path) -> None:
    list_all = "getqflist(), '[v:val.valid, fnamemodify(bufname(v:val.bufnr), \":p\"), v:val.lnum, v:val.col]'"
    vim(
        editor,
        ["silent make!", f"call writefile([json_encode(filter(map({list_all}), 'v:val[0]'))], 'list.json')"],
        bin,
        project,
    )
    listed = json.loads((project / "list.json").read_text())
    assert {tuple(item) for item in listed} == {(1, str(project / "train.py"), *spot) for spot in SPOTS}


@each_vim
@pytest.mark.parametrize("text", [SCRIPT, BROKEN, SCRIPT.removesuffix("\n")])
def test_vim_puts_the_buffer_through_the_fixes(editor: str, text: str, bin: Path, project: Path) -> None:
    (project / "train.py").write_text(text)
    vim(editor, ["Placefix", "update"], bin, project)
    after = text if text == BROKEN else fixed(SCRIPT)
    assert (project / "train.py").read_text() == after
    (bin / "placefix").write_text("#!/bin/sh\nexit 127\n")
    vim(editor, ["Placefix", "update"], bin, project)
    assert (project / "train.py").read_text() == after


def neovim(program: str, bin: Path, project: Path) -> Any:
    """What a program in Lua puts into `answer`, run in train.py with the page's snippet; `shown(count)` waits until so much is shown."""
    (project / "init.lua").write_text(
        "vim.cmd('filetype on')\n" + block("lua") + "local answer = {}\nvim.cmd('edit train.py')\n"
        "local function shown(count)\n"
        "  local there = vim.wait(20000, function() return #vim.diagnostic.get(0) == count end, 20)\n"
        "  if not there then error(#vim.diagnostic.get(0) .. ' shown, not ' .. count) end\n"
        "  return vim.diagnostic.get(0)\nend\n"
        f"local ok, problem = pcall(function()\n{program}\nend)\n"
        "if not ok then answer = { problem = problem } end\n"
        "vim.fn.writefile({ vim.fn.json_encode(answer) }, 'answer.json')\nvim.cmd('qa!')\n"
    )
    run(["nvim", "--headless", "-u", "NONE", "-c", "luafile init.lua"], bin, project)
    answer = json.loads((project / "answer.json").read_text())
    assert "problem" not in answer, answer
    return answer


def shown_places(diagnostics: list[dict[str, Any]]) -> set[tuple[int, int, str]]:
    return {(d["lnum"] + 1, d["col"] + 1, d["code"]) for d in diagnostics}


MORE = "other = torch.nn.Linear(2, 2)\nother.cuda()\n"


@needs_nvim
def test_neovim_shows_edits_repairs_and_saves(bin: Path, project: Path) -> None:
    assert len(places()) == 1 and len(places(SCRIPT + MORE)) == 2
    program = f"""
      answer.opened = shown(1)
      vim.api.nvim_buf_set_lines(0, -1, -1, true, {{ {", ".join(map(json.dumps, MORE.splitlines()))} }})
      answer.edited = shown(2)
      vim.cmd('PlacefixApply')
      shown(0)
      vim.cmd('write')"""
    answer = neovim(program, bin, project)
    assert shown_places(answer["opened"]) == places()
    assert shown_places(answer["edited"]) == places(SCRIPT + MORE)
    repaired = (project / "train.py").read_text()
    (project / "train.py").write_text(SCRIPT + MORE)
    run([str(bin / "placefix"), "apply", "train.py"], bin, project)
    assert repaired == (project / "train.py").read_text() == fixed(SCRIPT + MORE)


@needs_nvim
def test_neovims_quick_fix(bin: Path, project: Path) -> None:
    program = """
      shown(1)
      vim.ui.select = function(items, _, choose)
        answer.titles = vim.tbl_map(function(item) return item[2].title end, items)
        choose(items[1])
      end
      vim.api.nvim_win_set_cursor(0, { 3, 0 })
      vim.lsp.buf.code_action()
      vim.wait(20000, function() return vim.bo.modified end, 20)
      vim.cmd('write')"""
    answer = neovim(program, bin, project)
    assert len(answer["titles"]) > 1 and answer["titles"][0].startswith("PF401: ")
    assert (project / "train.py").read_text() == fixed(SCRIPT)


# --- Emacs -------------------------------------------------------------------------------


def emacs(program: str, bin: Path, project: Path, package: str = "") -> Any:
    """What a program in Emacs Lisp gives, as JSON. package: skipped where Emacs has it not."""
    (project / "snippet.el").write_text(block("elisp"))
    (project / "program.el").write_text(
        "(require 'package) (package-initialize) (require 'json) (require 'python)\n"
        "(setq make-backup-files nil create-lockfiles nil)\n"
        '(setenv "TERM" "dumb")\n'  # as Emacs does for a person
        f"(unless {f'''(require '{package} nil t)''' if package else 't'} (kill-emacs 77))\n"
        '(load (expand-file-name "snippet.el"))\n(find-file "train.py")\n'
        f'(let ((answer (json-encode {program}))) (with-temp-file "answer.json" (insert answer)))\n'
    )
    done = run(["emacs", "--batch", "-l", "program.el"], bin, project, ok=False)
    if done.returncode == 77:
        pytest.skip(f"needs {package} in Emacs (Debian: elpa-{package})")
    assert done.returncode == 0, done.stderr
    return json.loads((project / "answer.json").read_text())


@needs_emacs
def test_emacs_compile_knows_the_places(bin: Path, project: Path) -> None:
    program = """(let (found) (placefix-check)
      (with-current-buffer "*compilation*"
        (while (get-buffer-process (current-buffer)) (accept-process-output nil 0.1))
        (compilation--ensure-parse (point-max))
        (goto-char (point-min))
        (while (ignore-errors (compilation-next-error 1))
          (let ((place (compilation--message->loc (get-text-property (point) 'compilation-message))))
            (push (list (caar (compilation--loc->file-struct place)) (compilation--loc->line place) (compilation--loc->col place)) found))))
      (vconcat found))"""
    found = emacs(program, bin, project)
    assert {(row, column) for _, row, column in found} == SPOTS
    assert {file for file, _, _ in found} == {str(project / "train.py")}


@needs_emacs
@pytest.mark.parametrize("text", [SCRIPT, BROKEN])
def test_emacs_puts_the_buffer_through_the_fixes(text: str, bin: Path, project: Path) -> None:
    (project / "train.py").write_text(text)
    emacs("(progn (goto-char (point-max)) (placefix-apply) (save-buffer) t)", bin, project)
    assert (project / "train.py").read_text() == (text if text == BROKEN else fixed(text))


@needs_emacs
def test_emacs_flycheck(bin: Path, project: Path) -> None:
    program = """(progn
      (setq flycheck-checker 'placefix) (flycheck-mode 1) (flycheck-buffer)
      (let ((left 400)) (while (and (not flycheck-current-errors) (< 0 (setq left (1- left)))) (sit-for 0.05) (accept-process-output nil 0.05)))
      (vconcat (mapcar (lambda (e) (list (flycheck-error-line e) (flycheck-error-column e) (or (flycheck-error-id e) "")
                                         (flycheck-error-level e))) flycheck-current-errors)))"""
    found = emacs(program, bin, project, "flycheck")
    assert {tuple(error[:3]) for error in found} == places()
    (project / "train.py").write_text(BROKEN)
    assert [(error[0], error[3]) for error in emacs(program, bin, project, "flycheck")] == [(4, "error")]


@needs_emacs
def test_emacs_eglot(bin: Path, project: Path) -> None:
    program = """(progn
      (apply #'eglot--connect (eglot--guess-contact))
      (let ((left 400)) (while (and (not (flymake-diagnostics)) (< 0 (setq left (1- left)))) (sit-for 0.05) (accept-process-output nil 0.05)))
      (let ((found (mapcar (lambda (d) (save-excursion (goto-char (flymake-diagnostic-beg d)) (list (line-number-at-pos) (1+ (current-column)))))
                           (flymake-diagnostics))))
        (eglot-code-actions (point-min) (point-max) "source.fixAll.placefix" t)
        (save-buffer)
        (eglot-shutdown (eglot-current-server))
        (vconcat found)))"""
    found = emacs(program, bin, project, "eglot")
    assert {tuple(place) for place in found} == SPOTS
    assert (project / "train.py").read_text() == fixed(SCRIPT)
