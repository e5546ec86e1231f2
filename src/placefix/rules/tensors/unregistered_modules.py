"""Modules that a module keeps in a plain list or dict.

`nn.Module` registers attributes that are modules; it does not look into lists. A module
in a list is not moved, trained or saved with the module around it.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.diagnostic import Replace
from placefix.facts import premises, reasons
from placefix.facts import torch_api as api
from placefix.facts.finding import Finding
from placefix.facts.interpret.class_summaries import ClassSummaries, class_info
from placefix.facts.program.ast_names import (
    argument_values,
    dotted,
    identifiers,
    is_literal,
    is_name,
    keyword_value,
    last_name,
    parameters,
)
from placefix.facts.program.ast_walk import parents, walk
from placefix.rules.tensors.module_containers import ADDS, Constructor
from placefix.rules.tensors.unreached_code import doubt_of_forward, doubt_of_use

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.values import ClassInfo
    from placefix.facts.program.tree import Scope
    from placefix.facts.wording import Doubt

# Names with which a class registers its parts in another way, and methods that list its parts or move them.
_REGISTERS = frozenset({"add_module", "register_module", "setattr", "__setattr__", "_modules", "__dict__"})
_LISTS_PARTS = frozenset(
    f"{prefix}{kind}" for prefix in ("", "named_") for kind in ("parameters", "children", "modules")
)
_REPLACED = _LISTS_PARTS | _REGISTERS | {"_apply"}
_BY_NAME = frozenset({"__dict__", "vars", "getattr"})  # code that may reach any attribute
# Functions that give the elements of a container, and those that only look at it.
_OF_SEVERAL = frozenset({"enumerate", "zip", "reversed", "list", "tuple", "iter"})
_LOOKS = frozenset({"len", "isinstance", "bool", "range", "print"})
# Code that asks an element for one of these moves it, trains it or sets its mode, or another one does with its parameters.
_CARED_FOR = api.PLACING | {
    *(f"{prefix}{kind}" for prefix in ("", "named_") for kind in ("parameters", "children", "modules", "buffers")),
    *("state_dict", "load_state_dict", "to", "cpu", "train", "eval", "half", "float", "double", "share_memory", "zero_grad", "_apply"),
}  # fmt: skip


def unregistered(context: AnalysisContext) -> Iterator[Finding]:
    """Lists and dicts of modules with parameters that a module calls, and has not registered."""
    for scope in list(context.tree.scopes.values()):
        if scope.is_class and "__init__" in scope.functions:
            for method in ("__init__", *_makers(scope)):
                yield from _Class(context, scope, method).found()


def _makers(scope: Scope) -> list[str]:
    """The methods of a class that its constructor calls in statements of their own, as parts of it: ``self._build_layers()``."""
    init = scope.functions["__init__"]
    me = next(iter(parameters(init.function.args)), "")
    calls = [
        stmt.node.value
        for stmt in init.tree.stmts.values()
        if stmt.scope is init and isinstance(stmt.node, ast.Expr) and isinstance(stmt.node.value, ast.Call)
    ]
    named = {call.func.attr for call in calls if isinstance(call.func, ast.Attribute) and dotted(call.func.value) == me}
    return [name for name in scope.functions if name in named and name != "__init__"]


class _Class:
    """One class of modules. method: the constructor, or a method that it calls as a part of it."""

    def __init__(self, context: AnalysisContext, scope: Scope, method: str) -> None:
        self.context = context
        self.scope = scope
        self._method = method
        self.init = scope.functions[method]

    def found(self) -> Iterator[Finding]:
        """The containers of modules in the constructor that are not registered, with the edits."""
        kept = list(self._kept())
        if not kept:
            return
        self._follow()
        info = class_info(self.scope, self.infos)
        runs = "forward" in info.methods
        if (
            not (info.is_module or info.is_module_by_name)
            or info.own_moves
            or not (runs or "torch.nn.Module" in info.bases)
        ):
            return
        for name, values in kept:
            elements = self.constructor.elements(values[0])
            whole = self.constructor.elements_of(name)
            if elements is None or whole is None or not self.constructor.holds_modules(whole):
                continue
            if self._is_registered_otherwise(name, [*values, *whole]):
                continue
            trained = self.constructor.has_parameters(whole)
            uses = self._uses(name) if trained is not False else frozenset()
            called = "call" in uses or ("passed" in uses and not self.constructor.is_shown_by_name(whole))
            if called and "" not in uses and not self._is_of_heirs(name):
                yield self._repaired(values, name)._replace(doubt=self._doubt(name, uses, trained=trained, runs=runs))

    def _doubt(self, name: str, uses: frozenset[str], *, trained: bool | None, runs: bool) -> Doubt | None:
        """Why the modules in a container may be right as they are; runs: whether the class has a ``forward``."""
        used = doubt_of_use(self.context, self.scope) or doubt_of_forward(self.context, self.scope)
        if used is None and trained is None:
            return premises.PARAMETERS_NOT_SEEN(name=name)
        if used is None and "lent" in uses:
            return premises.MODULES_RETURNED(name=name)
        return used or (None if runs else premises.NO_FORWARD(cls=self.scope.name))

    def _follow(self) -> None:
        """Read other files of the repository from here on: the class of an element, or the base, may be in one."""
        self.context = self.context.following
        self.scope = self.context.tree.scopes[self.scope.node]
        self.init = self.scope.functions[self._method]
        self.constructor.resolve(self.context, self.init)

    @cached_property
    def infos(self) -> dict[Scope, ClassInfo]:
        """The summaries of classes."""
        return self.context.get(ClassSummaries).known

    @cached_property
    def constructor(self) -> Constructor:
        """The statements of the constructor."""
        return Constructor(self.context, self.init)

    def _kept(self) -> Iterator[tuple[str, list[ast.expr]]]:
        """The attributes that the constructor sets to containers once everything can be registered, each with all these containers."""
        started = self._start()
        for name, values in self.constructor.attributes() if started is not None else ():
            made = [value for value in values if dotted(value) != name and not is_literal(value, None)]
            kinds = {self.constructor.kind(value) for value in made}
            if len(kinds) == 1 and "" not in kinds and all(value.lineno > (started or 0) for value in made):
                yield name, made

    def _start(self) -> int | None:
        """The line of the method behind which modules can be registered; None where the class does not initialise its base. If that is not
        torch's own class and no statement does, the base does it before the constructor runs (``__new__``, a metaclass)."""
        if self._method != "__init__":
            return 0  # it is called later
        node = self.init.node
        body = node.body if isinstance(node, ast.FunctionDef) else []
        calls = [s.lineno for s in body if isinstance(s, ast.Expr) and "__init__" in self.context.text(s)]
        if calls:
            return calls[0]
        names = {self.context.tree.qualname(base, self.init) for base in self.scope.node.bases}  # type: ignore[union-attr]
        return None if not names.isdisjoint(api.MODULE_BASES) or "__init__" in identifiers(node) else 0

    def _is_registered_otherwise(self, name: str, parts: list[ast.expr]) -> bool:
        """Whether the class may register the modules of a container in another way. parts: the container and its elements."""
        attr = name.removeprefix("self.")
        replaced = {
            method: identifiers(self.scope.functions[method].node) for method in self.scope.functions.keys() & _REPLACED
        }
        if any(
            method in _REGISTERS or not _BY_NAME.union({attr}).isdisjoint(used) for method, used in replaced.items()
        ):
            return True
        kin = self._kin(attr, parts)
        around = parents(self.scope.node)
        for method in self.scope.functions.values():  # a decorator of the class may have such a name
            for node in method.nodes:
                if isinstance(node, (ast.Name, ast.Attribute)) and last_name(node) in _REGISTERS:
                    call = around.get(node)
                    if not isinstance(call, ast.Call) or call.func is not node:
                        return True
                    given = keyword_value(call, "module") or next(reversed(argument_values(call)), None)
                    if given is not None and not kin.isdisjoint(identifiers(given)):
                        return True
        return False

    def _kin(self, attr: str, parts: list[ast.expr]) -> set[str]:
        """The names, in the class, of a container and of things that it may hold or that are made of them: those in `parts`, the variables
        of loops over them, and the targets of assignments."""
        whole = {part.id for part in parts if isinstance(part, ast.Name)}
        named = (n.id for part in parts for n in walk(part) if isinstance(n, ast.Name))
        kin = {attr, *whole, *filter(self.constructor.binds, named)}
        known = 0
        while known < len(kin):
            known = len(kin)
            for node in self.scope.nodes:
                if isinstance(node, (ast.For, ast.comprehension)) and not kin.isdisjoint(identifiers(node.iter)):
                    kin |= identifiers(node.target)
                elif isinstance(node, ast.Assign) and not kin.isdisjoint(identifiers(node.value)):
                    kin |= {name for target in node.targets for name in identifiers(target) if name != "self"}
        return kin

    def _is_of_heirs(self, name: str) -> bool:
        """Whether a class of the file that derives from this one names the attribute: it may register the modules."""
        for other in self.context.tree.scopes.values():
            node = other.node
            if isinstance(node, ast.ClassDef) and other is not self.scope and name in self.context.tree.text(other):
                if any(dotted(base).rpartition(".")[2] == self.scope.name for base in node.bases):
                    return True
        return False

    # --- how it is used -----------------------------------------------------------------------

    def _uses(self, name: str) -> frozenset[str]:
        """The kinds of the uses of the modules and of their container, in the class and elsewhere: "" is one that may register or place them."""
        attr = name.removeprefix("self.")
        elsewhere = any(  # by whoever has the module
            isinstance(node, ast.Attribute) and node.attr == attr and not is_name(node.value, "self")
            for node in self.context.tree.root.nodes
        )
        self.around = parents(self.scope.node)
        found = [self._use(node) for node in self.around if isinstance(node, ast.Attribute) and dotted(node) == name]
        if not all(found) or not {"call", "passed"} & {*found}:
            return frozenset({""})
        if elsewhere:
            self.around = parents(self.context.module)
        others = (
            (node for node in self.around if isinstance(node, ast.Attribute) and node.attr == attr) if elsewhere else ()
        )
        # the constructor gets no other module of the class: `config.layers` is something else there
        strange = (node for node in others if dotted(node) != name and not self._within_init(node))
        return frozenset((*found, *map(self._use, strange)))

    def _use(self, node: ast.expr) -> str:
        """The kind of a use of a container: "call" of an element, "passed" (an element to a function), "lent" (a method returns an element), "other" (harmless), "" (unknown)."""
        user = self.around.get(node)
        if isinstance(user, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            itself = user.value is not None and dotted(user.value) == dotted(node)
            return "other" if self._within_init(user) and (node is not user.value or itself) else ""
        if isinstance(user, ast.Subscript) and user.value is node:
            if isinstance(user.ctx, ast.Store):
                return "other"  # another module, or one that `_element` finds on the right
            return self._use(user) if isinstance(user.slice, ast.Slice) else self._element(user)
        if isinstance(user, ast.Attribute):
            return self._asked(user)
        if isinstance(user, ast.Call) and isinstance(user.func, ast.Name) and node in user.args:
            if user.func.id in _LOOKS:
                return "other"
            return self._looped(user, node) if user.func.id in _OF_SEVERAL else ""
        return self._looped(node, node) or ("other" if self._is_tested(node, user) else "")

    def _asked(self, method: ast.Attribute) -> str:
        """The use of a container by one of its methods."""
        caller = self.around.get(method)
        if not isinstance(caller, ast.Call) or caller.func is not method:
            return ""
        if method.attr in ADDS:
            return "other"
        return self._use(caller) if method.attr in ("items", "values") else "other" if method.attr == "keys" else ""

    @staticmethod
    def _is_tested(node: ast.expr, user: ast.AST | None) -> bool:
        """Whether an expression is only tested or compared."""
        if isinstance(user, ast.IfExp):
            return user.test is node
        return isinstance(user, (ast.Compare, ast.UnaryOp, ast.BoolOp, ast.If))

    def _within_init(self, node: ast.AST) -> bool:
        return node in self.constructor.around

    def _looped(self, iterable: ast.expr, node: ast.expr) -> str:
        """The use that a loop makes of each of the modules. node: the container among the arguments of `iterable`, or that itself."""
        loop = self.around.get(iterable)
        if isinstance(loop, ast.Call) and isinstance(loop.func, ast.Name) and loop.func.id in _OF_SEVERAL:
            node, iterable, loop = iterable, loop, self.around.get(loop)
        if not isinstance(loop, (ast.For, ast.comprehension)) or loop.iter is not iterable:
            return ""
        target = loop.target
        if isinstance(iterable, ast.Call) and isinstance(iterable.func, ast.Name) and node is not iterable:
            at = {"enumerate": 1, "zip": iterable.args.index(node)}.get(iterable.func.id)
            if at is not None and isinstance(target, (ast.Tuple, ast.List)) and len(target.elts) > at:
                target = target.elts[at]
        if (
            isinstance(iterable, ast.Call)
            and isinstance(iterable.func, ast.Attribute)
            and iterable.func.attr == "items"
        ):
            target = target.elts[-1] if isinstance(target, ast.Tuple) else target
        return self._named(target, self.around.get(loop) if isinstance(loop, ast.comprehension) else loop)

    def _named(self, target: ast.expr, body: ast.AST | None) -> str:
        """The use of a module that has a name in a piece of code, or of its parts that have."""
        if isinstance(target, (ast.Tuple, ast.List)):
            return _together([self._named(part, body) for part in target.elts])
        if not isinstance(target, ast.Name) or body is None:
            return ""
        read = [n for n in walk(body) if isinstance(n, ast.Name) and n.id == target.id and isinstance(n.ctx, ast.Load)]
        return _together([self._element(name) for name in read])

    def _element(self, module: ast.expr) -> str:
        """The use of one of the modules."""
        user = self.around.get(module)
        if isinstance(user, (ast.Call, ast.keyword)):
            return self._passed(module, user)
        if isinstance(user, ast.Attribute):
            caller = self.around.get(user)
            called = isinstance(caller, ast.Call) and caller.func is user and not self._within_init(caller)
            return "" if user.attr in _CARED_FOR else "call" if called else "other"
        if isinstance(user, ast.Assign) and user.value is module and len(user.targets) == 1:
            body: ast.AST | None = user
            while body is not None and not isinstance(body, ast.FunctionDef):
                body = self.around.get(body)
            return self._named(user.targets[0], body)
        if isinstance(user, ast.Subscript) and user.value is module:
            return self._element(user)
        if isinstance(user, ast.Return) and not self._within_init(user):
            return "lent"
        return "other" if self._is_tested(module, user) else ""

    def _passed(self, module: ast.expr, user: ast.Call | ast.keyword) -> str:
        """The use of one of the modules in a call."""
        call = self.around.get(user) if isinstance(user, ast.keyword) else user
        if isinstance(call, ast.Call) and call.func is module:
            return "call"
        registered = isinstance(call, ast.Call) and last_name(call.func) in _REGISTERS
        return "" if registered or self._within_init(user) else "passed"

    # --- the repair ---------------------------------------------------------------------------

    def _repaired(self, values: list[ast.expr], name: str) -> Finding:
        kind = self.constructor.kind(values[0])
        spans = [self.context.span(value) for value in values]
        plain = "dict" if kind == "ModuleDict" else "list"
        container = self._name_of(kind)
        if not container:
            return Finding(spans[0], plain, why_not=reasons.NN_HAS_NO_NAME, names=(name,))
        edits = []
        for span in spans:
            text = self.context.source.segment(span)
            inner = "" if text.strip("[] \n") in ("", "list()", "dict()", "{}") else text
            edits.append(Replace(span, f"{container}({inner})", text))
        return Finding(spans[0], plain, tuple(edits), names=(name,))

    def _name_of(self, kind: str) -> str:
        """The name of a container of torch.nn in the constructor; "" if it has none there."""
        node = self.scope.node
        bases = node.bases if isinstance(node, ast.ClassDef) else []
        calls = (n.func for n in self.init.nodes if isinstance(n, ast.Call))
        for expr in (*bases, *calls):
            if isinstance(expr, ast.Attribute) and self.context.tree.qualname(expr.value, self.init) == "torch.nn":
                return f"{dotted(expr.value)}.{kind}"
        for text in (kind, f"nn.{kind}", f"torch.nn.{kind}"):
            if self.context.tree.qualname(ast.parse(text, mode="eval").body, self.init) == f"torch.nn.{kind}":
                return text
        return ""


def _together(uses: list[str]) -> str:
    """The use of several parts: unknown if one is."""
    return "" if not all(uses) else next((use for use in ("lent", "call", "passed") if use in uses), "other")
