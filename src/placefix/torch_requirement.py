"""The oldest torch that a project declares: a lower bound or a pin in its manifests, else in the metadata of an unpacked
distribution, else the version in its lock files. Where a list of requirements has none of torch, that of torchaudio or torchvision counts.

The files are data of somebody else's: nothing in them runs, and one that cannot be understood declares nothing.
"""

from __future__ import annotations

import ast
import os
import re
from typing import TYPE_CHECKING, Any

from placefix.project_files import parse_toml, read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Version = tuple[int, int]
_LARGEST_FILE = 10 << 20  # bytes
_BOUNDS = frozenset((">=", ">", "==", "===", "~="))  # the operators that rule older versions out
_REQUIREMENTS = re.compile(r"(?i)[\w.-]*requirements[\w.-]*\.(txt|in)")
_ENVIRONMENT = re.compile(r"(?i)(conda|environment)[\w.-]*\.ya?ml")
# Each of their versions needs one of torch: torchaudio 0.8 and torchvision 0.9 need torch 1.8; by how much the second number is higher.
_COMPANIONS = {"torchaudio": 0, "torchvision": 1}
_LAST_OF_TORCH_1 = 13
_CONDA = re.compile(
    r"""^\s*-\s*["']?(?:[\w./-]+::)?(?:pytorch|torch)(?:-gpu|-cpu)?\s*([=<>!~][^"'#\s]*(?:\s*,\s*[=<>!~][^"'#\s]*)*)""",
    re.M,
)
_LOCKED = re.compile(r"""^name = "torch"\r?\nversion = "([^"]+)\"""", re.M)
_PIPFILE_LOCKED = re.compile(r""""torch":\s*\{[^{}]*"version":\s*"==([^"]+)\"""")


def declared(folder: str) -> Version | None:
    """The oldest torch by the files of this very folder, as (major, minor); None where they have no bound. Raises nothing."""
    try:
        there = sorted(os.listdir(folder))
    except OSError:
        return None
    manifests = [bound for name in there for bound in _bounds(folder, name)]
    found = manifests or [*_of_requirements(_metadata(folder, there))]
    if found:
        return min(found)
    return min((version for name in there for version in _locked(folder, name)), default=None)


def _bounds(folder: str, name: str) -> Iterator[Version]:
    """The lower bounds of torch in a manifest."""
    if name == "requirements":
        inner = os.path.join(folder, name)
        for file in sorted(os.listdir(inner)) if os.path.isdir(inner) else ():
            if file.endswith((".txt", ".in")):
                yield from _of_requirements(_read(inner, file).splitlines())
    elif _REQUIREMENTS.fullmatch(name):
        yield from _of_requirements(_read(folder, name).splitlines())
    elif name == "pyproject.toml":
        yield from _of_project(_toml(folder, name))
    elif name == "Pipfile":
        table = _toml(folder, name)
        for section in ("packages", "dev-packages"):
            yield from _of_tool(table.get(section))
    elif name == "setup.cfg":
        yield from _of_requirements(_read(folder, name).replace("install_requires =", "").splitlines())
    elif name == "setup.py":
        yield from _of_requirements(_strings(_read(folder, name)))
    elif _ENVIRONMENT.fullmatch(name):
        for specifier in _CONDA.findall(_read(folder, name)):
            parts = [part.strip() for part in specifier.split(",")]
            # one `=` of conda is a prefix of versions; a build may follow
            pins = [f"=={part.split('=')[1]}" if re.match(r"=[^=]", part) else part for part in parts]
            yield from _lowest(",".join(pins))
        yield from _of_requirements(re.findall(r"(?m)^\s*-\s*[\"']?(torch\b.*?)[\"']?\s*$", _read(folder, name)))


def _metadata(folder: str, there: Iterable[str]) -> Iterator[str]:
    """The lines of the metadata of the one distribution that is unpacked in a folder."""
    wheels = [name for name in there if name.endswith(".dist-info")]
    if len(wheels) == 1:  # several are installed: none of them is the project's
        yield from _required(_read(os.path.join(folder, wheels[0]), "METADATA"))
    elif not wheels and "PKG-INFO" in there:  # without it a .egg-info is a local installation, which may be old
        yield from _required(_read(folder, "PKG-INFO"))
        for name in there:
            if name.endswith(".egg-info"):
                yield from _read(os.path.join(folder, name), "requires.txt").splitlines()


