"""The type of `x` in ``x.cuda()``: a tensor or module of torch, or an object of a class that defines the method."""

from __future__ import annotations

import ast
from functools import cached_property
from os.path import basename
from typing import TYPE_CHECKING, Literal, NamedTuple

from placefix import torch_model
from placefix.facts import premises, reasons
from placefix.facts import torch_api as api
from placefix.facts.interpret.class_summaries import ClassSummaries
from placefix.facts.interpret.flow import Flow
from placefix.facts.interpret.provenance import OWN, TORCH, Provenance, made_by
from placefix.facts.naming import names_class, names_cuda_argument
from placefix.facts.program.ast_names import dotted, every_parameter, keyword_value
from placefix.facts.program.class_hierarchy import Families
from placefix.facts.program.lookalike_classes import lookalikes
from placefix.facts.program.returns import gives_something
from placefix.rules.cuda.expression_usage import ExpressionUsage, is_sliced
from placefix.rules.cuda.name_usage import OF_MODULES, OF_TENSORS, Evidence

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.values import ClassInfo, Obj, ObjKind
    from placefix.facts.program.lookalike_classes import Lookalike
    from placefix.facts.program.tree import Stmt
    from placefix.facts.wording import Premise, Reason

_TORCH_KINDS: frozenset[ObjKind] = frozenset({"module", "wrapper", "tensor", "element", "part", "params"})
# Parameters of a `.cuda()` or `.to()` that are a destination.


class Receiver(NamedTuple):
    """verdict: torch (a tensor or module), assumed (taken to be one, under the premise), own (it has its own .cuda(): the fix is
    refused), none (no receiver: a torch.cuda function, super())."""

    verdict: Literal["torch", "assumed", "own", "none"]
    premise: Premise | None = None
    why_not: Reason | None = None


class Subject(NamedTuple):
    """A receiver to be judged.

    objects: the values that the interpreter has for it; guess: the evidence that counts.
    """

    call: ast.Call
    expr: ast.expr
    attr: str
    stmt: Stmt
    guess: Evidence
    objects: Sequence[Obj]


