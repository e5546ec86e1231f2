"""What an expression can only give, read in the statement trees alone: a tensor or module of torch, or not known.

Looked at is what names and attributes are bound to, what functions return and what classes derive
from, in the file and, through its imports, in its repository. Every binding counts, whatever the
order: where one of them is not known, neither is the name.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts import torch_api as api
from placefix.facts.interpret.contents import Contents
from placefix.facts.interpret.stores import class_of_self, stores_in, stores_of
from placefix.facts.interpret.summaries import class_info, decorated
from placefix.facts.program.names import dotted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from placefix.facts.interpret.stores import Store, Stores
    from placefix.facts.interpret.values import ClassInfo
    from placefix.facts.program.index import Index
    from placefix.facts.program.project import Definition, Home
    from placefix.facts.program.tree import Scope, Tree

TORCH = "torch"
OWN = "own"
# Methods that give what they are called on, or another of its kind.
_SAME = frozenset(
    ("to", "type", "cpu", "cuda", "float", "half", "double", "eval", "train", "requires_grad_", "share_memory")
)


# Asked of a tensor, and giving one.
def _gives_tensor(method: str) -> bool:
    return torch_model.is_tensor_method(method) and torch_model.stays(method)


# Packages whose classes and factories make modules or tensors of torch.
_TORCH_PACKAGES = frozenset(
    {"torch", "torchvision", "torchaudio", "torchtext", "timm", "transformers", "diffusers", "segmentation_models_pytorch",
     "efficientnet_pytorch", "pytorch_pretrained_bert", "pytorch_transformers", "pretrainedmodels", "geotorch", "lpips", "einops", "monai",
     "kornia", "apex"}
)  # fmt: skip
_NO_TENSORS = ("torch.utils.data", "torch.distributed", "torchtext.data", "torch.cuda")
# Context managers that swallow no exception.
_LETS_THROUGH = ("open", "no_grad", "inference_mode", "enable_grad", "autocast", "device")
_MAX_DEPTH = 12


def made_by(name: str) -> bool:
    """Whether a call of the qualified name, taken that what it gives has a ``.cuda()``, gives a tensor or module of torch."""
    if torch_model.gives_tensor(name) or name == api.VARIABLE:
        return True
    if api.is_module_constructor(name):
        return True
    if name.startswith("torch.cuda."):
        return name.removeprefix("torch.cuda.") in api.TENSOR_TYPES
    return name.partition(".")[0] in _TORCH_PACKAGES and not name.startswith(_NO_TENSORS)


class Results:
    """Answers for one file.

    home: its place in its repository, None where other files are not to be read. classes, stores: the summaries of classes and
    the attributes that were asked for, to which it adds. index: makes the index of its expressions.
    """

    def __init__(
        self,
        tree: Tree,
        home: Home | None,
        classes: dict[Scope, ClassInfo],
        stores: dict[Tree, Stores],
        index: Callable[[], Index],
    ) -> None:
        self.tree = tree
        self._index = index
        self.home = home
        self._classes = classes
        self._stores = stores
        self._under: set[object] = set()  # names, attributes and functions that are being looked at

    def of(self, expr: ast.expr, scope: Scope, move: str) -> str:
        """TORCH where code in `scope` can only get a tensor or module from `expr`, OWN where it may get
        one with a method `move` of its own, else an empty string."""
        self._move = move
        self._under.clear()
        return self._of(expr, scope, 0)

    def _of(self, expr: ast.expr, scope: Scope, depth: int) -> str:
        if depth > _MAX_DEPTH:
            return ""
        if isinstance(expr, ast.Name):
            return self._name(expr.id, scope, depth)
        if isinstance(expr, ast.Attribute):
            return TORCH if expr.attr in ("data", "grad", "T") else self._attribute(expr, scope, depth)
        if isinstance(expr, ast.Call):
            return self._call(expr, scope, depth)
        if isinstance(expr, ast.IfExp):
            return _all(self._of(e, scope, depth + 1) for e in (expr.body, expr.orelse))
        if isinstance(expr, ast.BinOp):
            # of numbers and lists it has no .cuda(); of objects of other classes, who knows
            return TORCH if TORCH in (self._of(e, scope, depth + 1) for e in (expr.left, expr.right)) else ""
        if isinstance(expr, ast.Subscript):
            several = isinstance(expr.slice, ast.Tuple)  # x[i, :]: no list has that
            if several or self._of(expr.value, scope, depth + 1) == TORCH:
                return TORCH
            return _all(self._contents(depth).items(expr.value, scope)) if scope.tree is self.tree else ""
        return ""

    def _contents(self, depth: int) -> Contents:
        def of(expr: ast.expr, scope: Scope) -> str:
            return self._of(expr, scope, depth + 2)

        return Contents(self._index(), self._under, of, _bare_of, self._set)

    # --- calls ------------------------------------------------------------------------------

    def _call(self, call: ast.Call, scope: Scope, depth: int) -> str:
        func, tree = call.func, scope.tree
        name = tree.qualname(func, scope)
        if name is not None:
            return TORCH if made_by(name) else self._of_definition(name, scope, depth)
        if isinstance(func, ast.Name):
            owner = scope.lookup(func.id)
            bindings = owner.bindings[func.id] if owner is not None else []
            if owner is None:
                return (
                    OWN
                    if any(self._of_definition(n, scope, depth) == OWN for n in self._starred(func.id, tree))
                    else ""
                )
            if len(bindings) != 1:
                return ""
            if isinstance(bindings[0], ast.ClassDef):
                return self._instance(owner.classes[func.id])
            if func.id in owner.functions:
                return self._returned(owner.functions[func.id], depth)
            home = class_of_self(func.id, scope)
            return self._instance(home) if home is not None and _decorated(owner, "classmethod") else ""
        if not isinstance(func, ast.Attribute):
            return ""
        if _gives_tensor(func.attr):
            return TORCH
        method = self._method(func, scope)
        if method is not None:
            return self._returned(method, depth)
        return self._of(func.value, scope, depth + 1) if func.attr in _SAME else ""

    @staticmethod
    def _starred(name: str, tree: Tree) -> Iterator[str]:
        """What the star imports of a file may mean by a name that nothing else binds."""
        for stmt in tree.stmts.values() if tree.root.star_import else ():
            node = stmt.node
            if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
                base = "." * node.level + (node.module or "")
                yield base + name if base.endswith(".") else f"{base}.{name}"

    def _method(self, func: ast.Attribute, scope: Scope) -> Scope | None:
        """The method of a class of the file that ``self.f`` and ``Net.f`` denote."""
        if not isinstance(func.value, ast.Name):
            return None
        owner = scope.lookup(func.value.id)
        if owner is None or len(owner.bindings[func.value.id]) != 1:
            return None
        binding = owner.bindings[func.value.id][0]
        cls = owner.classes[func.value.id] if isinstance(binding, ast.ClassDef) else class_of_self(func.value.id, scope)
        return class_info(cls, self._classes).methods.get(func.attr) if cls is not None else None

    def _of_definition(self, name: str, scope: Scope, depth: int) -> str:
        """What a call of something imported gives: of a class or function of the repository, or of a method of such a class."""
        found = self._find(name, scope)
        if found is not None and found.scope is not None:
            return self._instance(found.scope) if found.kind == "class" else self._returned(found.scope, depth)
        head, _, method = name.rpartition(".")
        found = self._find(head, scope) if found is None and head else None
        if found is None or found.scope is None or found.kind != "class":
            return ""
        scope_of = class_info(found.scope, self._classes).methods.get(method)
        return self._returned(scope_of, depth) if scope_of is not None else ""

    def _find(self, name: str, scope: Scope) -> Definition | None:
        home = self.home if scope.tree is self.tree else scope.tree.home
        return home.find(name) if home is not None else None

    def _instance(self, cls: Scope) -> str:
        """What a call of a class gives."""
        info = class_info(cls, self._classes)
        if self._move in info.own_moves or "to" in info.own_moves:
            return OWN
        if not info.is_module and cls.tree is self.tree and self.tree.home is None and cls not in self._under:
            # the summary has not looked into other files
            self._under.add(cls)
            found = [self._find(base, cls) for base in info.bases]
            given = [
                self._instance(d.scope) for d in found if d is not None and d.kind == "class" and d.scope is not None
            ]
            return OWN if OWN in given else TORCH if TORCH in given else ""
        return TORCH if info.is_module else ""

    def _returned(self, function: Scope, depth: int, item: tuple[int, int] | None = None) -> str:
        """What a function returns, on every way; with `item` (number, of how many), the item of the tuple it returns."""
        node = function.node
        if (
            not isinstance(node, ast.FunctionDef)
            or (function, item) in self._under
            or "yield" in function.tree.text(function)
        ):
            return ""
        if decorated(function):
            return ""
        if not gives_something(function):
            return ""
        self._under.add((function, item))
        given: list[ast.expr | None] = [value for value in _returns(function) if value is not None]
        if item is not None:
            given = [_item(value, *item) for value in given]
        found = _all(self._of(v, function, depth + 1) if v is not None else "" for v in given)
        self._under.discard((function, item))
        return found

    # --- names and attributes -----------------------------------------------------------------

    def _name(self, name: str, scope: Scope, depth: int) -> str:
        owner = scope.lookup(name)
        if owner is None or (owner, name) in self._under:
            return ""
        if name in owner.imports:
            full = owner.tree.import_of(name, owner)
            found = self._find(full, owner) if full is not None else None
            return (
                self._of(found.value, found.tree.root, depth + 1)
                if found is not None and found.value is not None
                else ""
            )
        self._under.add((owner, name))
        found_of = _all(self._bound(node, name, owner, depth) for node in owner.bindings[name])
        self._under.discard((owner, name))
        return found_of

    def _bound(self, node: ast.AST, name: str, owner: Scope, depth: int) -> str | None:
        """What one binding binds a name to; None where it only keeps what is there (``x = x.cuda()``, ``x += y``)."""
        if isinstance(node, ast.AugAssign):
            return None
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            return self._of(node.value, owner, depth + 1)
        if isinstance(node, ast.For) and owner.tree is self.tree:
            return _all(self._contents(depth).ran_over(name, node.target, node.iter, owner))
        if not isinstance(node, ast.Assign):
            return ""
        for target in node.targets:
            if isinstance(target, ast.Name) and target.id == name:
                return None if _keeps(node.value, name) else self._of(node.value, owner, depth + 1)
            if isinstance(target, (ast.Tuple, ast.List)):
                for number, element in enumerate(target.elts):
                    if isinstance(element, ast.Name) and element.id == name:
                        return self._unpacked(node.value, name, owner, depth, (number, len(target.elts)))
        return ""

    def _unpacked(self, value: ast.expr, name: str, owner: Scope, depth: int, item: tuple[int, int]) -> str | None:
        """What unpacking `value` gives at one place."""
        part = _item(value, *item)
        if part is not None:
            return None if _keeps(part, name) else self._of(part, owner, depth + 1)
        if not isinstance(value, ast.Call):
            return ""
        called = value.func
        if isinstance(called, ast.Attribute) and (method := self._method(called, owner)) is not None:
            return self._returned(method, depth, item)
        if (
            isinstance(called, ast.Name)
            and (home := owner.lookup(called.id)) is not None
            and called.id in home.functions
        ):
            return self._returned(home.functions[called.id], depth, item) if len(home.bindings[called.id]) == 1 else ""
        full = owner.tree.qualname(called, owner)
        found = self._find(full, owner) if full is not None else None
        return (
            self._returned(found.scope, depth, item)
            if found is not None and found.kind == "function" and found.scope
            else ""
        )

    def _attribute(self, expr: ast.Attribute, scope: Scope, depth: int) -> str:
        """What ``self.x``, or ``f.x`` of a function of the file, is set to, wherever the file sets it."""
        text = dotted(expr)
        home = _home(text, scope) if text else None
        if home is None or (home, text) in self._under:
            return ""
        self._under.add((home, text))
        found = _all(
            (None if _keeps(s.value, s.text) else self._of(s.value, s.scope, depth + 1)) if s.value is not None else ""
            for s in self._set(text, home)
        )
        self._under.discard((home, text))
        return found

    def _set(self, text: str, home: Scope) -> list[Store]:
        """Where an attribute of a class's instances, or of a function, is set."""
        stores = stores_in(home.tree, self._stores)
        attr = text.partition(".")[2]
        if home.kind == "class":
            return stores_of(stores, attr, home)
        return [s for s in stores.of(attr) if s.cls is None and s.text == text and _home(text, s.scope) is home]