def _required(metadata: str) -> list[str]:
    """The requirements in the core metadata of a distribution, whose header ends at the first empty line."""
    header = re.split(r"\r?\n\r?\n", metadata, maxsplit=1)[0]
    return re.findall(r"(?im)^requires-dist:[ \t]*(.*?)[ \t\r]*$", header)


def _locked(folder: str, name: str) -> Iterator[Version]:
    """The versions of torch in a lock file."""
    if name in ("uv.lock", "poetry.lock", "pdm.lock") or re.fullmatch(r"pylock(\.[\w-]+)?\.toml", name):
        found = _LOCKED.findall(_read(folder, name))
    elif name == "Pipfile.lock":
        found = _PIPFILE_LOCKED.findall(_read(folder, name))
    else:
        return
    for version in found:
        yield from _lowest(f"=={version}")


def _of_requirements(lines: Iterable[str]) -> Iterator[Version]:
    """The lower bounds in lines that may be requirements on torch, else the one that follows from its companions."""
    known = list(lines)
    own = [*_of_distribution("torch", known)]
    yield from own
    implied = [min(found) for name in _COMPANIONS if not own and (found := [*_of_companion(name, known)])]
    if implied:
        yield max(implied)  # both are installed


def _of_companion(name: str, lines: Iterable[str]) -> Iterator[Version]:
    """The versions of torch that the lower bounds of another distribution need."""
    for major, minor in _of_distribution(name, lines):
        number = max(minor - _COMPANIONS[name], 0)
        old = (1, number) if number <= _LAST_OF_TORCH_1 else (2, number - _LAST_OF_TORCH_1 - 1)
        yield old if major == 0 else (major, minor)


def _of_distribution(name: str, lines: Iterable[str]) -> Iterator[Version]:
    """The lower bounds in lines that may be requirements on one distribution."""
    for line in lines:
        text = re.sub(r"(^|\s)#.*|\s--?\w.*", "", line).strip().rstrip("\\").strip()
        if not re.match(rf"(?i){name}\s*[\[(<>=!~]", text):
            continue
        from packaging.requirements import InvalidRequirement, Requirement

        try:
            yield from _lowest(str(Requirement(text).specifier))
        except InvalidRequirement:
            continue


def _of_project(table: dict[str, Any]) -> Iterator[Version]:
    """The lower bounds in a pyproject.toml."""
    project = _table(table.get("project"))
    groups = [project.get("dependencies"), *_table(project.get("optional-dependencies")).values()]
    groups += _table(table.get("dependency-groups")).values()
    for group in groups:
        if isinstance(group, list):
            yield from _of_requirements(item for item in group if isinstance(item, str))
    poetry = _table(_table(table.get("tool")).get("poetry"))
    for tools in (poetry, *map(_table, _table(poetry.get("group")).values())):
        yield from _of_tool(tools.get("dependencies"))
        yield from _of_tool(tools.get("dev-dependencies"))


def _of_tool(dependencies: object) -> Iterator[Version]:
    """The lower bounds in a table of poetry's or pipenv's: a specifier, a table with one, or several of them."""
    given = _table(dependencies).get("torch")
    for entry in given if isinstance(given, list) else [given]:
        text = entry.get("version") if isinstance(entry, dict) else entry
        for choice in text.split("||") if isinstance(text, str) else ():
            parts = [part.strip() for part in choice.split(",") if part.strip()]
            # poetry: ^ and ~ begin a range, a bare version is a pin
            yield from _lowest(
                ",".join(re.sub(r"^[\^~](?=\d)", ">=", f"=={p}" if p[0].isdigit() else p) for p in parts)
            )


def _lowest(specifier: str) -> Iterator[Version]:
    """The version below which a specifier takes none; nothing where it takes any."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet
    from packaging.version import InvalidVersion
    from packaging.version import Version as Parsed

    try:
        found = [
            Parsed(one.version.removesuffix(".*")).release for one in SpecifierSet(specifier) if one.operator in _BOUNDS
        ]
    except (InvalidSpecifier, InvalidVersion):
        return
    if found:
        release = (*max(found), 0)
        yield release[0], release[1]


def _strings(text: str) -> list[str]:
    """The strings in a Python program; none where it cannot be parsed."""
    if "torch" not in text:
        return []
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def _table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _toml(folder: str, name: str) -> dict[str, Any]:
    text = _read(folder, name)
    return parse_toml(text) if "torch" in text else {}


def _read(folder: str, name: str) -> str:
    return read_text(os.path.join(folder, name), largest=_LARGEST_FILE)
