"""The house's one direction, read off the imports: a layer imports only layers to its left."""

from __future__ import annotations

import ast
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import pytest

from each import check_each
from placefix import rules
from placefix.facts.interpret.values import EventKind, ObjKind, PlaceKind
from placefix.facts.program.device_values import DeviceKind
from placefix.facts.program.repository import DefinitionKind
from placefix.lazy_function import LazyFunction

if TYPE_CHECKING:
    from placefix.diagnostic import Rule

SOURCE = Path(__file__).parent.parent / "src" / "placefix"

# From left to right. A package is one layer.
LAYERS = (
    "byte_patterns",
    "lazy_function",
    "notebook_code",
    "parsing",
    "reachability",
    "recursion",
    "torch_model",
    "prefilter",
    "diagnostic",
    "settings",
    "source",
    "changed_lines",
    "python2_syntax",
    "suppression",
    "facts",
    "rules",
    "string_quotes",
    "tree_draft",
    "draft",
    "joint_fixes",
    "expression_spans",
    "layout",
    "text_edits",
    "bracket_pairs",
    "layout_habits",
    "line_wrapping",
    "writer",
    "finding_tracker",
    "rule_findings",
    "engine",
    "fragment",
    "notebook",
    "gitignore",
    "rule_selection",
    "project_files",
    "line_length",
    "torch_requirement",
    "config_keys",
    "config",
    "schema",
    "files",
    "discover",
    "runner",
    "migrate",
    "formatting",
    "preview",
    "explain",
    "ignore_comments",
    "cuda_inventory",
    "serialization",
    "cache",
    "process_pool",
    "git",
    "journal",
    "report",
    "interactive",
    "patch_series",
    "run_counts",
    "session",
    "simulate",
    "server",
    "jupyter",
    "cli",
    "__main__",
)

# The rooms of the analysis, in the same order.
FACTS = (
    "naming",
    "torch_api",
    "cuda_api",
    "accelerators",
    "wording",
    "premises",
    "reasons",
    "finding",
    "program",
    "context",
    "interpret",
    "devices",
)

# Who may import what from outside the standard library.
THIRD_PARTY = {
    "libcst": {"writer/__init__.py", "writer/replacements.py", "writer/kept_statements.py"},
    "rich": {"report/terminal.py"},
    "typer": {f"cli/{file.name}" for file in (SOURCE / "cli").glob("*.py")},
    "pathspec": {"gitignore.py"},
    "packaging": {"config_keys.py", "torch_requirement.py"},
    "tomli": {"config.py", "project_files.py"},
    "platformdirs": {"cache.py", "journal.py"},
    "codeowners": {"patch_series/owners.py"},
    "distributed": {"process_pool.py"},
    "pygls": {"server/__init__.py", "server/documents.py"},
    "IPython": {"jupyter/magics.py"},
    "lsprotocol": {"server/__init__.py", "server/documents.py"},
}

# For types only: a rule's recover_syntax takes a Source, its check_suppressions takes suppressions, and both are built from what comes before them.
TYPE_CYCLES = {("diagnostic", "source"), ("diagnostic", "suppression")}

FILES = sorted(SOURCE.rglob("*.py"))
RULES = sorted((SOURCE / "rules").rglob("pf*.py"))


@cache
def imports(file: Path) -> frozenset[str]:
    """The absolute names of the modules that a file imports, anywhere in it."""
    return frozenset(imported(ast.parse(file.read_bytes()), file))


def imported(tree: ast.Module, file: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}:{node.lineno}: imports here are absolute"
            if node.module in ("placefix", "placefix.facts"):  # `from placefix import engine` imports a module of ours
                found.update(f"{node.module}.{alias.name}" for alias in node.names)
            else:
                found.add(node.module or "")
    return found


def layer(file: Path) -> str:
    return file.relative_to(SOURCE).parts[0].removesuffix(".py")


def name(file: Path) -> str:
    return file.relative_to(SOURCE).as_posix()


def test_one_direction() -> None:
    check_each(has_one_direction, FILES, name)


def has_one_direction(file: Path) -> None:
    here = layer(file)
    if here == "__init__":  # the façade: it imports what it offers, when it is asked
        return
    assert here in LAYERS, f"{name(file)}: give the new room its place in LAYERS"
    for module in imports(file):
        if not module.startswith("placefix."):
            continue
        there = module.split(".")[1]
        assert there in LAYERS, f"{name(file)} imports {module}, which has no place in LAYERS"
        if (here, there) not in TYPE_CYCLES:
            assert LAYERS.index(there) <= LAYERS.index(here), f"{name(file)} imports {module}, which is to its right"


def test_the_analysis_has_one_direction() -> None:
    """Imports for types count as well."""
    check_each(has_one_direction_in_the_analysis, [file for file in FILES if layer(file) == "facts"], name)


def has_one_direction_in_the_analysis(file: Path) -> None:
    here = file.relative_to(SOURCE / "facts").parts[0].removesuffix(".py")
    if here == "__init__":
        return
    assert here in FACTS, f"{name(file)}: give the new room its place in FACTS"
    for module in imports(file):
        if not module.startswith("placefix.facts"):
            continue
        there = [*module.split("."), "__init__"][2]
        assert there in FACTS, f"{name(file)} imports {module}, which has no place in FACTS"
        assert FACTS.index(there) <= FACTS.index(here), f"{name(file)} imports {module}, which is to its right"


