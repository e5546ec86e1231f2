"""Modules that a module keeps in a plain list or dict.

`nn.Module` registers attributes that are modules; it does not look into lists. A module
in a list is not moved, trained or saved with the module around it.
"""

from __future__ import annotations

import ast
import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

from placefix.diagnostic import Replace
from placefix.facts import reasons
from placefix.facts import torch_api as api
from placefix.facts.finding import Finding
from placefix.facts.interpret.class_summaries import ClassSummaries, class_info, class_of
from placefix.facts.program.ast_names import dotted, identifiers
from placefix.facts.program.ast_walk import children, walk
from placefix.rules.tensors.unreached_code import doubt_of_forward, doubt_of_use

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Scope

# Names with which a class registers its parts in another way, and methods that replace registration.
_REGISTERS = frozenset({"add_module", "register_module", "setattr", "__setattr__", "_modules", "__dict__", "_apply"})
_LISTS_PARTS = frozenset(
    f"{prefix}{kind}" for prefix in ("", "named_") for kind in ("parameters", "children", "modules")
)
_INITIALISES = frozenset({"apply", "reset_parameters"})
_OF_SEVERAL = frozenset({"enumerate", "zip", "reversed"})
_KINDS = {ast.List: "ModuleList", ast.ListComp: "ModuleList", ast.Dict: "ModuleDict"}


def unregistered(context: AnalysisContext) -> Iterator[Finding]:
    """Lists and dicts of modules with parameters that a module calls, and has not registered."""
    for scope in list(context.tree.scopes.values()):
        if scope.is_class and "forward" in scope.functions and "__init__" in scope.functions:
            yield from _Class(context, scope).found()


def _registers_otherwise(scope: Scope) -> bool:
    """Whether a class may register its parts in another way."""
    replaced = (_LISTS_PARTS | _REGISTERS) & scope.functions.keys()
    return bool(replaced) or not identifiers(scope.node).isdisjoint(_REGISTERS)


