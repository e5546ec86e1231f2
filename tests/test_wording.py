"""Sentences that give a reason stand in the tables of facts/premises and facts/reasons, and are used as these say."""

from __future__ import annotations

import ast
import re
import string
from pathlib import Path

import pytest

from each import check_each
from placefix.facts import premises, reasons
from placefix.facts.wording import Doubt, Premise, Reason, Wording, text_of, unite
from placefix.rules import RULES

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "placefix"
TABLES = {"premises": premises, "reasons": reasons}
ROWS = {(table, name): row for table, m in TABLES.items() for name, row in vars(m).items() if isinstance(row, Wording)}
# Tables themselves: of sentences, of rules with their summaries, of torch.cuda's functions.
DATA = {"facts/premises.py", "facts/reasons.py", "facts/cuda_api.py", "rules/messages.py", "rules/__init__.py"}
DETECTORS = [
    file
    for folder in ("facts", "rules")
    for file in sorted((SOURCE / folder).rglob("*.py"))
    if file.relative_to(SOURCE).as_posix() not in DATA
]
USERS = [f for f in sorted(SOURCE.rglob("*.py")) if re.search(r"\b(?:premises|reasons)\.[A-Z]", f.read_text("utf-8"))]
_WORD = re.compile(r"(?<!\S)[`\"(]?[A-Za-z'`.]{2,}[,;:`)\".]*(?!\S)")


def name(file: Path) -> str:
    return file.relative_to(SOURCE).as_posix()


def fields(row: Wording) -> set[str]:
    return {part for _, part, _, _ in string.Formatter().parse(row.template) if part is not None}


# --- the tables --------------------------------------------------------------------------------------


def test_rows() -> None:
    check_each(is_well_made, ROWS, ".".join)


def is_well_made(where: tuple[str, str]) -> None:
    table, constant = where
    row = ROWS[where]
    assert row.key == constant.lower().replace("_", "-")
    assert isinstance(row, (Premise, Doubt) if table == "premises" else Reason)
    assert not row.fields
    assert not row.template.endswith(".")
    assert all(part.isidentifier() for part in fields(row))


def test_no_row_twice() -> None:
    texts = [(type(row), row.template) for row in ROWS.values()]
    assert len(set(texts)) == len(texts)
    keys = [row.key for row in ROWS.values()]
    assert sorted(set(keys)) == sorted(keys)


def test_a_row_is_rendered_with_its_fields() -> None:
    filled = reasons.RUNS_MODULE(line="line 3")
    assert filled.text == str(filled) == text_of(filled) == "line 3 runs the module"
    assert isinstance(filled, Reason)
    assert filled.key == "runs-module"
    assert filled == reasons.RUNS_MODULE(line="line 3") != reasons.RUNS_MODULE(line="line 4")
    assert text_of(None) == ""
    with pytest.raises(KeyError):
        _ = reasons.RUNS_MODULE.text


def test_premises_are_united_in_order() -> None:
    one, two = premises.NAME_IS_TENSOR(name="x"), premises.NAME_IS_TENSOR(name="y")
    assert unite(two, None, (one, two), one) == (two, one)
    assert unite(None) == ()


def test_the_page_lists_each_premise() -> None:
    """`python docs/tools/premises.py` writes it; the example is a rule, or none where no case has the premise."""
    page = (ROOT / "docs" / "premises.md").read_text("utf-8")
    listed = re.findall(r"^\| `([\w-]+)` \| (.*) \| (?:\[(PF\d+)\]\(rules/\3\.md\)|–) \|$", page, re.MULTILINE)
    rows = {(row.key, row.template) for row in ROWS.values() if isinstance(row, Premise)}
    assert {(key, sentence) for key, sentence, _ in listed} == rows
    assert {code for _, _, code in listed if code} <= {rule.code for rule in RULES}


# --- their use ---------------------------------------------------------------------------------------