_SHOWN = Evidence(manners=False)
_RECEIVER = "the receiver"


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
            assert isinstance(call.func, ast.Attribute)
            return Receiver("assumed", premises.FILE_WITHOUT_TORCH(method=call.func.attr))
        doubt = self._doubt(call, stmt)
        return Receiver("assumed", doubt) if doubt else found

    @cached_property
    def _says_torch(self) -> bool:
        """Whether the file contains the word torch at all, and not only as a name that nothing binds: other libraries have modules with a
        ``.cuda()`` as well."""
        tree = self.tree
        if "torch" not in tree.source.text:
            return False
        if tree.assume or any(name.startswith("torch") for name in tree.imported):
            return True
        return "torch" not in tree.free_names.free

    def _judge(self, call: ast.Call, stmt: Stmt, guess: Evidence) -> Receiver:
        """The answer of the first test in `_TESTS` that has one."""
        assert isinstance(call.func, ast.Attribute)
        objects = self.context.get(Flow).values.get(call, [])
        subject = Subject(call, call.func.value, call.func.attr, stmt, guess, objects)
        found = (test(self, subject) for test in _TESTS)
        return next((receiver for receiver in found if receiver is not None), None) or self._assumed(subject)

    def _no_object(self, subject: Subject) -> Receiver | None:
        """``super().cuda()``, ``numba.cuda(…)``, ``Net.cuda(net)``: a method of a package or of a class."""
        expr, stmt = subject.expr, subject.stmt
        if isinstance(expr, ast.Call) and isinstance(expr.func, ast.Name) and expr.func.id == "super":
            return Receiver("none")
        if self.tree.qualname(expr, stmt.scope) is not None and not self._is_value(expr, subject.call, stmt):
            return Receiver("none")
        owner = stmt.scope.lookup(expr.id) if isinstance(expr, ast.Name) else None
        if (
            isinstance(expr, ast.Name)
            and owner is not None
            and (expr.id in owner.classes or expr.id in owner.functions)
        ):
            return Receiver("none")
        return None

    def _own_class(self, subject: Subject) -> Receiver | None:
        """An object of a class of the repository with a method of that name, or with its own `to`."""
        shown, attr = self.context.quoted(subject.expr, _RECEIVER), subject.attr
        infos = [cls for obj in subject.objects if (cls := self._class_of(obj)) is not None]
        if any(attr in cls.own_moves for cls in infos):
            if subject.call.args and all(self._takes_things(cls, attr) for cls in infos):
                return Receiver("none")
            return Receiver("own", why_not=reasons.OWN_METHOD(receiver=shown, method=attr))
        mover = next((cls for cls in infos if "to" in cls.own_moves), None)
        if mover is None:
            return None
        if gives_something(mover.methods["to"]):
            return Receiver("assumed", premises.TO_NOT_CALLED(receiver=shown, method=attr))
        return Receiver("own", why_not=reasons.TO_NOT_USED(receiver=shown, method=attr))

    def _package_without_to(self, subject: Subject) -> Receiver | None:
        """A file that imports a package whose objects have no `to`, and an expression that may be such an object."""
        if not self._without_to or self._by_form(subject.expr, subject.stmt, 0, subject.guess):
            return None
        row = reasons.OBJECT_WITHOUT_TO(receiver=self.context.quoted(subject.expr, _RECEIVER), cls=self._without_to)
        return Receiver("own", why_not=row)

    def _torch_by_value(self, subject: Subject) -> Receiver | None:
        """A value that the interpreter knows as torch's."""
        if not subject.objects or not all(self._torch(o) for o in subject.objects):
            return None
        assumed = [premise for o in subject.objects if o.is_module for premise in o.root().premises]
        if not assumed or self._torch_by_form(subject) or self._torch_by_use(subject):
            return Receiver("torch")
        return Receiver("assumed", assumed[0])

    def _torch_by_form(self, subject: Subject) -> Receiver | None:
        """``x[:, 0].cuda()``, ``(x + y).cuda()``, ``x.cuda(non_blocking=True)``"""
        options = keyword_value(subject.call, "non_blocking", "memory_format") is not None
        return Receiver("torch") if options or self._by_form(subject.expr, subject.stmt, 0, subject.guess) else None

    def _foreign_package(self, subject: Subject) -> Receiver | None:
        """A file that imports a package whose objects have a ``.cuda()`` of another meaning."""
        return Receiver("own", why_not=reasons.FOREIGN_OBJECTS(package=self.foreign)) if self.foreign else None

    def _class_of_file(self, subject: Subject) -> Receiver | None:
        """A file with a class, no module, that defines the method, and an expression that may be such an object."""
        own = self._classes_with(subject.attr)
        if not own or self.usage.is_seen(subject.expr, subject.stmt, subject.guess):
            return None
        row = reasons.MAY_BE_OWN_CLASS(
            receiver=self.context.quoted(subject.expr, _RECEIVER), cls=own, method=subject.attr
        )
        return Receiver("own", why_not=row)

    def _torch_by_use(self, subject: Subject) -> Receiver | None:
        """An operand, an argument of torch, or a name that the code around uses as a tensor or a module."""
        used = subject.call in self.usage.operands or self.usage.is_seen(subject.expr, subject.stmt, subject.guess)
        return Receiver("torch") if used else None

    def _origin(self, subject: Subject) -> Receiver | None:
        """A value that comes from torch for every caller, or from a class with the method."""
        given = self.context.get(Provenance).of(subject.expr, subject.stmt.scope, subject.attr)
        if given == TORCH:
            return Receiver("torch")
        if given == OWN:
            row = reasons.OWN_METHOD_OR_TO(receiver=self.context.quoted(subject.expr, _RECEIVER), method=subject.attr)
            return Receiver("own", why_not=row)
        return None

    def _assumed(self, subject: Subject) -> Receiver:
        """A receiver that nothing shows to be torch's."""
        shown = self.context.quoted(subject.expr, _RECEIVER)
        calls = [o for o in subject.objects if o.is_unknown and o.origin.__class__ is ast.Call]
        makers = {o.name.rpartition(".")[2] for o in calls}
        if len(makers) == 1 and names_class(maker := makers.pop()):
            return Receiver("assumed", premises.MAKER_IS_MODULE(maker=maker, receiver=shown))
        return Receiver("assumed", premises.RECEIVER_IS_TORCHS(receiver=shown))

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
        result = self.usage.interface_of_result(call, stmt) if used else None
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
        return row(receiver=self.context.quoted(expr, _RECEIVER), cls=found.name, file=where, method=attr)

    def _lookalikes(self, method: str) -> tuple[Lookalike, ...]:
        if method not in self._similar:
            self._similar[method] = lookalikes(self.families, self.tree, self.context.home, method)
        return self._similar[method]

    @cached_property
    def families(self) -> Families:
        """The classes of the file and of its repository."""
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
            if self.families.may_derive(found.scope.name, others):
                return False
        return bool(objects)

    def _made_unseen(self, objects: Sequence[Obj]) -> bool:
        """Whether it is the result of a call of another package, whose type is unknown."""
        for obj in objects:
            if obj.is_unknown and isinstance(obj.origin, ast.Call) and obj.name:
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
        if call in self.usage.of_torch or self._is_operation(expr, stmt):
            return True
        text = dotted(expr)
        home = self.usage.home(text, stmt.scope) if text else None
        return home is not None and home in self.usage.computing(text)

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
            asked |= self.usage.interface(text).get(self.usage.home(text, stmt.scope), set())
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
            classes = (method.parent for method in self.tree.methods.get(attr, ()) if method.parent is not None)
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
            return item or is_sliced(expr.slice) or self.usage.is_seen(expr.value, stmt, guess)
        if isinstance(expr, ast.Attribute):
            return expr.attr in ("data", "grad", "T") or (self.usage.is_seen(expr, stmt, guess))
        return isinstance(expr, ast.Call) and self._call_by_form(expr, stmt, depth, guess)

    def _call_by_form(self, expr: ast.Call, stmt: Stmt, depth: int, guess: Evidence) -> bool:
        """Whether a call can only yield a tensor or a module."""
        func = expr.func
        name = self.tree.qualname(func, stmt.scope)
        if name is not None:
            return made_by(name)
        if isinstance(func, ast.Attribute):
            if func.attr in OF_TENSORS or (func.attr in ("float", "half", "double") and not expr.args):
                return True
            if func.attr in ("to", "type", "cpu", "cuda"):
                return self._by_form(func.value, stmt, depth + 1, guess)
            keeps = func.attr in ("eval", "train", "requires_grad_")
            return keeps and (guess.manners or self._by_form(func.value, stmt, depth + 1, guess))
        owner = stmt.scope.lookup(func.id) if isinstance(func, ast.Name) else None
        local = owner.classes.get(func.id) if isinstance(func, ast.Name) and owner is not None else None
        return local is not None and self.context.get(ClassSummaries).of(local).is_module

    @cached_property
    def usage(self) -> ExpressionUsage:
        """How the file uses expressions."""
        return ExpressionUsage(self.context)

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
        home = self.usage.home(text, stmt.scope) if text else None
        asked = self.usage.attributes(text).get(home, set()) if home is not None else set()
        return any(attr in OF_TENSORS - OF_MODULES for attr in asked if attr not in but) and not any(
            attr in OF_MODULES - OF_TENSORS for attr in asked
        )


# The tests of a receiver, in order; the first that answers decides.
_TESTS: tuple[Callable[[Receivers, Subject], Receiver | None], ...] = (
    Receivers._no_object,
    Receivers._own_class,
    Receivers._package_without_to,
    Receivers._torch_by_value,
    Receivers._torch_by_form,
    Receivers._foreign_package,
    Receivers._class_of_file,
    Receivers._torch_by_use,
    Receivers._origin,
)
