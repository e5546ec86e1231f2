"""What is offered to pre-commit, GitHub and GitLab, and the distributions: each is run as its user would."""

from __future__ import annotations

import email
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema.validators import validator_for

import placefix
from fakes import run

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

import hatch_build  # noqa: E402

CI_PAGE = (ROOT / "docs" / "ci.md").read_text()
START = """\
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = torch.nn.Linear(2, 2)
"""
WRAP, PLACE = "model = torch.nn.DataParallel(model)\n", "model.to(device)\n"
WRONG, RIGHT = START + WRAP + PLACE, START + PLACE + WRAP


def done(*command: str | Path, cwd: Path, code: int = 0, **env: str) -> str:
    """What a command prints that ends with `code`."""
    ours = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "PRE_COMMIT"))}
    result = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, env=ours | env)
    assert result.returncode == code, result.stdout + result.stderr
    return result.stdout


def committed(folder: Path) -> None:
    done("git", "init", "-q", cwd=folder)
    done("git", "add", "-A", cwd=folder)
    identity = (
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@b",
        "-c",
        "commit.gpgsign=false",
        "-c",
        "core.hooksPath=/dev/null",
    )
    done("git", *identity, "commit", "-qm", "all", cwd=folder)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository of what there is of placefix here, as somebody else would clone it."""
    folder = tmp_path_factory.mktemp("placefix") / "placefix"
    folder.mkdir()
    for name in (
        "src",
        "codemods",
        ".ci",
        ".pre-commit-hooks.yaml",
        "action.yml",
        "pyproject.toml",
        "hatch_build.py",
        "LICENSE",
        "README.md",
    ):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        else:
            shutil.copy(ROOT / name, folder / name)
    committed(folder)
    return folder


@pytest.mark.long
@pytest.mark.proof  # it installs placefix
def test_pre_commit_runs_the_hooks(checkout: Path, tmp_path: Path) -> None:
    project = tmp_path / "a project"
    (project / "third_party").mkdir(parents=True)
    for name in ("train it.py", "third_party/theirs.py"):
        (project / name).write_text(WRONG)
    (project / "placefix.toml").write_text('exclude = ["third_party/"]\n')
    revision = done("git", "rev-parse", "HEAD", cwd=checkout).strip()
    hooks = [{"id": "placefix-check"}, {"id": "placefix-apply", "args": ["--select", "PF"]}]
    config = {"repos": [{"repo": str(checkout), "rev": revision, "hooks": hooks}]}
    (project / ".pre-commit-config.yaml").write_text(json.dumps(config))
    committed(project)
    home = {"PRE_COMMIT_HOME": str(tmp_path / "home")}

    def hook(name: str, code: int) -> str:
        return done(sys.executable, "-m", "pre_commit", "run", name, "--all-files", cwd=project, code=code, **home)

    printed = hook("placefix-check", 1)
    assert "train it.py:5:" in printed and "PF102" in printed and "theirs" not in printed
    assert "files were modified by this hook" in hook("placefix-apply", 1)
    assert (project / "train it.py").read_text() != WRONG
    assert (project / "third_party/theirs.py").read_text() == WRONG, "what is excluded is left alone though it is named"
    done("git", "add", "-A", cwd=project)
    assert "Passed" in hook("placefix-apply", 0)


def test_excluded_files_that_are_named(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.py").write_text("model.cuda()\n")
    (tmp_path / "placefix.toml").write_text('exclude = ["a/"]\n')
    assert run("check", "a/x.py", cwd=tmp_path).returncode == 1
    assert run("check", "--force-exclude", "a/x.py", cwd=tmp_path).returncode == 0
    run("apply", "--force-exclude", "a/x.py", cwd=tmp_path)
    assert (tmp_path / "a" / "x.py").read_text() == "model.cuda()\n"


def valid(instance: Any, schema: str) -> None:
    """Validate by one of the schemas that check-jsonschema brings, without what it would load from elsewhere."""
    path = files("check_jsonschema") / "builtin_schemas" / "vendor" / f"{schema}.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    validator_for(document)(document).validate(instance)


def test_the_action_is_one() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    valid(action, "github-actions")
    used = re.findall(r"inputs\.([\w-]+)", (ROOT / "action.yml").read_text())
    assert set(used) == set(action["inputs"])
    for step in action["runs"]["steps"]:
        assert "${{" not in step.get("run", ""), "an input in a script is a script of somebody else's"


def test_the_steps_of_the_action(tmp_path: Path) -> None:
    """The script of its last step, run as GitHub's runner does."""
    steps = yaml.safe_load((ROOT / "action.yml").read_text())["runs"]["steps"]
    script = next(step["run"] for step in steps if step.get("id") == "run")
    (tmp_path / "some where").mkdir()
    (tmp_path / "some where" / "a.py").write_text(WRONG)
    env = {
        "PLACEFIX": str(Path(sys.executable).parent / "placefix"), "GITHUB_OUTPUT": str(tmp_path / "output"), "COMMAND": "check",
        "FORMAT": "github", "FILE": "", "ARGS": "--select=PF102\n--quiet\n", "PATHS": "some where\n", "GITHUB_WORKSPACE": str(tmp_path),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"), "PLACEFIX_CACHE_DIR": str(tmp_path / "cache"),
    }  # fmt: skip
    bash = ("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script)
    printed = done(*bash, cwd=tmp_path, code=1, **env)
    assert printed.startswith("::notice title=placefix PF102") and "file=some where/a.py,line=5" in printed
    assert (tmp_path / "output").read_text() == "exit-code=1\n"
    summary = (tmp_path / "summary.md").read_text()
    assert summary.startswith(
        "### placefix check: exit code 1\n\n```text\n1  style   PF102 [*] dataparallel-wrap-before-placement\n"
    )
    done(*bash, cwd=tmp_path, **env | {"COMMAND": "apply", "ARGS": "--exit-zero\n", "FILE": "out put.txt"}, code=2)
    done(*bash, cwd=tmp_path, **env | {"COMMAND": "apply", "ARGS": "", "FILE": "out put.txt"})
    assert (
        "### placefix apply: exit code 0\n\n```text\nNothing found in 1 file." in (tmp_path / "summary.md").read_text()
    )
    assert (tmp_path / "out put.txt").read_text() == "" and (tmp_path / "some where" / "a.py").read_text() == RIGHT


def test_the_documented_jobs() -> None:
    blocks = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", CI_PAGE, flags=re.S)]
    local, cloned, annotations, sarif, gitlab = blocks
    hooks = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    assert [hook["id"] for hook in cloned["repos"][0]["hooks"]] == list(hooks)
    for hook in local["repos"][0]["hooks"]:
        assert all(hooks[hook["id"]][key] == hook[key] for key in hook if key != "language"), (
            "it is the hook of a clone"
        )
    inputs = set(yaml.safe_load((ROOT / "action.yml").read_text())["inputs"])
    for workflow in (annotations, sarif):
        workflow["on"] = workflow.pop(True)  # what YAML 1.1 makes of `on`
        valid(workflow, "github-workflows")
        steps = workflow["jobs"]["placefix"]["steps"]
        assert set(next(step for step in steps if step["uses"] == "./tools/placefix")["with"]) <= inputs
    valid(gitlab, "gitlab-ci")


def test_the_local_hooks_of_the_page(tmp_path: Path) -> None:
    (block, *_) = re.findall(r"```yaml\n(.*?)```", CI_PAGE, flags=re.S)
    (tmp_path / ".pre-commit-config.yaml").write_text(block)
    (tmp_path / "train.py").write_text(WRONG)
    committed(tmp_path)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    hook = (sys.executable, "-m", "pre_commit", "run", "--all-files")
    done(*hook, cwd=tmp_path, code=1, PRE_COMMIT_HOME=str(tmp_path / ".git" / "home"), PATH=path)
    assert (tmp_path / "train.py").read_text() == RIGHT


def test_the_workflow_for_publishing_is_one() -> None:
    text = (ROOT / ".ci" / "publish.yml").read_text()
    workflow = yaml.safe_load(text)
    valid(workflow, "github-workflows")
    assert workflow["on"] == {"push": {"tags": ["v*"]}}
    assert workflow["jobs"]["publish"]["permissions"] == {"id-token": "write"}
    for step in workflow["jobs"]["build"]["steps"]:
        assert "${{" not in step.get("run", "")
    assert not (ROOT / ".github" / "workflows").exists(), "it would run"


def test_the_version_of_a_tag_is_read_as_the_workflow_reads_it(tmp_path: Path) -> None:
    steps = yaml.safe_load((ROOT / ".ci" / "publish.yml").read_text())["jobs"]["build"]["steps"]
    (script,) = [step["run"] for step in steps if step.get("name") == "the tag is the version"]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    bash = ("bash", "-e", "-c", script)
    done(*bash, cwd=ROOT, PATH=path, GITHUB_REF_NAME=f"v{placefix.__version__}")
    done(*bash, cwd=ROOT, code=1, PATH=path, GITHUB_REF_NAME="v0.0.1")


README = """\
# It
![picture](docs/a.svg)
[Quick start](docs/quick.md), [site](https://example.org/x), [here](#use), [LICENSE](LICENSE), [LICENSE](LICENSE)
"""


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("", "# It\n\nQuick start (docs/quick.md), [site](https://example.org/x), [here](#use), LICENSE, LICENSE\n"),
        (
            "https://example.org/a/b",
            "# It\n![picture](https://example.org/a/b/raw/HEAD/docs/a.svg)\n"
            "[Quick start](https://example.org/a/b/blob/HEAD/docs/quick.md), [site](https://example.org/x), [here](#use), "
            "[LICENSE](https://example.org/a/b/blob/HEAD/LICENSE), [LICENSE](https://example.org/a/b/blob/HEAD/LICENSE)\n",
        ),
    ],
)
def test_the_links_of_a_package_page(address: str, shown: str) -> None:
    assert hatch_build.readme(README, address) == shown