def _all(answers: Iterable[str | None]) -> str:
    """TORCH where all of them are; OWN where one is; None says nothing either way."""
    found = {answer for answer in answers if answer is not None}
    return OWN if OWN in found else TORCH if found == {TORCH} else ""


def gives_something(function: Scope) -> bool:
    """Whether a function returns a value on every way, never the None of a way that ends without."""
    given = _returns(function)
    nothing = any(v is None or (isinstance(v, ast.Constant) and v.value is None) for v in given)
    return not nothing and _always_returns(function.function.body)


def _returns(function: Scope) -> list[ast.expr | None]:
    """What the ``return`` statements of a function are given."""
    return [node.value for node in function.tree.returns.get(function, ())]


def _always_returns(suite: list[ast.stmt]) -> bool:
    """Whether a suite is left by a ``return`` or an exception on every way."""
    last = suite[-1]
    if isinstance(last, ast.If):
        return bool(last.orelse) and _always_returns(last.body) and _always_returns(last.orelse)
    if isinstance(last, ast.Try):
        handled = all(_always_returns(handler.body) for handler in last.handlers)
        return _always_returns(last.finalbody or last.orelse or last.body) and handled
    if isinstance(last, ast.With):
        around = [dotted(_bare(managed.context_expr)).rpartition(".")[2] for managed in last.items]
        return all(name in _LETS_THROUGH for name in around) and _always_returns(last.body)
    return isinstance(last, (ast.Return, ast.Raise))


