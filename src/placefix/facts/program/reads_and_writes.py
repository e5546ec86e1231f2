"""Which names a statement reads and writes, and where these of several clash."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TYPE_CHECKING

from placefix.facts.program.ast_names import dotted
from placefix.facts.program.ast_walk import children, walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@lru_cache(maxsize=4096)
def names(node: ast.stmt) -> tuple[frozenset[str], frozenset[str]]:
    """(read, written) names of a statement, attribute chains as dotted names with all their prefixes.

    A definition reads the names in its decorators and defaults, not those in its body.
    """
    read: set[str] = set()
    written: set[str] = set()
    roots: list[ast.AST] = [node]
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        written.add(node.name)
        roots = [*node.decorator_list]
        if not isinstance(node, ast.ClassDef):
            roots += [*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)]
        else:
            roots += [*node.bases, *node.body]
    for root in roots:
        _collect(root, read, written)
    return frozenset(read), frozenset(written)


def _collect(part: ast.AST, read: set[str], written: set[str]) -> None:
    if isinstance(part, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp, ast.Lambda)):
        _collect_inner(part, read, written)
        return
    if isinstance(part, ast.Name):
        (read if isinstance(part.ctx, ast.Load) else written).add(part.id)
        if isinstance(part.ctx, ast.Del):
            read.add(part.id)
        return
    if isinstance(part, ast.Attribute):
        text = dotted(part)
        if text:
            (read if isinstance(part.ctx, ast.Load) else written).add(text)
    elif isinstance(part, (ast.Import, ast.ImportFrom)):
        written.update((a.asname or a.name.partition(".")[0]) for a in part.names)
    elif isinstance(part, ast.AugAssign):
        text = dotted(part.target)
        if text:
            read.add(text)
    elif isinstance(part, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef, ast.ExceptHandler)) and part.name:
        written.add(part.name)
    for child in children(part):
        _collect(child, read, written)


def _collect_inner(
    part: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp | ast.Lambda, read: set[str], written: set[str]
) -> None:
    """Collect from a comprehension or lambda, without the names that are local to it."""
    inner_read: set[str] = set()
    inner_written: set[str] = set()
    for child in children(part):
        _collect(child, inner_read, inner_written)
    if isinstance(part, ast.Lambda):
        own = {a.arg for a in walk(part.args) if isinstance(a, ast.arg)}
    else:
        targets = (generator.target for generator in part.generators)
        own = {n.id for target in targets for n in walk(target) if isinstance(n, ast.Name)}
    read |= {n for n in inner_read if n.partition(".")[0] not in own}
    written |= inner_written - own


def clash(written: Iterable[str], read: Iterable[str]) -> str:
    """A name that `read` needs and a write to `written` changes, "" if there is none.

    Writing `a` changes `a.b`; writing `a.b` does not change `a`.
    """
    return min(clashes(written, read), default="")


def clashes(written: Iterable[str], read: Iterable[str]) -> set[str]:
    """Every name of that kind."""
    changed = set(written)
    return {name[:end] for name in read for end in _prefixes(name) if name[:end] in changed}


def _prefixes(name: str) -> Iterator[int]:
    """Where the prefixes of a dotted name end: a, a.b, a.b.c."""
    yield from (index for index, sign in enumerate(name) if sign == ".")
    yield len(name)
