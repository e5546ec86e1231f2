"""Flags that were made for guards alone: ``use_cuda = torch.cuda.is_available()``, which nothing reads once they have gone."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Delete, Replace
from placefix.facts.devices.device_selection import Devices
from placefix.facts.interpret.class_summaries import ClassSummaries
from placefix.facts.naming import mentions_device
from placefix.facts.program.arguments import self_class
from placefix.facts.program.ast_names import is_name, literal_text
from placefix.facts.program.conditions import AVAILABLE
from placefix.facts.program.statement_forms import is_main_guard
from placefix.rules.cuda.flag_readers import attribute_loads
from placefix.rules.cuda.partial_guards import own_line
from placefix.rules.cuda.use_sites import Cuda

if TYPE_CHECKING:
    from collections.abc import Sequence

    from placefix.diagnostic import Edit
    from placefix.facts.context import AnalysisContext
    from placefix.facts.devices.cuda_uses import Guard
    from placefix.facts.program.expression_index import AttributeWrite
    from placefix.facts.program.tree import Scope, Stmt

_PLAIN_BASES = ("object", "builtins.object", "torch.nn.Module")


class _Flag(NamedTuple):
    """A flag that holds whether CUDA is available. made: the statement that sets it; reads: the places that read it."""

    text: str
    made: Stmt
    reads: Sequence[ast.expr]


def unread(context: AnalysisContext, guard: Guard) -> tuple[Edit, ...]:
    """The edit that removes the flag of a removed guard, if nothing else reads the flag.

    If several guards read it, the fix of the last guard must wait until the fixes of the others are written. It holds an
    edit of the first guard that changes nothing, so the two fixes overlap, and the later one waits.
    """
    flag = _flag(context, guard)
    if flag is None or not flag.reads:
        return ()
    mine = context.span(guard.node.test)
    others = sorted(span for span in map(context.span, flag.reads) if not mine.start <= span.start < mine.end)
    if not others:
        return (Delete((context.span(flag.made),)),)
    waits = others[-1].start < mine.start and _asked(context, flag.reads)
    return (Replace(others[0], flag.text, flag.text),) if waits else ()


def _flag(context: AnalysisContext, guard: Guard) -> _Flag | None:
    """The flag that is all that a guard tests, if it is made for guards alone."""
    test = guard.test
    if test is None or not test.available or len(test.roots) != 1 or len(test.reads) != 1:
        return None
    (root, owner), text = test.roots[0], test.reads[0]
    if text == root:
        made = _definition(context, root, owner)
        return _Flag(root, made, context.index.loads(root, owner)) if made is not None else None
    made = _of_object(context, root, owner, text)
    reads = attribute_loads(context.index, text.partition(".")[2])
    if made is None or any(context.text(read) != text for read in reads):
        return None  # of another object, which may be one of this class
    return _Flag(text, made, reads)


def _definition(context: AnalysisContext, name: str, owner: Scope) -> Stmt | None:
    """The statement that binds a flag to whether CUDA is available, where no other code can read it by its name."""
    writes = context.index.values(owner, name)
    if len(owner.bindings[name]) != len(writes) or context.get(Devices).tests.named(name, owner) != AVAILABLE:
        return None
    made = _setting(context, writes)
    if made is None or len(made.suite.stmts) < 2:
        return None
    hidden = owner.is_function or any(is_main_guard(a) for a in made.ancestors())
    if not hidden or context.index.may_read_by_text(owner) or context.index.read("__all__"):
        return None
    return made


def _of_object(context: AnalysisContext, me: str, method: Scope, text: str) -> Stmt | None:
    """The statement of a class that sets the attribute `text` (``self.use_cuda``) to whether CUDA is available, where no code of the repository
    reads an attribute of that name that is not one of this file, and no base is of another library."""
    cls, (_, _, attr) = self_class(method, me), text.partition(".")
    writes = context.index.writes.get(text, ())
    if cls is None or "." in attr or any(w.stmt.scope.cls is not cls for w in writes):
        return None
    if any(other != text and other.endswith(f".{attr}") for other in context.index.writes):
        return None  # set from outside
    made = _setting(context, writes)
    home = context.home
    bases = context.get(ClassSummaries).of(cls).bases
    if (
        made is None
        or len(made.suite.stmts) < 2
        or attr in cls.bindings
        or any(_may_reach(node, attr) for node in context.tree.root.nodes)
        or not all(base in _PLAIN_BASES or (home is not None and home.find(base) is not None) for base in bases)
    ):
        return None
    if home is not None and any(file != home.path for file in home.holding(rf"\b{attr}\b")):
        return None
    return made


def _may_reach(node: ast.AST, attr: str) -> bool:
    """Whether an expression may be part of code that reads an attribute by a name which it computes or has as a string."""
    by_name = is_name(node, "getattr") or is_name(node, "vars") or getattr(node, "attr", "") == "__dict__"
    return by_name or literal_text(node) == attr


def _setting(context: AnalysisContext, writes: Sequence[AttributeWrite]) -> Stmt | None:
    """The statement that sets an attribute and does nothing else: an assignment, or an ``if`` that assigns True or False."""
    if len(writes) == 1:
        stmt = writes[0].stmt
        plain = isinstance(stmt.node, ast.Assign) and len(stmt.node.targets) == 1
        return stmt if plain and isinstance(writes[0].value, ast.Call) and own_line(context, stmt) else None
    owners = {write.stmt.parent for write in writes}
    owner = owners.pop() if len(writes) == 2 and len(owners) == 1 else None
    if owner is None or not isinstance(owner.node, ast.If) or any(len(suite.stmts) != 1 for suite in owner.suites):
        return None
    source, span = context.source, context.span(owner)
    above = source.line(source.line_of(span.start) - 1).strip()
    if "#" in source.segment(span) or (above.startswith("#") and not mentions_device(above)):
        return None
    return owner


def _asked(context: AnalysisContext, reads: Sequence[ast.expr]) -> bool:
    """Whether all that reads a flag are guards of moves."""
    tests = [
        context.span(s.guard.node.test)
        for s in context.get(Cuda).sites
        if s.guard is not None and s.guard.test is not None
    ]
    spans = map(context.span, reads)
    return all(any(test.start <= span.start < test.end for test in tests) for span in spans)