class _Class:
    """One class of modules."""

    def __init__(self, context: AnalysisContext, scope: Scope) -> None:
        self.context = context
        self.scope = scope
        self.infos = context.get(ClassSummaries).known
        self.init = scope.functions["__init__"]

    def found(self) -> Iterator[Finding]:
        """The containers of modules in the constructor that are not registered, with the edits."""
        info = class_info(self.scope, self.infos)
        if not info.is_module or info.own_moves or self._is_base():
            return
        started = False  # super().__init__() has run: before, nothing can be registered
        for stmt in self.init.body.stmts:
            node = stmt.node
            started = started or (isinstance(node, ast.Expr) and "__init__" in self.context.text(node))
            if not started or not isinstance(node, ast.Assign) or len(node.targets) != 1:
                continue
            name = dotted(node.targets[0])
            if not name.startswith("self.") or name.count(".") != 1:
                continue
            held = self._built(node.value, node) if isinstance(node.value, ast.Name) else node.value
            written = name if held is node.value else dotted(node.value)
            if held is None or held.__class__ not in _KINDS:
                continue
            if _registers_otherwise(self.scope):
                return
            if self._holds_modules(held, written) and self._only_calls(name):
                yield self._repaired(node.value, name, _KINDS[held.__class__])._replace(
                    doubt=doubt_of_use(self.context, self.scope) or doubt_of_forward(self.context, self.scope)
                )

    @cached_property
    def _parts(self) -> list[Any]:
        """All nodes of the constructor."""
        return walk(self.init.node)

    def _built(self, name: ast.Name, kept: ast.Assign) -> ast.expr | None:
        """The value of a name of the constructor that is only appended to before it is stored in an attribute."""
        uses = [n for n in self._parts if isinstance(n, ast.Name) and n.id == name.id and n is not name]
        sets = [n for n in self._parts if isinstance(n, ast.Assign) and len(n.targets) == 1 and n.targets[0] in uses]
        if len(sets) != 1:
            return None
        appended = [n for n in self._parts if self._appends(n, name.id)]
        plain = len(uses) == 1 + len(appended)
        return sets[0].value if plain and all(n.lineno < kept.lineno for n in uses) else None

    def _is_base(self) -> bool:
        """Whether another class of the file derives from this one: it may register the modules."""
        others = (s.node for s in self.context.tree.scopes.values() if s.is_class and s is not self.scope)
        return any(
            dotted(base).rpartition(".")[2] == self.scope.name
            for node in others
            if isinstance(node, ast.ClassDef)
            for base in node.bases
        )

    # --- the content of the container ---------------------------------------------------------

    def _holds_modules(self, value: ast.expr, name: str) -> bool:
        """Whether all that is written into it are modules, made there, and one of them has parameters."""
        if isinstance(value, ast.ListComp):
            made = [value.elt]
        elif isinstance(value, ast.Dict):
            if not all(
                isinstance(k, ast.Constant) and isinstance(k.value, str) and "." not in k.value for k in value.keys
            ):
                return False
            made = value.values
        else:
            made = value.elts if isinstance(value, ast.List) else []
        made = [*made, *(part.args[0] for part in self._parts if self._appends(part, name))]
        return bool(made) and all(map(self._is_module, made)) and any(map(self._has_parameters, made))

    @staticmethod
    def _appends(node: ast.AST, name: str) -> bool:
        """``name.append(…)``."""
        return isinstance(node, ast.Call) and dotted(node.func) == f"{name}.append" and len(node.args) == 1

    def _class_name(self, expr: ast.expr) -> str:
        return (self.context.tree.qualname(expr.func, self.init) or "") if isinstance(expr, ast.Call) else ""

    def _local(self, expr: ast.expr) -> Scope | None:
        found = class_of(self.init, expr.func) if isinstance(expr, ast.Call) else None
        return found if found is not None and class_info(found, self.infos).is_module else None

    def _is_module(self, expr: ast.expr) -> bool:
        return api.is_module_constructor(self._class_name(expr)) or self._local(expr) is not None

    def _has_parameters(self, expr: ast.expr) -> bool:
        if api.PARAMETRIC.search(self.context.text(expr)):
            return True
        made = filter(None, map(self._local, walk(expr)))
        return any(api.PARAMETRIC.search(local.tree.text(local)) for local in made)

    # --- how it is used -----------------------------------------------------------------------

    def _only_calls(self, name: str) -> bool:
        """Whether the modules are called in the class, and neither they nor their container have another use."""
        attr = name.removeprefix("self.")
        if re.search(rf"(?<!\bself)\.{attr}\b", self.context.source.text):
            return False  # by whoever has the module
        around = {child: node for node in walk(self.scope.node) for child in children(node)}
        found = [
            self._use(node, name, around) for node in around if isinstance(node, ast.Attribute) and dotted(node) == name
        ]
        return all(found) and "call" in found and found.count("set") == 1

    def _use(self, node: ast.expr, name: str, around: dict[ast.AST, ast.AST]) -> str:
        """The kind of a use of the attribute: "set", "call", "other" (harmless), "" (unknown)."""
        user = around.get(node)
        if isinstance(user, ast.Assign):
            return "set" if node in user.targets else ""
        if isinstance(user, ast.Subscript):
            return self._item(user, around)
        if isinstance(user, ast.Attribute):
            caller = around.get(user)
            return "other" if caller is not None and self._appends(caller, name) and self._within_init(caller) else ""
        if isinstance(user, ast.Call) and isinstance(user.func, ast.Name) and node in user.args:
            if user.func.id == "len":
                return "other"
            return self._looped(user, node, around) if user.func.id in _OF_SEVERAL else ""
        return self._looped(node, node, around)

    def _within_init(self, node: ast.AST) -> bool:
        return any(part is node for part in self._parts)

    def _item(self, item: ast.Subscript, around: dict[ast.AST, ast.AST]) -> str:
        """The use of one of the modules, by its number or key."""
        user = around.get(item)
        if isinstance(user, ast.Assign) and user.value is item and isinstance(user.targets[0], ast.Name):
            body: ast.AST | None = user
            while body is not None and not isinstance(body, ast.FunctionDef):
                body = around.get(body)
            return self._named(user.targets[0], body, around)
        return "call" if isinstance(user, ast.Call) and user.func is item else ""

    def _looped(self, iterable: ast.expr, node: ast.expr, around: dict[ast.AST, ast.AST]) -> str:
        """The use that a loop makes of each of the modules."""
        loop = around.get(iterable)
        if not isinstance(loop, (ast.For, ast.comprehension)) or loop.iter is not iterable:
            return ""
        target = loop.target
        if isinstance(iterable, ast.Call) and isinstance(iterable.func, ast.Name) and iterable.func.id != "reversed":
            at = 1 if iterable.func.id == "enumerate" else iterable.args.index(node)
            target = target.elts[at] if isinstance(target, (ast.Tuple, ast.List)) and len(target.elts) > at else target
        return self._named(target, around.get(loop) if isinstance(loop, ast.comprehension) else loop, around)

    def _named(self, target: ast.expr, body: ast.AST | None, around: dict[ast.AST, ast.AST]) -> str:
        """The use of a module that has a name in a piece of code."""
        if not isinstance(target, ast.Name) or body is None:
            return ""
        found = set()
        for name in walk(body):
            if not isinstance(name, ast.Name) or name.id != target.id or name is target:
                continue
            user = around.get(name)
            if isinstance(user, ast.Call) and user.func is name:
                found.add("call")
            elif isinstance(user, ast.Attribute) and (user.attr in _INITIALISES or self._filled(user, around)):
                found.add("other")
            else:
                return ""
        return "call" if "call" in found else "other" if found else ""

    def _filled(self, part: ast.Attribute, around: dict[ast.AST, ast.AST]) -> bool:
        """``nn.init.zeros_(layer.weight)``."""
        caller = around.get(part)
        name = self.context.tree.qualname(caller.func, self.init) if isinstance(caller, ast.Call) else None
        return part.attr in ("weight", "bias") and name is not None and name.startswith("torch.nn.init.")

    # --- the repair ---------------------------------------------------------------------------

    def _repaired(self, value: ast.expr, name: str, kind: str) -> Finding:
        span, text = self.context.span(value), self.context.text(value)
        plain = "dict" if kind == "ModuleDict" else "list"
        package = self._package()
        if not package:
            return Finding(span, plain, why_not=reasons.NN_HAS_NO_NAME, names=(name,))
        inner = "" if text.strip("[] \n") == "" else text
        return Finding(span, plain, (Replace(span, f"{package}.{kind}({inner})", text),), names=(name,))

    def _package(self) -> str:
        """The file's name for torch.nn, in the bases of the class or in a construction; "" if there is none."""
        node = self.scope.node
        bases = node.bases if isinstance(node, ast.ClassDef) else []
        calls = (n.func for n in self._parts if isinstance(n, ast.Call))
        for expr in (*bases, *calls):
            if isinstance(expr, ast.Attribute) and self.context.tree.qualname(expr.value, self.init) == "torch.nn":
                return dotted(expr.value)
        return ""
