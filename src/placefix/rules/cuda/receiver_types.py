"""The type of `x` in ``x.cuda()``: a tensor or module of torch, or an object of a class that defines the method."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cached_property
from os.path import basename
from typing import TYPE_CHECKING, NamedTuple

from placefix import torch_model
from placefix.facts import premises, reasons
from placefix.facts import torch_api as api
from placefix.facts.interpret.class_summaries import ClassSummaries
from placefix.facts.interpret.flow import Flow
from placefix.facts.interpret.provenance import OWN, TORCH, Provenance, made_by
from placefix.facts.naming import mentions_modules, names_class, names_cuda_argument
from placefix.facts.program.ast_names import dotted, every_parameter
from placefix.facts.program.class_hierarchy import Families
from placefix.facts.program.lookalike_classes import lookalikes
from placefix.facts.program.returns import gives_something
from placefix.rules.cuda.name_usage import OF_MODULES, OF_TENSORS, Evidence, NameUsage

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.values import ClassInfo, Obj, ObjKind
    from placefix.facts.program.lookalike_classes import Lookalike
    from placefix.facts.program.tree import Scope, Stmt
    from placefix.facts.wording import Premise, Reason

_TORCH_KINDS: frozenset[ObjKind] = frozenset({"module", "wrapper", "tensor", "element", "part", "params"})
# Parameters of a `.cuda()` or `.to()` that say where to.


class Receiver(NamedTuple):
    """verdict: torch (a tensor or module), assumed (taken to be one, under the premise), own (it has its own .cuda(): the fix is
    refused), none (no receiver: a torch.cuda function, super())."""

    verdict: str
    premise: Premise | None = None
    why_not: Reason | None = None


_SHOWN = Evidence(manners=False)


class Receivers:
    """Judges the receivers of one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self.tree = context.tree
        self._doubts: dict[ast.Call, Premise | None] = {}
        self._own: dict[str, str] = {}
        self._similar: dict[str, tuple[Lookalike, ...]] = {}

    def judge(self, call: ast.Call, stmt: Stmt, *, guess: bool = True) -> Receiver:
        """The type of the receiver of the method call `call` in `stmt`.

        guess: whether an item of something counts as a tensor because it has the method.
        """
        if self.foreign and not self._says_torch:
            return Receiver("none")
        found = self._judge(call, stmt, Evidence(items=guess))
        if found.verdict != "torch":
            return found
        if not self._says_torch:
            return Receiver(
                "assumed",
                premises.FILE_WITHOUT_TORCH,
            )
        doubt = self._doubt(call, stmt)
        return Receiver("assumed", doubt) if doubt else found

    @cached_property
    def _says_torch(self) -> bool:
        """Whether the file says the word torch at all: other libraries have modules with a ``.cuda()`` as well."""
        return "torch" in self.tree.source.text

    def _judge(self, call: ast.Call, stmt: Stmt, guess: Evidence) -> Receiver:
        assert isinstance(call.func, ast.Attribute)
        attr = call.func.attr
        expr = call.func.value
        shown = self._shown(expr)
        if isinstance(expr, ast.Call) and isinstance(expr.func, ast.Name) and expr.func.id == "super":
            return Receiver("none")
        if self.tree.qualname(expr, stmt.scope) is not None and not self._is_value(expr, call, stmt):
            return Receiver("none")  # a name of a package: torch.cuda(…), numba.cuda(…)
        if isinstance(expr, ast.Name):
            owner = stmt.scope.lookup(expr.id)
            if owner is not None and (expr.id in owner.classes or expr.id in owner.functions):
                return Receiver("none")  # an attribute of a class
        objects = self.context.get(Flow).values.get(call, [])
        infos = [cls for obj in objects if (cls := self._class_of(obj)) is not None]
        if any(attr in cls.own_moves for cls in infos):
            if call.args and all(self._takes_things(cls, attr) for cls in infos):
                return Receiver("none")
            return Receiver("own", why_not=reasons.OWN_METHOD(receiver=shown, method=attr))
        for cls in infos:
            if "to" in cls.own_moves:
                if gives_something(cls.methods["to"]):
                    return Receiver("assumed", premises.TO_NOT_CALLED(receiver=shown, method=attr))
                return Receiver("own", why_not=reasons.TO_NOT_USED(receiver=shown, method=attr))
        if self._without_to and not self._by_form(expr, stmt, 0, guess):
            return Receiver("own", why_not=reasons.OBJECT_WITHOUT_TO(receiver=shown, cls=self._without_to))
        if objects and all(self._torch(o) for o in objects):
            return Receiver("torch")
        if self._by_form(expr, stmt, 0, guess) or any(
            k.arg in ("non_blocking", "memory_format") for k in call.keywords
        ):
            return Receiver("torch")
        if self.foreign:
            return Receiver("own", why_not=reasons.FOREIGN_OBJECTS(package=self.foreign))
        own = self._classes_with(attr)
        if own and not self._seen(expr, stmt, guess):
            return Receiver("own", why_not=reasons.MAY_BE_OWN_CLASS(receiver=shown, cls=own, method=attr))
        if call in self._usage.handed or self._seen(expr, stmt, guess):
            return Receiver("torch")
        given = self.context.get(Provenance).of(expr, stmt.scope, attr)
        if given == TORCH:
            return Receiver("torch")
        if given == OWN:
            return Receiver("own", why_not=reasons.OWN_METHOD_OR_TO(receiver=shown, method=attr))
        return self._assumed(objects, shown)

    @staticmethod
    def _assumed(objects: Sequence[Obj], shown: str) -> Receiver:
        """A receiver that nothing proves to be torch's: `objects` are its possible values."""
        makers = {o.name.rpartition(".")[2] for o in objects if o.kind == "unknown" and o.origin.__class__ is ast.Call}
        if len(makers) == 1 and names_class(maker := makers.pop()):
            return Receiver("assumed", premises.MAKER_IS_MODULE(maker=maker, receiver=shown))
        return Receiver("assumed", premises.RECEIVER_IS_TORCHS(receiver=shown))

    def _shown(self, expr: ast.expr) -> str:
        """How a premise names an expression."""
        text = self.context.text(expr)
        return f"`{text}`" if len(text) <= 40 and "\n" not in text else "the receiver"

    # --- classes that define a method of that name -------------------------------------------------

    def _doubt(self, call: ast.Call, stmt: Stmt) -> Premise | None:
        """The premise if the receiver may be no object of torch's; None if it is proven to be one."""
        if call not in self._doubts:
            self._doubts[call] = self._find_doubt(call, stmt)
        return self._doubts[call]

    def _find_doubt(self, call: ast.Call, stmt: Stmt) -> Premise | None:
        assert isinstance(call.func, ast.Attribute)
        expr, attr = call.func.value, call.func.attr
        objects = self.context.get(Flow).values.get(call, [])
        if self.context.home is None or self._made_unseen(objects):
            weak = self._judge(call, stmt, _SHOWN)
            if weak.verdict == "assumed":
                return weak.premise
        others = self._lookalikes(attr)
        if not others or self._proven(call, stmt, objects):
            return None
        asked = self._asked_of(call, stmt)
        used = not (isinstance(stmt.node, ast.Expr) and stmt.node.value is call)
        result = self._usage.asked_of_result(call, stmt) if used else None
        others = tuple(one for one in others if one.may_be(asked, result))
        if others and self._of_other_classes(objects, [one.name for one in others]):
            return None
        found = next(iter(others), None)
        if found is None:
            return None
        where = (
            f" ({basename(found.file)})"
            if found.file and (self.context.home is None or found.file != self.context.home.path)
            else ""
        )
        row = premises.NAMESAKE_WITHOUT_TO if attr == "cuda" else premises.NAMESAKE_WITHOUT_DEVICE
        return row(receiver=self._shown(expr), cls=found.name, file=where, method=attr)

    def _lookalikes(self, method: str) -> tuple[Lookalike, ...]:
        if method not in self._similar:
            self._similar[method] = lookalikes(self._families, self.tree, self.context.home, method)
        return self._similar[method]

    @cached_property
    def _families(self) -> Families:
        return Families(self.tree, self.context.home)

    def _of_other_classes(self, objects: Sequence[Obj], others: Collection[str]) -> bool:
        """Whether all that it may be is made by classes of the repository that are none of the `others`, and derive from none."""
        for obj in objects:
            found = (
                self.context.home.find(obj.name)
                if self.context.home is not None and isinstance(obj.origin, ast.Call)
                else None
            )
            if found is None or found.kind != "class" or found.scope is None:
                return False
            if self._families.may_derive(found.scope.name, others):
                return False
        return bool(objects)

    def _made_unseen(self, objects: Sequence[Obj]) -> bool:
        """Whether it is the result of a call of another package, whose type is unknown."""
        for obj in objects:
            if obj.kind == "unknown" and isinstance(obj.origin, ast.Call) and obj.name:
                if self.context.home is None or not self.context.home.has(obj.name):
                    return True
        return False

    def _proven(self, call: ast.Call, stmt: Stmt, objects: Sequence[Obj]) -> bool:
        """Whether the receiver can only be a tensor or module of torch, for every caller of the function around."""
        assert isinstance(call.func, ast.Attribute)
        expr = call.func.value
        if self.context.get(Provenance).of(expr, stmt.scope, call.func.attr) == TORCH:
            return True
        if not self._is_handed_in(expr, stmt) and objects and all(o.proven and self._made(o) for o in objects):
            return True
        if call in self._usage.of_torch or self._is_operation(expr, stmt):
            return True
        text = dotted(expr)
        home = self._home(text, stmt) if text else None
        return home is not None and home in self._usage.computing(text)

    def _made(self, obj: Obj) -> bool:
        """Whether its construction shows its type: an object that is only used like a module has no class, and no package that makes it."""
        if obj.kind == "module" and obj.root().cls is None:
            if not made_by(obj.root().name):
                return False  # a context manager, a copy, a registry: they return their argument
        return obj.kind in ("module", "wrapper", "tensor") and self._torch(obj)

    @staticmethod
    def _is_handed_in(expr: ast.expr, stmt: Stmt) -> bool:
        """Whether the receiver's type may depend on the callers of the function: not every caller is known."""
        root: ast.expr = expr
        while isinstance(root, (ast.Attribute, ast.Subscript, ast.Call)):
            root = root.func if isinstance(root, ast.Call) else root.value
        name = root.id if isinstance(root, ast.Name) else ""
        owner = stmt.scope.lookup(name) if name else None
        handed = every_parameter(owner.function.args) if owner is not None and owner.is_function else ()
        return any(a.arg == name for a in handed)

    def _is_operation(self, expr: ast.expr, stmt: Stmt) -> bool:
        """Whether an expression is an operation of torch by its form."""
        if isinstance(expr, (ast.BinOp, ast.Compare, ast.UnaryOp)):
            return True
        if isinstance(expr, ast.Subscript):
            return isinstance(expr.slice, ast.Tuple)
        if not isinstance(expr, ast.Call):
            return isinstance(expr, ast.Attribute) and expr.attr in ("data", "grad")
        name = self.tree.qualname(expr.func, stmt.scope)
        if name is not None:
            return made_by(name)
        return isinstance(expr.func, ast.Attribute) and expr.func.attr in OF_TENSORS

    def _asked_of(self, call: ast.Call, stmt: Stmt) -> set[str]:
        """The attributes that the code uses of the moved value, under its names before and after the move."""
        assert isinstance(call.func, ast.Attribute)
        texts = {dotted(call.func.value)}
        node = stmt.node
        if isinstance(node, ast.Assign) and node.value is call:
            texts |= {dotted(target) for target in node.targets}
        asked = {call.func.attr}
        for text in texts - {""}:
            asked |= self._usage.asked(text).get(self._home(text, stmt), set())
        return asked

    @cached_property
    def foreign(self) -> str:
        """A package in use whose objects have a ``.cuda()`` that is no torch placement."""
        for name in sorted(self.tree.imported):
            if name.partition(".")[0] in api.FOREIGN_CUDA:
                return name.partition(".")[0]
        return ""

    @cached_property
    def _without_to(self) -> str:
        """A package in use whose objects can be moved by ``.cuda()`` alone."""
        return next(
            (head for name in sorted(self.tree.imported) if (head := name.partition(".")[0]) in api.WITHOUT_TO), ""
        )

    def _classes_with(self, attr: str) -> str:
        """A class of the file, no module, that defines the method itself."""
        if attr not in self._own:
            classes = (s for s in self.tree.scopes.values() if s.is_class and attr in s.functions)
            self._own[attr] = next(
                (s.name for s in classes if not self.context.get(ClassSummaries).of(s).is_module), ""
            )
        return self._own[attr]

    @staticmethod
    def _takes_things(info: ClassInfo, attr: str) -> bool:
        """Whether `.cuda(x)` of a class takes an object to move, as a function of that name would, and no device."""
        method = info.methods.get(attr)
        if method is None:
            return True
        names = [a.arg for a in method.function.args.args[1:]]
        return bool(names) and not names_cuda_argument(names[0])

    @staticmethod
    def _class_of(obj: Obj) -> ClassInfo | None:
        return obj.root().cls if obj.is_module else obj.cls

    def _torch(self, obj: Obj) -> bool:
        if obj.kind in ("list", "dict", "tuple", "const", "device", "function", "class", "import", "instance"):
            return False
        if obj.kind in _TORCH_KINDS:
            if obj.kind == "tensor" and obj.name.startswith("moved"):
                return all(self._torch(m) for m in obj.members) if obj.members else True
            return True
        return bool(obj.alts) and all(self._torch(a) for a in obj.alts)

    def _is_value(self, expr: ast.expr, call: ast.Call, stmt: Stmt) -> bool:
        """An imported name that denotes an object, not a package: ``from net import model``."""
        name = self.tree.qualname(expr, stmt.scope) or ""
        plain = not call.args and all(k.arg in ("device", "non_blocking", "memory_format") for k in call.keywords)
        return (
            plain
            and isinstance(expr, ast.Name)
            and name.partition(".")[0] not in (api.FOREIGN_CUDA | {"torch"})
            and name.count(".") > 0
        )

    def _by_form(self, expr: ast.expr, stmt: Stmt, depth: int, guess: Evidence) -> bool:
        """Whether the expression itself can only yield a tensor or a module."""
        if depth > 6:
            return False
        if isinstance(expr, (ast.BinOp, ast.Compare, ast.UnaryOp)):
            return True
        if isinstance(expr, ast.IfExp):
            return all(self._by_form(e, stmt, depth + 1, guess) for e in (expr.body, expr.orelse))
        if isinstance(expr, ast.Subscript):
            # one of a batch, of a list of modules, of a checkpoint
            item = guess.items and isinstance(expr.slice, ast.Constant)
            return item or self._sliced(expr.slice) or self._seen(expr.value, stmt, guess)
        if isinstance(expr, ast.Attribute):
            return expr.attr in ("data", "grad", "T") or (self._seen(expr, stmt, guess))
        if isinstance(expr, ast.Call):
            name = self.tree.qualname(expr.func, stmt.scope)
            if name is not None:
                return made_by(name)
            if isinstance(expr.func, ast.Attribute):
                if expr.func.attr in OF_TENSORS or (expr.func.attr in ("float", "half", "double") and not expr.args):
                    return True
                if expr.func.attr in ("to", "type", "cpu", "cuda"):
                    return self._by_form(expr.func.value, stmt, depth + 1, guess)
                if expr.func.attr in ("eval", "train", "requires_grad_"):
                    return guess.manners or self._by_form(expr.func.value, stmt, depth + 1, guess)
            if isinstance(expr.func, ast.Name):
                owner = stmt.scope.lookup(expr.func.id)
                local = owner.classes.get(expr.func.id) if owner is not None else None
                return local is not None and self.context.get(ClassSummaries).of(local).is_module
        return False

    @staticmethod
    def _sliced(key: ast.expr) -> bool:
        parts = key.elts if isinstance(key, ast.Tuple) else [key]
        return any(isinstance(p, ast.Slice) for p in parts) or (isinstance(key, ast.Tuple) and len(parts) > 1)

    # --- how the file uses a name ----------------------------------------------------------

    @cached_property
    def _usage(self) -> NameUsage:
        return NameUsage(self.context)

    def _seen(self, expr: ast.expr, stmt: Stmt, guess: Evidence) -> bool:
        """Whether the code around uses the expression as a tensor or a module; or, as a guess, as an item."""
        text = dotted(expr)
        if not text:
            return isinstance(expr, ast.Subscript) and self._sliced(expr.slice)
        if self._usage.is_of_lambda(expr, stmt):  # no other code uses it
            return stmt in self._usage.shown(text, guess) or (guess.items and self._usage.is_comprehended(expr, stmt))
        home = self._home(text, stmt)
        if home in self._usage.shown(text, guess):
            return True
        return guess.items and (self._unpacked(text, home) or self._usage.is_comprehended(expr, stmt))

    def _home(self, text: str, stmt: Stmt) -> Scope:
        """Where uses of `text` count: its function, or for ``self.x`` the class."""
        scope = stmt.scope
        root = text.partition(".")[0]
        owner = scope.lookup(root)
        if (
            "." in text
            and owner is not None
            and owner.is_function
            and owner.parent is not None
            and owner.parent.is_class
        ):
            arguments = owner.function.args.args
            if arguments and arguments[0].arg == root:
                return owner.parent
        return owner or self.tree.root

    def _unpacked(self, text: str, home: Scope) -> bool:
        """Whether the name is one part of something: unpacked beside others, an item of a batch, of a list of modules."""
        for binder in self.context.index.binding(home, text):
            node = binder.node
            if isinstance(node, (ast.For, ast.AsyncFor)):
                target = node.target
                if (
                    isinstance(node.iter, ast.Call)
                    and dotted(node.iter.func) == "enumerate"
                    and isinstance(target, ast.Tuple)
                    and len(target.elts) == 2
                ):
                    target = target.elts[1]
                if isinstance(target, (ast.Tuple, ast.List)) and len(target.elts) > 1:
                    return True
                if isinstance(node.iter, (ast.Name, ast.Attribute, ast.List, ast.Tuple)) and mentions_modules(
                    dotted(node.iter)
                ):
                    return True
            elif isinstance(node, ast.Assign):
                if any(isinstance(t, (ast.Tuple, ast.List)) and len(t.elts) > 1 for t in node.targets):
                    return True
                if isinstance(node.value, ast.Subscript) and isinstance(node.value.slice, ast.Constant):
                    return True
        return False

    def meets(self, expr: ast.expr) -> bool:
        """Whether an expression is an operand, or an argument of a function of torch, a module or a loss."""
        return expr in self._usage.handed

    def in_operation(self, expr: ast.expr, stmt: Stmt) -> bool:
        """Whether the code around computes with the value of a chain of names: as an operand, by a function of torch."""
        text = dotted(expr)
        home = self._home(text, stmt) if text else None
        return home is not None and any(scope.within(home) for scope in self._computed.get(text, ()))

    @cached_property
    def _computed(self) -> dict[str, list[Scope]]:
        """Dotted text -> scopes that compute with it."""
        found: dict[str, list[Scope]] = defaultdict(list)
        for node, stmt in self.context.index.operands:
            found[_chained(node)].append(stmt.scope)
        for call, stmt, name in self.context.index.named:
            if torch_model.is_function(name):
                for arg in call.args:
                    for part in arg.elts if isinstance(arg, (ast.List, ast.Tuple)) else [arg]:
                        found[_chained(part)].append(stmt.scope)
        return found

    def is_tensor(self, expr: ast.expr, stmt: Stmt, but: Collection[str] = ()) -> bool:
        """Whether an expression can only be a tensor: by its form, or by attributes that the code around uses and no module has.

        but: attributes that do not count here.
        """
        if isinstance(expr, (ast.BinOp, ast.Compare, ast.UnaryOp, ast.Subscript)):
            return self._by_form(expr, stmt, 0, Evidence(items=False))
        if isinstance(expr, ast.Call):
            name = self.tree.qualname(expr.func, stmt.scope)
            if name is not None:
                return torch_model.gives_tensor(name) or name == api.VARIABLE
            return (
                isinstance(expr.func, ast.Attribute)
                and expr.func.attr in OF_TENSORS - OF_MODULES
                and torch_model.stays(expr.func.attr)
            )
        if isinstance(expr, ast.Attribute) and expr.attr in ("data", "grad", "T"):
            return True
        text = dotted(expr)
        home = self._home(text, stmt) if text else None
        asked = self._usage.attributes(text).get(home, set()) if home is not None else set()
        return any(attr in OF_TENSORS - OF_MODULES for attr in asked if attr not in but) and not any(
            attr in OF_MODULES - OF_TENSORS for attr in asked
        )


def _chained(expr: ast.expr) -> str:
    """What tensor methods are called on in turn (``x.float().view(-1)``), as a dotted text."""
    while (
        isinstance(expr, ast.Call)
        and isinstance(expr.func, ast.Attribute)
        and expr.func.attr in OF_TENSORS | {"float", "half", "double"}
    ):
        expr = expr.func.value
    return dotted(expr)