def test_circles_of_imports_are_small() -> None:
    """Imports in functions and for types count as well. Few files that import each other are one module in parts; more are a mechanism
    that nobody can read without the rest: move what they share into a module of its own, or ask for it by an interface
    (`facts/devices/cuda_uses.py`)."""
    modules = {".".join(("placefix", *file.relative_to(SOURCE).with_suffix("").parts)): file for file in FILES}
    modules = {module.removesuffix(".__init__"): file for module, file in modules.items()}
    edges = {module: resolved(file, modules) - {module} for module, file in modules.items()}
    assert "placefix.facts.program.tree" in edges["placefix.facts.context"]  # it cannot pass by seeing nothing
    circles = [circle for circle in strongly_connected(edges) if len(circle) > 3]
    assert not circles, [sorted(circle) for circle in circles]


def resolved(file: Path, modules: dict[str, Path]) -> set[str]:
    """The modules of ours that a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            parts = {f"{node.module}.{alias.name}" for alias in node.names} & modules.keys()
            found |= parts or {node.module}
    return found & modules.keys()


def strongly_connected(edges: dict[str, set[str]]) -> list[set[str]]:
    """The largest sets of modules in which each imports each other one, by way of others or not."""
    reached: dict[str, set[str]] = {}
    for start in edges:
        found, todo = set(), [start]
        while todo:
            new = edges[todo.pop()] - found
            found |= new
            todo += new
        reached[start] = found
    circles = {frozenset({m, *(o for o in reached[m] if m in reached[o])}) for m in edges}
    return [set(circle) for circle in circles]


def test_each_library_has_its_place() -> None:
    check_each(imports_libraries_in_their_place, FILES, name)


def imports_libraries_in_their_place(file: Path) -> None:
    for module in imports(file):
        top = module.partition(".")[0]
        if layer(file) != "simulate":  # the one room that executes scripts
            assert top != "torch", f"{name(file)} imports torch: nothing here may execute or need it"
        if top in THIRD_PARTY:
            assert name(file) in THIRD_PARTY[top], f"{name(file)} imports {top}"


def test_rules_hold_no_syntax() -> None:
    found = [name(file) for file in RULES if imports(file) & {"ast", "libcst", "tokenize", "re"}]
    assert RULES and not found, "a rule asks its detectors"


def test_fixes_are_made_of_premises() -> None:
    """`facts.finding` alone makes fixes and decides from their premises whether they are safe."""
    check_each(makes_fixes_of_premises, [file for file in FILES if layer(file) in ("facts", "rules")], name)


def makes_fixes_of_premises(file: Path) -> None:
    calls = [n.func for n in ast.walk(ast.parse(file.read_bytes())) if isinstance(n, ast.Call)]
    makes = any(isinstance(func, ast.Name) and func.id == "Fix" for func in calls)
    assert makes == (name(file) == "facts/finding.py"), f"{name(file)}: make the fix with `fix_of`"


KINDS = frozenset(
    word for alias in (ObjKind, PlaceKind, EventKind, DeviceKind, DefinitionKind) for word in get_args(alias)
)


def test_words_compared_with_kinds_are_kinds() -> None:
    check_each(compares_kinds, [file for file in FILES if layer(file) in ("facts", "rules")], name)
    with pytest.raises(AssertionError, match="tensr"):
        compared_with_kinds(ast.parse('value.kind in ("tensr", "module")'))


def compares_kinds(file: Path) -> None:
    compared_with_kinds(ast.parse(file.read_bytes()))


def compared_with_kinds(tree: ast.Module) -> None:
    """mypy compares `x.kind == "word"` with the type of `kind`, but not `x.kind in ("word", ...)`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and isinstance(node.left, ast.Attribute) and node.left.attr == "kind":
            parts = (part.value for part in ast.walk(node.comparators[0]) if isinstance(part, ast.Constant))
            words = {part for part in parts if isinstance(part, str)}
            assert words <= KINDS, f"line {node.lineno}: {words - KINDS}"


def test_a_rule_is_what_its_file_holds() -> None:
    check_each(is_what_its_file_holds, rules.RULES, lambda rule: rule.code)


def is_what_its_file_holds(rule: Rule) -> None:
    stem = f"{rule.code.lower()}_{rule.name.replace('-', '_')}"
    folder = next(file.parent.name for file in RULES if file.stem == stem)
    module = import_module(f"placefix.rules.{folder}.{stem}")
    for part in ("check", "recover_syntax", "validate", "check_suppressions"):
        assert getattr(rule, part) == (LazyFunction(module.__name__, part) if hasattr(module, part) else None)
    assert rule.documentation == module.__doc__


def test_each_file_is_of_a_rule() -> None:
    codes = [file.stem.partition("_")[0].upper() for file in RULES]
    assert sorted(rule.code for rule in rules.RULES) == sorted(codes)


@pytest.mark.parametrize("file", ["verify", "client", "request", "errors", "installation", "__init__"])
def test_the_command_speaks_to_torch_through_processes(file: str) -> None:
    tree = ast.parse((SOURCE / "simulate" / f"{file}.py").read_bytes())
    assert "torch" not in {alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names}


def test_type_cycles_are_for_types_only() -> None:
    tree = ast.parse((SOURCE / "diagnostic.py").read_bytes())
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            assert node.module in ("__future__", "enum", "typing", "placefix.byte_patterns", "placefix.lazy_function")


def test_the_walk_sees_imports(tmp_path: Path) -> None:
    """The tests above cannot pass by seeing nothing."""
    assert "placefix.diagnostic" in imports(SOURCE / "engine.py")
    assert "libcst" in imports(SOURCE / "writer/__init__.py")
    probe = tmp_path / "probe.py"
    probe.write_text("def f():\n    from placefix import writer\n    import torch.nn as nn\n")
    assert imports(probe) == {"placefix.writer", "torch.nn"}