def uses(tree: ast.AST) -> list[tuple[tuple[str, str], set[str] | None]]:
    """Each row that code names, with the fields that it fills; None where it fills none. A row that is kept under a name is filled
    where that name, or an item of it, is called."""
    around = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    found: list[tuple[tuple[str, str], set[str] | None]] = []
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in TABLES):
            continue
        row, parent = (node.value.id, node.attr), around[node]
        if isinstance(parent, ast.Call) and parent.func is node:
            found.append((row, filled(parent)))
            continue
        while isinstance(parent, (ast.IfExp, ast.Dict)):
            parent = around[parent]
        target = parent.targets[0] if isinstance(parent, ast.Assign) else None
        plain = row in ROWS and not fields(ROWS[row])
        calls = called(tree, target.id) if isinstance(target, ast.Name) and not plain else []
        found += [(row, filled(call)) for call in calls] or [(row, None)]
    return found


def called(tree: ast.AST, kept: str) -> list[ast.Call]:
    """The calls of what is kept under a name."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [call for call in calls if isinstance(f := inner(call.func), ast.Name) and f.id == kept]


def inner(func: ast.expr) -> ast.expr:
    """``f`` of ``f[key](…)`` and of ``(reason or f)(…)``."""
    return func.value if isinstance(func, ast.Subscript) else func


def filled(call: ast.Call) -> set[str]:
    assert not call.args
    return {keyword.arg or "**" for keyword in call.keywords}


def test_each_use_fills_the_fields_of_its_row() -> None:
    check_each(fills_the_fields, USERS, name)


def fills_the_fields(file: Path) -> None:
    for row, given in uses(ast.parse(file.read_bytes())):
        assert row in ROWS, f"{name(file)} names {row}"
        assert (given or set()) == fields(ROWS[row]), f"{name(file)}: {row} is used with {given}"


def test_no_row_is_unused() -> None:
    used = {row for file in USERS for row, _ in uses(ast.parse(file.read_bytes()))}
    assert not ROWS.keys() - used


def test_the_use_of_a_row_is_seen() -> None:
    tree = ast.parse("row = premises.A if x else premises.B\nrow(name=y)\nreasons.C(line=z)\nwhy = reasons.D\n")
    found = dict(uses(tree))
    assert found == {
        ("premises", "A"): {"name"},
        ("premises", "B"): {"name"},
        ("reasons", "C"): {"line"},
        ("reasons", "D"): None,
    }


# --- no other sentences ------------------------------------------------------------------------------


def sentences(tree: ast.AST) -> list[tuple[int, str]]:
    """The texts of three words or more that are neither docstrings, nor patterns, nor code."""
    docstrings, parts = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and isinstance(node.body[0], ast.Expr):
            docstrings.add(node.body[0].value)
        elif isinstance(node, ast.JoinedStr):
            parts.update(node.values)
        elif isinstance(node, ast.Call) and is_pattern(node.func):
            parts.update(ast.walk(node))
    found = []
    for node in ast.walk(tree):
        if node in docstrings or node in parts:
            continue
        text = ""
        if isinstance(node, ast.JoinedStr):
            text = "".join(str(v.value) if isinstance(v, ast.Constant) else "x" for v in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        if len(_WORD.findall(text)) >= 3 and not is_code(text):
            found.append((node.lineno, text))  # type: ignore[attr-defined]
    return found


def is_pattern(func: ast.expr) -> bool:
    """``pattern(…)`` and the functions of ``re``."""
    if isinstance(func, ast.Attribute):
        return isinstance(func.value, ast.Name) and func.value.id == "re"
    return isinstance(func, ast.Name) and func.id in ("pattern", "word")


def is_code(text: str) -> bool:
    try:
        ast.parse(text.strip(" ,"))
    except SyntaxError:
        return False
    return True


def test_detectors_hold_no_sentences() -> None:
    found = {name(file): sentences(ast.parse(file.read_bytes())) for file in DETECTORS}
    assert found and not any(found.values()), (
        "make them rows of facts/premises, facts/reasons or rules/messages",
        {file: texts for file, texts in found.items() if texts},
    )


def test_a_sentence_is_seen() -> None:
    code = (
        '"""A docstring of words."""\nx = f"`{name}` may be None here"\ny = "x if torch.cuda.is_available() else y"\n'
    )
    assert sentences(ast.parse(code)) == [(2, "`x` may be None here")]
