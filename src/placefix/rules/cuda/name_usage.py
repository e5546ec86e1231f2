"""The uses of each name in the code of a file: as a tensor, as a module, as an operand.

The uses of one text (``x``, ``self.net``) are computed once for the whole file, and stored by the scopes in which they count.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from placefix import torch_model
from placefix.facts import torch_api as api
from placefix.facts.interpret.flow import Flow
from placefix.facts.program.arguments import self_class
from placefix.facts.program.ast_names import dotted
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.enclosing_scopes import binders_of
from placefix.facts.program.lookalike_classes import OPERAND

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.expression_index import Index
    from placefix.facts.program.tree import Scope, Stmt

_T = TypeVar("_T")

# Attributes of tensors, and of nothing else that has a .cuda().
OF_TENSORS = torch_model.marked("tensor", "likely")
OF_MODULES = api.MODULE_EVIDENCE | frozenset(
    {"train", "eval", "state_dict", "zero_grad", "children", "module", "apply", "forward", "float", "half", "double"}
)
# Functions of torch that take other arguments than tensors: lists, arrays and numbers.
_ANYTHING = frozenset({"torch.device", "torch.manual_seed", "torch.typename"})
_MANNERS = frozenset(("train", "eval", "parameters"))


class Evidence(NamedTuple):
    """The evidence that counts for a tensor or module of torch, apart from proof.

    items: an item of something, since it has the method. manners: calls of ``.train()``, ``.eval()`` or ``.parameters()``,
    or of the object itself: the most frequent uses of modules, which other classes support as well.
    """

    items: bool = True
    manners: bool = True


class NameUsage:
    """Answers for one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self._context = context
        self._shown: dict[tuple[str, bool], frozenset[Scope | Stmt]] = {}
        self._interfaces: dict[str, dict[Scope, set[str]]] = {}
        self._attributes: dict[str, dict[Scope, set[str]]] = {}
        self._computing: dict[str, frozenset[Scope]] = {}
        self._of_results: dict[Stmt, dict[ast.expr, str]] = {}

    @cached_property
    def _index(self) -> Index:
        return self._context.index

    # --- a text in a scope ------------------------------------------------------------------

    def home(self, text: str, scope: Scope) -> Scope:
        """The scope that binds the first name of `text` for the code of `scope`; for ``self.x`` the class."""
        root = text.partition(".")[0]
        owner = scope.lookup(root)
        cls = self_class(owner, root) if "." in text else None
        return cls or owner or self._context.tree.root

    def _sharing(self, text: str, inner: Scope) -> Iterator[Scope]:
        """The scopes in which `text` has the same meaning as in `inner`: from that one out to its home."""
        home = self.home(text, inner)
        for scope in inner.chain():
            yield scope
            if scope is home:
                return

    def _by_scope(self, text: str, pairs: Iterable[tuple[Scope, _T]]) -> dict[Scope, set[_T]]:
        """The items by scope, also under the enclosing scopes in which the text means the same."""
        found: dict[Scope, set[_T]] = defaultdict(set)
        for inner, what in pairs:
            for scope in self._sharing(text, inner):
                found[scope].add(what)
        return dict(found)

    def shown(self, text: str, guess: Evidence) -> frozenset[Scope | Stmt]:
        """The statements that use a dotted text as a tensor or a module, and the scopes around them."""
        key = text, guess.manners
        if key not in self._shown:
            uses = (
                stmt
                for attr, stmt in self._index.attribute_reads(text)
                if (attr in OF_TENSORS or attr in OF_MODULES) and (guess.manners or attr not in _MANNERS)
            )
            found: set[Scope | Stmt] = set(uses)
            found.update(self._given(text, guess))
            scopes = {stmt.scope for stmt in found}  # type: ignore[union-attr]
            found.update([scope for inner in scopes for scope in self._sharing(text, inner)])
            self._shown[key] = frozenset(found)
        return self._shown[key]

    def attributes(self, text: str) -> dict[Scope, set[str]]:
        """The attributes that are read of a dotted text, by the scopes in which they are."""
        if text not in self._attributes:
            reads = ((stmt.scope, attr) for attr, stmt in self._index.attribute_reads(text))
            self._attributes[text] = self._by_scope(text, reads)
        return self._attributes[text]

    def interface(self, text: str) -> dict[Scope, set[str]]:
        """The same, with `OPERAND` where it is an operand and ``__call__`` where it is called."""
        if text not in self._interfaces:
            index = self._index
            called = (
                (stmt.scope, "__call__")
                for call, stmt in index.called(text.rpartition(".")[2])
                if dotted(call.func) == text
            )
            operands = ((stmt.scope, OPERAND) for expr, stmt in index.read(text) if expr in self._operands)
            attributes = ((stmt.scope, attr) for attr, stmt in index.attribute_reads(text))
            self._interfaces[text] = self._by_scope(text, (*attributes, *operands, *called))
        return self._interfaces[text]

    def interface_of_result(self, call: ast.Call, stmt: Stmt) -> set[str]:
        """The attribute that a statement reads of the result of a call in it, if it does."""
        if stmt not in self._of_results:
            attributes = (n for n in walk(stmt.node) if isinstance(n, ast.Attribute))
            self._of_results[stmt] = {n.value: n.attr for n in attributes if isinstance(n.value, ast.Call)}
        attr = self._of_results[stmt].get(call)
        return set() if attr is None else {attr}

    def computing(self, text: str) -> frozenset[Scope]:
        """The scopes in which a dotted text is an operand, or an argument of a function of torch that takes nothing but tensors there."""
        if text not in self._computing:
            own = {stmt.scope for node, stmt in self._index.read(text) if node in self.of_torch}
            self._computing[text] = frozenset(scope for inner in own for scope in self._sharing(text, inner))
        return self._computing[text]

    def _given(self, text: str, guess: Evidence) -> Iterator[Stmt]:
        """The statements that call the object with a dotted text (an object with a .cuda() that is called is a module), test whether it
        is torch's, pass it to torch or use it as an operand."""
        for call, stmt in self._index.called(text.rpartition(".")[2]) if guess.manners else ():
            if dotted(call.func) == text and self._context.tree.qualname(call.func, stmt.scope) is None:
                yield stmt
        yield from self._kind_tests.get(text, ())
        for node, stmt in self._index.read(text):
            if node in self.operands:
                yield stmt

    @cached_property
    def _kind_tests(self) -> dict[str, list[Stmt]]:
        """Dotted text -> the statements with ``isinstance(x, torch.Tensor)`` of it."""
        found: dict[str, list[Stmt]] = {}
        qualname = self._context.tree.qualname
        for call, stmt in self._index.called("isinstance"):
            if dotted(call.func) != "isinstance" or len(call.args) != 2:
                continue
            kinds = call.args[1].elts if isinstance(call.args[1], ast.Tuple) else [call.args[1]]
            if all(qualname(k, stmt.scope) in ("torch.Tensor", "torch.nn.Module") for k in kinds):
                if qualname(call.func, stmt.scope) is None:
                    found.setdefault(dotted(call.args[0]), []).append(stmt)
        return found

    # --- expressions ------------------------------------------------------------------------

    @cached_property
    def _operands(self) -> frozenset[ast.expr]:
        return frozenset(expr for expr, _ in self._index.operands)

    @cached_property
    def operands(self) -> frozenset[ast.expr]:
        """Operands, and arguments of torch, of modules and of losses: ``Variable(x.cuda())``."""
        fed = (e.node.args for e in self._context.get(Flow).index.of_kind("call") if isinstance(e.node, ast.Call))
        return self.of_torch.union(*fed)

    @cached_property
    def of_torch(self) -> frozenset[ast.expr]:
        """Operands, and arguments of functions of torch that take nothing but tensors."""
        found = set(self._operands)
        for call, _, name in self._index.named:
            if (
                name is not None
                and name.startswith("torch.")
                and name not in _ANYTHING
                and not torch_model.is_factory(name)
                and not name.startswith(("torch.utils.data.", "torch.save", "torch.distributed"))
            ):
                for arg in call.args:
                    found.update(arg.elts if isinstance(arg, (ast.List, ast.Tuple)) else [arg])
        return frozenset(found)

    # --- lambdas and comprehensions ---------------------------------------------------------

    @staticmethod
    def is_of_lambda(expr: ast.expr, stmt: Stmt) -> bool:
        """Whether a lambda around the expression binds the name that it begins with."""
        return any(isinstance(binder, ast.Lambda) for binder in binders_of(expr, stmt.node))

    @staticmethod
    def is_comprehended(expr: ast.expr, stmt: Stmt) -> bool:
        """Whether a comprehension runs the name over a collection: ``[t.cuda() for t in batch]``."""
        binders = binders_of(expr, stmt.node) if isinstance(expr, ast.Name) else ()
        return any(not isinstance(binder, ast.Lambda) for binder in binders)