@pytest.mark.long
@pytest.mark.proof  # it builds and installs
def test_distributions_install_and_run(checkout: Path, tmp_path: Path) -> None:
    """`python -m build` gives both, the wheel made from the sdist, and a fresh environment runs it."""
    for name in ("tests", "corpus/scripts"):
        (checkout / name).mkdir(parents=True, exist_ok=True)
    done(sys.executable, "-m", "build", "--no-isolation", "--outdir", tmp_path, cwd=checkout)
    (wheel,), (sdist,) = tmp_path.glob("*.whl"), tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    tracked = done("git", "ls-files", cwd=checkout).splitlines()
    assert {name for name in tracked if not name.startswith(".")} <= inside
    sources = {name.removeprefix("src/") for name in tracked if name.startswith("src/")}
    with zipfile.ZipFile(wheel) as archive:
        assert sources <= set(archive.namelist())
    assert {"placefix/py.typed", "placefix/report/page.html"} <= sources
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        metadata = email.message_from_bytes(archive.read(name))
    assert (metadata["License-Expression"], metadata["Author"], metadata["Version"]) == (
        "MIT",
        "placefix contributors",
        placefix.__version__,
    )
    page = metadata.get_payload()
    assert page.startswith("# placefix") and not re.search(r"\]\((?!https?://|#)", page), "relative links"

    done(sys.executable, "-m", "venv", "fresh", cwd=tmp_path)
    python = tmp_path / "fresh" / "bin" / "python"
    done(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel, cwd=tmp_path)
    (tmp_path / "a.py").write_text(WRONG)
    command = tmp_path / "fresh" / "bin" / "placefix"
    done(command, "apply", "--report", "page.html", "a.py", cwd=tmp_path, PYTHONPATH="")
    assert (tmp_path / "a.py").read_text() == RIGHT
    assert "<svg" in (tmp_path / "page.html").read_text()


def test_bash_completes(tmp_path: Path) -> None:
    """By bash itself, with the script that is to be evaluated."""
    script = """
        eval "$(placefix completion bash)"
        set -- $(complete -p placefix)
        while [ "$1" != -F ]; do shift; done
        for words in "che" "check --output-f" "apply --unsafe"; do
            COMP_WORDS=(placefix $words) COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE="placefix $words" COMP_POINT=${#COMP_LINE} COMPREPLY=()
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            "$2" placefix  # as bash calls it
            echo "${COMPREPLY[@]}"
        done
    """
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    printed = done("bash", "--noprofile", "--norc", "-c", script, cwd=tmp_path, PATH=path)
    assert [line.split() for line in printed.splitlines()] == [
        ["check"],
        ["--output-format", "--output-file"],
        ["--unsafe-fixes"],
    ]
    for shell in ("zsh", "fish", "powershell"):
        assert "_PLACEFIX_COMPLETE" in done(Path(sys.executable).parent / "placefix", "completion", shell, cwd=tmp_path)
