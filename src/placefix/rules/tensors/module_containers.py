"""The modules that the constructor of a class puts into a list or dict, wherever it does: in a display, a comprehension, a loop, arms of a test."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts import torch_api as api
from placefix.facts.interpret.class_summaries import ClassSummaries, class_info
from placefix.facts.naming import names_class, names_layer
from placefix.facts.program.ast_names import dotted, is_literal
from placefix.facts.program.ast_walk import parents, walk
from placefix.facts.program.callees import class_of
from placefix.rules.tensors.given_modules import GivenModules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.tree import Scope

_COPIES = frozenset(("list", "tuple", "dict", "collections.OrderedDict"))
_DICTS = frozenset(("dict", "collections.OrderedDict"))
_LOOKS = frozenset(("len", "enumerate", "zip", "isinstance", "print"))
_ADDS_ONE = frozenset(("append", "insert"))
ADDS = _ADDS_ONE | {"extend", "update"}
# Methods of a module that return the module.
_RETURN_SELF = frozenset(("apply", "train", "eval", "requires_grad_", "double", "float", "half"))
_DUPLICATE = frozenset(("copy.deepcopy", "copy.copy"))
_DEPTH = 5  # of classes whose parts are searched for parameters


class Constructor:
    """The statements of an ``__init__`` as bindings of names and attributes.

    `kinds` gives the kind of container that an expression makes, `holds_modules` whether all of its elements are modules.
    """

    def __init__(self, context: AnalysisContext, init: Scope) -> None:
        self.resolve(context, init, read=False)
        self.around = parents(init.node)
        self.parts = init.nodes
        self._values: dict[str, list[ast.expr]] = {}  # the values that a name is bound to
        self._added: dict[
            str, list[tuple[ast.expr, bool]]
        ] = {}  # values that are added to it, and whether each is one element
        self._unknown = {a.arg for a in walk(init.function.args) if isinstance(a, ast.arg)}
        self._followed: set[str] = set()  # names whose values are searched
        for node in self.parts:
            self._record(node)

    def resolve(self, context: AnalysisContext, init: Scope, *, read: bool = True) -> None:
        """Resolve names by another analysis of the same file. read: whether it reads other files."""
        self.context, self.init, self.infos = context, init, context.get(ClassSummaries).known
        self._given = GivenModules(init, self.infos, read=read)

    def attributes(self) -> Iterator[tuple[str, list[ast.expr]]]:
        """The attributes of ``self`` that statements of the constructor set, with all their values."""
        for name, values in self._values.items():
            if name.startswith("self.") and name.count(".") == 1 and name not in self._unknown:
                yield name, values

    def elements_of(self, name: str) -> list[ast.expr] | None:
        """All that the container in an attribute or name holds; None if it is not all known."""
        return self._named(name, frozenset())

    def _record(self, node: ast.AST) -> None:
        if (
            isinstance(node, ast.Assign)
            and len(node.targets) == 1
            and not isinstance(node.targets[0], (ast.Tuple, ast.List))
        ):
            target = node.targets[0]
            if isinstance(target, ast.Subscript):
                self._added.setdefault(dotted(target.value), []).append((node.value, True))
            else:
                self._values.setdefault(dotted(target), []).append(node.value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self._values.setdefault(dotted(node.target), []).append(node.value)
        elif isinstance(node, ast.AugAssign):
            self._added.setdefault(dotted(node.target), []).append((node.value, False))
        elif (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ADDS and node.args
        ):
            one = node.func.attr in _ADDS_ONE
            self._added.setdefault(dotted(node.func.value), []).append((node.args[-1], one))
        elif isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, (ast.Store, ast.Del)):
            user = self.around.get(node)
            plain = isinstance(user, (ast.Assign, ast.AnnAssign)) and not isinstance(user, ast.AugAssign)
            if not plain and not isinstance(user, ast.AugAssign):
                self._unknown.add(dotted(node))

    # --- containers --------------------------------------------------------------------------------

    def kind(self, value: ast.expr, seen: frozenset[str] = frozenset()) -> str:
        """The class of torch.nn for a container that an expression makes: "ModuleList", "ModuleDict"; "" for another value."""
        if isinstance(value, (ast.Dict, ast.DictComp)):
            return "ModuleDict"
        if isinstance(value, (ast.List, ast.Tuple, ast.ListComp)):
            return "ModuleList"
        if isinstance(value, ast.Call):
            name = self._callee(value.func)
            return "" if name not in _COPIES else "ModuleDict" if name in _DICTS else "ModuleList"
        if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
            kinds = {self.kind(value.left, seen), self.kind(value.right, seen)}
            return "ModuleList" if kinds == {"ModuleList"} else ""
        if isinstance(value, ast.Name) and self._is_given(value.id):
            return self._given.kinds[value.id] if self._only_filled(value) else ""
        if isinstance(value, ast.Name) and value.id not in self._unknown and value.id not in seen:
            kinds = {
                self.kind(v, seen | {value.id}) for v in self._values.get(value.id, ()) if not isinstance(v, ast.Name)
            }
            return kinds.pop() if len(kinds) == 1 and self._only_filled(value) else ""
        return ""

    def _callee(self, func: ast.expr) -> str:
        """The qualified name of a function; the plain name of a builtin."""
        name = self.context.tree.qualname(func, self.init)
        if name is None and isinstance(func, ast.Name) and self.init.lookup(func.id) is None:
            return func.id
        return name or ""

    def _only_filled(self, name: ast.Name) -> bool:
        """Whether the only uses of a local container are to fill it, to read its elements, and to store it once in an attribute."""
        stored = 0
        for node in self.parts:
            if not isinstance(node, ast.Name) or node.id != name.id or not isinstance(node.ctx, ast.Load):
                continue
            user = self.around.get(node)
            if isinstance(user, ast.Assign) and user.value is node:
                stored += 1
            elif isinstance(user, ast.Attribute):
                if user.attr not in ADDS:
                    return False
            elif isinstance(user, ast.Call):
                if dotted(user.func) not in ("len", "enumerate") and node is not name:
                    return False
            elif not isinstance(user, (ast.Subscript, ast.For, ast.Compare)):
                return False
        return stored == 1

    def elements(self, value: ast.expr, seen: frozenset[str] = frozenset()) -> list[ast.expr] | None:
        """The expressions of all that a container holds at the end of the constructor; None if they are not all known."""
        if isinstance(value, (ast.List, ast.Tuple)):
            return self._all(((_content(v), not isinstance(v, ast.Starred)) for v in value.elts), seen)
        if isinstance(value, (ast.ListComp, ast.GeneratorExp)):
            return [value.elt]
        if isinstance(value, ast.DictComp):
            return [value.value]
        if isinstance(value, ast.Dict):
            return list(value.values) if all(map(_is_key, value.keys)) else None
        if isinstance(value, ast.Call):
            if self._callee(value.func) not in _COPIES or value.keywords:
                return None
            return self._all(((argument, False) for argument in value.args), seen)
        if isinstance(value, ast.IfExp):
            return self._all(((value.body, False), (value.orelse, False)), seen)
        if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
            return self._all(((value.left, False), (value.right, False)), seen)
        return self._named(dotted(value), seen)

    def _named(self, name: str, seen: frozenset[str]) -> list[ast.expr] | None:
        if name in seen:
            return []
        if self._is_given(name):
            return [self._given.elements[name]]
        if not name or name in self._unknown or name not in self._values:
            return None
        whole = [(value, False) for value in self._values[name] if not is_literal(value, None)]
        return self._all([*whole, *self._added.get(name, ())], seen | {name})

    def _is_given(self, name: str) -> bool:
        """Whether a name is a parameter that holds modules, nothing else is bound to it or added, and one expression alone keeps it."""
        if name not in self._given.kinds or name in self._values or name in self._added:
            return False
        reads = [node for node in self.parts if isinstance(node, ast.Name) and node.id == name]
        return sum(not self._only_looks(node) for node in reads) == 1

    def _only_looks(self, node: ast.Name) -> bool:
        """Whether a read of a container gives it, and its items, to nothing: a test, its length, an attribute of an item, its items one by one."""
        user = self.around.get(node)
        if isinstance(user, ast.Call):
            return dotted(user.func) in _LOOKS and user.func is not node
        if isinstance(user, ast.Subscript):  # ``self.first = layers[0]`` registers it
            return isinstance(self.around.get(user), ast.Attribute)
        return isinstance(user, (ast.For, ast.comprehension, ast.Compare, ast.UnaryOp, ast.Assert, ast.If))

    def is_of_caller(self, element: ast.expr) -> bool:
        """Whether an element is the one for all modules that a parameter holds."""
        return any(element is each for each in self._given.elements.values())

    def is_shown_by_name(self, elements: list[ast.expr]) -> bool:
        """Whether the name of a parameter alone shows that elements are modules."""
        return any(element in self._given.named for element in elements)

    def _all(self, parts: Iterable[tuple[ast.expr, bool]], seen: frozenset[str]) -> list[ast.expr] | None:
        """The elements of several parts, each an element or a container; None if one is not known."""
        found: list[ast.expr] = []
        for part, is_element in parts:
            inner = [part] if is_element else self.elements(part, seen)
            if inner is None:
                return None
            found += inner
        return found

    # --- elements ------------------------------------------------------------------------------------

    def holds_modules(self, elements: list[ast.expr]) -> bool:
        """Whether all elements are modules that the constructor makes, and registers nowhere else; None may be among them."""
        made = [element for element in elements if not is_literal(element, None)]
        return bool(made) and all(map(self._is_module, made))

    def has_parameters(self, elements: list[ast.expr]) -> bool | None:
        """Whether one of the elements has parameters; None where code that is not seen makes one of them, or a part of one."""
        if any(map(self._has_parameters, elements)):
            return True
        return None if any(map(self._may_have_parameters, elements)) else False

    def _class(self, expr: ast.expr) -> Scope | None:
        """The class of modules of the repository that an expression makes an instance of."""
        found = class_of(self.init, expr.func) if isinstance(expr, ast.Call) else None
        return found if found is not None and class_info(found, self.infos).is_module else None

    def _is_module(self, expr: ast.expr) -> bool:
        if self.is_of_caller(expr):
            return True
        if isinstance(expr, ast.Name):
            values = self._values.get(expr.id, [])
            known = bool(values) and expr.id not in self._unknown and not self._is_kept(expr.id)
            return known and not self._has_value(expr.id, lambda value: not self._is_module(value))
        if isinstance(expr, ast.IfExp):
            return self.holds_modules([expr.body, expr.orelse])
        return isinstance(expr, ast.Call) and self._gives_module(expr)

    def _has_value(self, name: str, holds: Callable[[ast.expr], bool]) -> bool:
        """Whether something holds for one of the values of a name; ``layer`` in ``layer = Block(layer)`` is searched once."""
        if name in self._followed:
            return False
        self._followed.add(name)
        found = any(map(holds, self._values.get(name, ())))
        self._followed.discard(name)
        return found

    def binds(self, name: str) -> bool:
        """Whether a statement of the constructor binds a name."""
        return name in self._values

    def _is_kept(self, name: str) -> bool:
        """Whether the value of a name is stored in an attribute, and so registered there."""
        kept = (value for target, values in self._values.items() if "." in target for value in values)
        return any(isinstance(value, ast.Name) and value.id == name for value in kept)

    def _gives_module(self, call: ast.Call) -> bool:
        """Whether the result of a call is a module that no attribute holds."""
        func = call.func
        if isinstance(func, ast.Call):  # getattr(nn, name)(…)
            made = self._callee(func.func) == "getattr" and bool(func.args)
            return made and self.context.tree.qualname(func.args[0], self.init) == "torch.nn"
        name = self._callee(func)
        if name in _DUPLICATE:
            return bool(call.args) and (isinstance(call.args[0], ast.Attribute) or self._is_module(call.args[0]))
        if name in api.MODULE_TRANSFORMS:
            return bool(call.args) and self._is_module(call.args[0])
        if isinstance(func, ast.Attribute) and func.attr in _RETURN_SELF:
            return self._is_module(func.value)
        if api.is_module_constructor(name) or self._class(call) is not None:
            return True
        return names_layer(dotted(func)) and _is_made_elsewhere(self.init, call)

    def _has_parameters(self, expr: ast.expr) -> bool:
        if self.is_of_caller(expr) or (isinstance(expr, ast.Call) and _is_made_elsewhere(self.init, expr)):
            return False
        if api.PARAMETRIC.search(self.context.text(expr)):
            return True
        names = (n.id for n in walk(expr) if isinstance(n, ast.Name) and n.id in self._values)
        made = filter(None, map(self._class, walk(expr)))
        return any(_class_has_parameters(cls, _DEPTH) for cls in made) or any(
            self._has_value(name, self._has_parameters) for name in names
        )

    def _may_have_parameters(self, expr: ast.expr) -> bool:
        """Whether a module that is not seen, or that the repository makes of layers that are not, is a part of an element."""
        if self.is_of_caller(expr):
            return True
        calls = [node for node in walk(expr) if isinstance(node, ast.Call)]
        made = (self._class(call) for call in calls)
        names = (n.id for n in walk(expr) if isinstance(n, ast.Name) and n.id in self._values)
        return (
            any(_is_made_elsewhere(self.init, call) for call in calls)
            or any(cls is not None and _class_may_have_parameters(cls, _DEPTH) for cls in made)
            or any(self._has_value(name, self._may_have_parameters) for name in names)
        )


def _is_made_elsewhere(init: Scope, call: ast.Call) -> bool:
    """Whether a call makes an object of a class that is neither of torch nor of the repository."""
    func = call.func
    if not isinstance(func, (ast.Name, ast.Attribute)) or not names_class(dotted(func)):
        return False
    name = init.tree.qualname(func, init)
    return name is not None and not name.startswith("torch.") and class_of(init, func) is None


def _class_may_have_parameters(cls: Scope, depth: int) -> bool:
    """Whether the constructor of a class makes a part by calling a parameter or an item (``norm_layer(width)``, ``self.ops["conv"](width)``),
    or makes an object of a class that is not seen; or that of a part does."""
    init = cls.functions.get("__init__")
    if init is None or not depth:
        return False
    given = {a.arg for a in walk(init.function.args) if isinstance(a, ast.arg)}
    calls = [node for node in init.nodes if isinstance(node, ast.Call)]
    if any(isinstance(c.func, ast.Subscript) or (isinstance(c.func, ast.Name) and c.func.id in given) for c in calls):
        return True
    inner = {found for c in calls if (found := class_of(init, c.func)) is not None and found is not cls}
    return any(_is_made_elsewhere(init, call) for call in calls) or any(
        _class_may_have_parameters(found, depth - 1) for found in inner
    )


def _class_has_parameters(cls: Scope, depth: int) -> bool:
    """Whether a class of modules, or one that its constructor makes an instance of, makes a layer with parameters."""
    if api.PARAMETRIC.search(cls.tree.text(cls)):
        return True
    init = cls.functions.get("__init__")
    if init is None or not depth:
        return False
    calls = (node.func for node in init.nodes if isinstance(node, ast.Call))
    inner = {found for func in calls if (found := class_of(init, func)) is not None and found is not cls}
    return any(_class_has_parameters(found, depth - 1) for found in inner)


def _content(value: ast.expr) -> ast.expr:
    return value.value if isinstance(value, ast.Starred) else value


def _is_key(key: ast.expr | None) -> bool:
    """Whether a key of a dict may be one of a ModuleDict."""
    return isinstance(key, ast.Constant) and isinstance(key.value, str) and "." not in key.value
