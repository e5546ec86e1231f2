"""Parameters whose default is a device of CUDA: ``def train(net, device=torch.device("cuda:0"))``.

The default of a parameter is evaluated at the definition, mostly when a file is imported, and an import must not query CUDA: the
default becomes None, and the function queries CUDA.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.diagnostic import Insert, Replace
from placefix.facts import premises, reasons
from placefix.facts.devices.captured_functions import CapturedFunctions
from placefix.facts.finding import Finding
from placefix.facts.program import ast_names as names
from placefix.facts.program.ast_names import dotted, is_name
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.statement_forms import is_constant_statement, is_docstring
from placefix.rules import messages
from placefix.rules.cuda.refusals import Refusals
from placefix.rules.cuda.use_sites import Cuda

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Stmt
    from placefix.facts.wording import Reason


def defaults(context: AnalysisContext) -> Iterator[Finding]:
    """Every such default, with the edits that choose in the function, or why it stays."""
    for call, stmt in context.get(Cuda).defaults():
        assert isinstance(stmt.node, (ast.FunctionDef, ast.AsyncFunctionDef)) and isinstance(call, ast.Call)
        span, what = context.span(call), messages.DEFAULT_OF.format(function=stmt.node.name)
        reason = context.get(Refusals).of_file or _why_not(context, call, stmt)
        if reason:
            yield Finding(span, what, why_not=reason)
            continue
        name, first = _parameter(call, stmt.node), _body(context, stmt)[0]
        word = context.text(call.args[0])
        cpu = f"{word[-1]}cpu{word[-1]}"
        if len(call.args) == 2:
            word = f"{word[:-1]}:{context.text(call.args[1])}{word[-1]}"
        torch = context.text(call.func).rpartition(".")[0]
        chosen = f"if {name} is None:\n    {name} = {context.text(call.func)}({word} if {torch}.cuda.is_available() else {cpu})"
        edits = (Replace(span, "None", context.text(call)), Insert(context.span(first), chosen))
        premise = premises.DEFAULT_NOT_READ(parameter=name)
        yield Finding(span, what, edits, (premise,), device="None")


def _why_not(context: AnalysisContext, call: ast.Call, stmt: Stmt) -> Reason | None:
    """Why the default has to stay, None where it need not."""
    node = stmt.node
    assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    name = _parameter(call, node)
    body = _body(context, stmt)
    if not body or body[0].node.lineno == node.lineno or "." not in context.text(call.func):
        return reasons.CALLER_MAY_PASS_DEVICE
    if any(_tests(part, name) for part in walk(node)):
        return reasons.PARAMETER_TESTED(function=node.name, parameter=name)
    if all(isinstance(s.node, (ast.Raise, ast.Pass)) or is_constant_statement(s.node) for s in body):
        return reasons.CALLER_MAY_PASS_DEVICE
    if context.get(CapturedFunctions).is_scripted(context.tree.scopes[node]):
        return reasons.TORCHSCRIPT
    return None


def _body(context: AnalysisContext, stmt: Stmt) -> list[Stmt]:
    """The statements of a function behind its docstring."""
    return [s for s in context.tree.scopes[stmt.node].body.stmts if not is_docstring(s)]


def _parameter(call: ast.Call, node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """The parameter that has the default."""
    return next(name for name, default in names.defaults(node.args).items() if default is call)


def _tests(node: ast.AST, name: str) -> bool:
    """Whether an expression compares a name with something, or takes its truth: ``x is None``, ``not x``, ``x or y``."""
    if isinstance(node, ast.Compare):
        return is_name(node.left, name) and isinstance(node.ops[0], (ast.Is, ast.IsNot, ast.Eq, ast.NotEq))
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not) and dotted(node.operand).partition(".")[0] == name
    return isinstance(node, ast.BoolOp) and any(is_name(value, name) for value in node.values[:-1])