def _item(value: ast.expr | None, number: int, count: int) -> ast.expr | None:
    """One item of a tuple or list that is written out; None where it is not, or has another length."""
    if not isinstance(value, (ast.Tuple, ast.List)) or len(value.elts) != count:
        return None
    return None if any(isinstance(e, ast.Starred) for e in value.elts) else value.elts[number]


def _keeps(value: ast.expr, text: str) -> bool:
    """``x.cuda()``, ``x.to(d).float()``: what `text` was, moved or cast."""
    return dotted(_bare_of(value)) == text


def _bare_of(value: ast.expr) -> ast.expr:
    """What is moved or cast in ``x.to(d).float()``."""
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _SAME:
        value = value.func.value
    return value


def _home(text: str, scope: Scope) -> Scope | None:
    """What holds the attribute `text`: the class of a method's instance, or the scope of a function of the file."""
    root, _, rest = text.partition(".")
    owner = scope.lookup(root)
    if owner is None or "." in rest or len(owner.bindings[root]) != 1:
        return None
    return class_of_self(root, scope) or (owner if root in owner.functions else None)


def _decorated(scope: Scope, name: str) -> bool:
    return any(dotted(d) == name for d in scope.function.decorator_list)


def _bare(decorator: ast.expr) -> ast.expr:
    """A decorator or context manager without its arguments."""
    return decorator.func if isinstance(decorator, ast.Call) else decorator
