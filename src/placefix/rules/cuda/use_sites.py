"""The uses of CUDA in a file: ``.cuda()`` calls and "cuda" as a device argument, with their guards."""

from __future__ import annotations

import ast
import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

from placefix.facts import torch_api as api
from placefix.facts.accelerators import CUDA
from placefix.facts.context import FileAnalysis, requires
from placefix.facts.devices.cuda_uses import Guard, Site, SiteForm
from placefix.facts.devices.device_selection import Devices
from placefix.facts.naming import last, mentions_several_processes, names_plain_device
from placefix.facts.program.ast_names import argument_value, called_name, dotted, is_literal, literal_int, literal_text
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.attributes_of_self import attribute_of_self
from placefix.facts.program.device_values import device_of_word
from placefix.rules.cuda.default_words import DefaultWords
from placefix.rules.cuda.receiver_types import Receivers
from placefix.torch_model import is_factory

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.conditions import Test
    from placefix.facts.program.expression_index import AttributeWrite
    from placefix.facts.program.tree import Scope, Stmt
    from placefix.rules.cuda.default_words import DefaultWord

# Functions that place with one argument or none.
_PLACES_ALONE = ("to", "Generator", "set_default_device")
# Like functions of the accelerator: they take its devices only, or place values that are no arguments of them.
_TAKES_NO_OTHER = ("torch.accelerator.", "torch.device.", "torch.set_default_device.")
# Functions that get a device but place nothing on it.
_TELLS = frozenset(
    (
        "print",
        "str",
        "repr",
        "isinstance",
        "len",
        "type",
        "format",
        "append",
        "add",
        "index",
        "info",
        "debug",
        "warning",
    )
)
# A type of CUDA tensors in the text, or the package of them under another name.
_TENSOR_TYPE = re.compile(r"cuda(?:(?:[\s\\]|#[^\r\n]*)*\.(?:[\s\\]|#[^\r\n]*)*\w*Tensor\b|\s+(?:as|import)\b)")
# Questions whether there are several GPUs.
_SEVERAL = ((ast.Gt, 1), (ast.GtE, 2))


class Cuda(FileAnalysis):
    """The hard-coded uses of CUDA in one file, in source order."""

    devices = requires(Devices)

    def __init__(self, context: AnalysisContext) -> None:
        super().__init__(context)
        self.receivers = Receivers(context)
        self._questions: dict[Stmt, tuple[Test | None, bool]] = {}

    def _of_written(self, text: str, write: AttributeWrite, *, alone: bool) -> Iterable[Site]:
        """The uses in the value of an assignment. alone: the file has no other one to the same name."""
        if isinstance(write.value, (ast.Call, ast.Constant)):
            site = self._of_write(text, write.value, write.stmt)
            return () if site is None else (site,)
        if isinstance(write.value, ast.Dict) and alone:
            return self._of_settings(text, write.value, write.stmt)
        return ()

    @cached_property
    def sites(self) -> list[Site]:
        """Every use, guarded or not. Calls of other packages and `super()` are none."""
        found: list[Site] = []
        types, makes = self.types, self._makes_devices
        method, name = self.accelerator.method, self.accelerator.name
        calls = [*self.index.called(*((method,) if method else ()), *_PLACES_ALONE), *self.index.calls_with_device]
        for place in self.index.calls:
            args = place[0].args
            if (
                (len(args) > 1 and _may_tell(args, name))
                or (types and self._may_be_type(place[0].func, called_name(place[0])))
                or (makes and (called_name(place[0]) == "device" or any(arg.__class__ is ast.Call for arg in args)))
            ):
                calls.append(place)
        for call, stmt in dict.fromkeys(calls):
            found += self._of_call(call, stmt)
        for text, writes in self.index.writes.items():
            for write in writes:
                found += self._of_written(text, write, alone=len(writes) == 1)
        for word in self._default_words():
            index = self._literal(word.node, word.stmt)
            found.append(self.site("default", word.node, word.stmt, word.node, index))
        found.sort(key=lambda s: (s.node.lineno, s.node.col_offset, s.node.end_lineno or 0, s.node.end_col_offset or 0))
        return found

    def sites_of(self, scope: Scope) -> Sequence[Site]:
        """The uses in one scope, without those of scopes inside it."""
        return self._by_scope.get(scope, ())

    @cached_property
    def _by_scope(self) -> dict[Scope, list[Site]]:
        found: dict[Scope, list[Site]] = {}
        for site in self.sites:
            found.setdefault(site.stmt.scope, []).append(site)
        return found

    def _default_words(self) -> tuple[DefaultWord, ...]:
        """The defaults that become devices."""
        name = self.accelerator.name
        if not any(f"{quote}{name}" in self.tree.source.text for quote in "'\""):
            return ()
        return self.context.get(DefaultWords).found

    def _of_call(self, call: ast.Call, stmt: Stmt) -> list[Site]:
        """The uses in a call: of the first form that it has, else in its arguments."""
        for form in (self._tensor_type, self._accelerator_method, self._to, self._default_device):
            found = form(call, stmt)
            if found is not None:
                return found
        return self._arguments(call, stmt)

    def _tensor_type(self, call: ast.Call, stmt: Stmt) -> list[Site] | None:
        """``torch.cuda.FloatTensor(3)``, ``x.type(torch.cuda.FloatTensor)``"""
        if not self.types:
            return None
        casts = isinstance(call.func, ast.Attribute) and call.func.attr == "type" and len(call.args) == 1
        written = call.args[0] if casts else call.func
        if not self.tensor_type(written, stmt.scope):
            return None
        form: SiteForm = "cast" if casts else "tensor"
        return [self.site(form, call, stmt, written)]

    def _accelerator_method(self, call: ast.Call, stmt: Stmt) -> list[Site] | None:
        """``x.cuda()``, ``x.cuda(1)``"""
        if not isinstance(call.func, ast.Attribute) or call.func.attr != self.accelerator.method:
            return None
        if self.receivers.judge(call, stmt).verdict == "none":
            return []
        index, extra = cuda_argument(call)
        return [self.site("cuda", call, stmt, None, index, extra)]

    def _to(self, call: ast.Call, stmt: Stmt) -> list[Site] | None:
        """``x.to("cuda")``, ``x.to(device="cuda:1")``"""
        if not isinstance(call.func, ast.Attribute) or call.func.attr != "to":
            return None
        literal = argument_value(call, 0, "device")
        index = self._literal(literal, stmt)
        if index == -1:
            index = self._number(literal, call, stmt)
        if literal is None or index == -1:
            return []
        return [self.site("to", call, stmt, literal, index)]

    def _number(self, expr: ast.expr | None, call: ast.Call, stmt: Stmt) -> int:
        """The number of ``x.to(0)``, which is that of a GPU if `x` is torch's; -1 for anything else."""
        number = literal_int(expr) if self.accelerator is CUDA else None
        shown = number is not None and self.receivers.judge(call, stmt, guess=False).verdict == "torch"
        return number if number is not None and shown else -1

    def _default_device(self, call: ast.Call, stmt: Stmt) -> list[Site] | None:
        """``torch.set_default_device("cuda")``: the definition of a device, without a name."""
        if called_name(call) != "set_default_device" or len(call.args) != 1:
            return None
        if self.tree.qualname(call.func, stmt.scope) != "torch.set_default_device":
            return None
        index = self._literal(call.args[0], stmt)
        if index == -1:
            return []
        value = call.args[0]
        return [self.site("definition", value, stmt, _chosen(value), index)]

    def _arguments(self, call: ast.Call, stmt: Stmt) -> list[Site]:
        """``torch.zeros(3, device="cuda")``, ``torch.load(path, "cuda")``, ``return torch.device("cuda")``"""
        found = self._returned(call, stmt) if isinstance(stmt.node, ast.Return) and stmt.node.value is call else []
        found += self._entered(call, stmt)
        found += self._handed(call, stmt)
        if not call.keywords and len(call.args) < 2 and called_name(call) != "Generator":
            return found
        given = [
            *((argument, "torch.Generator") for argument in call.args[:1]),
            *((k.value, "") for k in call.keywords if k.arg in ("device", "map_location")),
            *((argument, "torch.load") for argument in call.args[1:2]),
        ]
        for argument, only in given:
            index = self._literal(argument, stmt)
            if index != -1 and (not only or self.tree.qualname(call.func, stmt.scope) == only):
                found.append(self.site("argument", call, stmt, argument, index))
        return found

    def _may_be_type(self, func: ast.expr, last: str) -> bool:
        """Whether the called expression may be a type of tensors, or a cast to one."""
        return (
            last in api.TENSOR_TYPES
            or last == "type"
            or (isinstance(func, ast.Name) and func.id in self.tree.import_names)
        )

    def _returned(self, call: ast.Call, stmt: Stmt) -> list[Site]:
        """``return torch.device("cuda")``, where no other ``return`` gives another device."""
        index = self._literal(call, stmt)
        scope = stmt.scope
        if index == -1 or scope.function_named(self.accelerator.names) is not None:
            return []
        if scope.parent is not None and self.accelerator.names(scope.parent.name):
            return []  # the backend of an accelerator names its device
        if any(s.scope is scope and s is not stmt and isinstance(s.node, ast.Return) for s in self.tree.stmts.values()):
            return []
        return [self.site("definition", call, stmt, _chosen(call), index)]

    def _entered(self, call: ast.Call, stmt: Stmt) -> list[Site]:
        """``with torch.device("cuda"):``"""
        if not isinstance(stmt.node, ast.With) or all(item.context_expr is not call for item in stmt.node.items):
            return []
        index = self._literal(call, stmt)
        if index == -1:
            return []
        return [self.site("definition", call, stmt, _chosen(call), index)]

    def _handed(self, call: ast.Call, stmt: Stmt) -> list[Site]:
        """``f(x, torch.device("cuda"))``: a device that is passed to a function."""
        found: list[Site] = []
        for arg in call.args:
            index = self._literal(arg, stmt) if arg.__class__ is ast.Call else -1
            name = self.tree.qualname(call.func, stmt.scope) if index != -1 else ""
            only = (f"{self.accelerator.functions}.", *_TAKES_NO_OTHER)
            known = f"{name}.".startswith(only) or name in ("torch.Generator", "torch.load")
            called = called_name(call)
            if index != -1 and not known and called not in _TELLS and not called.startswith("assert"):
                found.append(self.site("argument", call, stmt, arg, index))
        return found

    def defaults(self) -> Iterator[tuple[ast.expr, Stmt]]:
        """``device=torch.device("cuda")`` in the head of a function: the default of a parameter."""
        for call, stmt in self.index.calls:
            if isinstance(stmt.node, (ast.FunctionDef, ast.AsyncFunctionDef)) and self._literal(call, stmt) != -1:
                if any(call is d for d in (*stmt.node.args.defaults, *stmt.node.args.kw_defaults)):
                    yield call, stmt

    @cached_property
    def _makes_devices(self) -> bool:
        """Whether the file may make a device out of a word."""
        return any(
            (literal_text(argument) or "").startswith(self.accelerator.name)
            for call, _ in self.index.called("device")
            for argument in call.args[:1]
        )

    @cached_property
    def types(self) -> bool:
        """Whether the file may name a type of CUDA tensors: as ``cuda.FloatTensor``, or by a name that an import gives it."""
        return self.accelerator is CUDA and _TENSOR_TYPE.search(self.tree.source.text) is not None

    def tensor_type(self, expr: ast.expr, scope: Scope, package: str = "torch.cuda") -> str:
        """The last part of the name of one of a package's tensor types (or of its name as a string), else an empty string."""
        if isinstance(expr, ast.Constant):
            name = expr.value if isinstance(expr.value, str) else ""
        else:
            name = self.tree.qualname(expr, scope) or ""
        head, _, last = name.rpartition(".")
        return last if head == package and last in api.TENSOR_TYPES else ""

    def _literal(self, expr: ast.expr | None, stmt: Stmt) -> int | None:
        """The index of a "cuda" literal, ``torch.device("cuda")`` or ``torch.device("cuda", 1)``; None without one; -1 for anything else."""
        number: int | None = None
        if (
            isinstance(expr, ast.Call)
            and self.tree.qualname(expr.func, stmt.scope) == "torch.device"
            and (len(expr.args) == 1 or (len(expr.args) == 2 and literal_int(expr.args[1]) is not None))
            and not expr.keywords
        ):
            number = literal_int(expr.args[1]) if len(expr.args) == 2 else None
            expr = expr.args[0]
        name = self.accelerator.name
        device = device_of_word(expr.value, accelerator=name) if isinstance(expr, ast.Constant) else None
        if device is None or not device.is_cuda:
            return -1
        return device.index if number is None else number

    def _of_write(self, text: str, value: ast.expr, stmt: Stmt) -> Site | None:
        """``device = torch.device("cuda")`` and ``device = "cuda"``: one unconditional definition."""
        index = self._literal(value, stmt)
        if index == -1:
            return None
        if isinstance(value, ast.Constant):
            literal: ast.expr = value
            if not self._device_name(text, stmt):
                return None
        else:
            literal = _chosen(value)
        return self.site("definition", value, stmt, literal, index)

    def _device_name(self, text: str, stmt: Stmt) -> bool:
        """Whether a name that holds a string is used as a device."""
        if not stmt.scope.is_class:
            return self.devices.is_device_argument(text)
        # A field of a dataclass or of typed settings is a default, which the user can choose.
        if not isinstance(stmt.node, ast.Assign) or len(self.index.values(stmt.scope, text)) > 1:
            return False
        read = [f"{owner}.{text}" for owner in (stmt.scope.name, "self", "cls")]
        return any(map(self.devices.is_device_argument, read)) and not any(map(self.index.written, read))

    def _of_settings(self, text: str, settings: ast.expr | None, stmt: Stmt) -> Iterator[Site]:
        """``settings = {"device": "cuda"}``: an entry that the file uses as a device, and does not set again."""
        assert isinstance(settings, ast.Dict)
        for key, value in zip(settings.keys, settings.values, strict=True):
            index = self._literal(value, stmt)
            if index == -1 or not isinstance(key, ast.Constant):
                continue
            entry = f"{text}.[{key.value!r}]"
            used = self.devices.is_device_argument(entry) or (key.value == "device" and self._is_unpacked(text))
            if used and not self.index.written(entry):
                yield self.site("definition", value, stmt, _chosen(value), index)

    def _is_unpacked(self, text: str) -> bool:
        """Whether a dict gives a factory of torch its arguments: ``torch.zeros(3, **settings)``."""
        return any(
            keyword.arg is None
            and dotted(keyword.value) == text
            and is_factory(self.tree.qualname(call.func, stmt.scope))
            for call, stmt in self.index.calls
            for keyword in call.keywords
        )

    # --- guards -------------------------------------------------------------------------------

    def site(
        self,
        form: SiteForm,
        node: ast.expr,
        stmt: Stmt,
        literal: ast.expr | None = None,
        index: int | None = None,
        extra: ast.expr | None = None,
    ) -> Site:
        """A use of CUDA with the test around it."""
        return Site(form, node, stmt, literal, index, extra, self.guard(node, stmt))

    def guard(self, node: ast.expr, stmt: Stmt) -> Guard | None:
        """The innermost CUDA question around a site, in its own function."""
        inner = self._conditional(node, stmt)
        if inner is not None:
            return inner
        child = stmt
        for owner in stmt.ancestors():
            if owner is stmt:
                continue
            if isinstance(owner.node, ast.If):
                read, asks = self._question(owner)
                if asks:
                    arm = "body" if child.suite is owner.suites[0] else "orelse"
                    if arm == "body" and read is None and finds_none_given(owner.node.test):
                        child = owner  # the code below has the choice
                        continue
                    if arm == "body" or read is not None or not _asks_for_more(owner.node.test):
                        return Guard(owner.node, owner, arm, read)
            child = owner
        return None

    def _question(self, owner: Stmt) -> tuple[Test | None, bool]:
        """The test for CUDA of an `if`, and whether the `if` is about CUDA or devices at all."""
        found = self._questions.get(owner)
        if found is None:
            assert isinstance(owner.node, ast.If)
            read = self.devices.tests.read(owner.node.test, owner.scope)
            found = read, read is not None or self._asks(owner.node.test, owner.scope)
            self._questions[owner] = found
        return found

    def _asks(self, test: ast.expr, scope: Scope) -> bool:
        """Whether a test that depends on more than CUDA is about devices, by itself or by the tests whose answers it reads."""
        questions = ((test, scope), *self._named_questions(test, scope))
        if any("device_count" in self.tree.source.code(question) for question, _ in questions):
            return False
        return any(self.devices.tests.mentions_cuda(question, where) for question, where in questions)

    def _named_questions(self, test: ast.expr, scope: Scope) -> Iterator[tuple[ast.expr, Scope]]:
        """The tests whose answers a test reads by name: ``on_gpu = several and x.device.type == "cuda"``."""
        for part in walk(test):
            owner = scope.lookup(part.id) if isinstance(part, ast.Name) else None
            value = self.index.only_value(owner, part.id) if owner is not None else None
            if isinstance(part, ast.Attribute) and (write := attribute_of_self(self.index, part, scope)) is not None:
                value, owner = write.value, write.stmt.scope
            if owner is not None and isinstance(value, (ast.BoolOp, ast.Compare, ast.UnaryOp)):
                yield value, owner

    def _conditional(self, node: ast.expr, stmt: Stmt) -> Guard | None:
        found: Guard | None = None
        for owner, where in self._conditionals.get(stmt, ()):
            for arm in ("body", "orelse"):
                side = getattr(owner, arm)
                if _inside(side, node):
                    read = self.devices.tests.read(owner.test, where.scope)
                    if read is None and arm == "orelse" and _asks_for_more(owner.test):
                        continue
                    if read is not None or self._asks(owner.test, where.scope):
                        found = Guard(owner, stmt, arm, read)
        return found

    @cached_property
    def _conditionals(self) -> dict[Stmt, list[tuple[ast.IfExp, Stmt]]]:
        """Conditional expressions by statement, the outer before the inner."""
        found: dict[Stmt, list[tuple[ast.IfExp, Stmt]]] = {}
        for node, stmt in self.index.conditionals:
            found.setdefault(stmt, []).append((node, stmt))
        for pairs in found.values():
            pairs.sort(
                key=lambda p: (p[0].lineno, p[0].col_offset, -(p[0].end_lineno or 0), -(p[0].end_col_offset or 0))
            )
        return found


def _chosen(value: ast.expr) -> ast.expr:
    """The part of a definition that a test for CUDA chooses: the word, but all of ``torch.device("cuda", 1)``."""
    return value.args[0] if isinstance(value, ast.Call) and len(value.args) == 1 else value


def finds_none_given(test: ast.expr) -> bool:
    """Whether a test is true because the caller gives no device: ``device is None``, ``device == "auto"``, ``not device``."""
    if isinstance(test, ast.UnaryOp):
        return isinstance(test.op, ast.Not) and names_plain_device(last(dotted(test.operand)))
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not names_plain_device(last(dotted(test.left))):
        return False
    given = test.comparators[0]
    return (isinstance(test.ops[0], ast.Is) and is_literal(given, None)) or (
        isinstance(test.ops[0], ast.Eq) and isinstance(given, ast.Constant) and given.value == "auto"
    )


def _asks_for_more(test: ast.expr) -> bool:
    """``gpus > 1``, ``args.multi_gpu``, ``several and use_gpu``: if it is false, there may still be CUDA."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.comparators[0], ast.Constant):
        return (type(test.ops[0]), test.comparators[0].value) in _SEVERAL
    if isinstance(test, (ast.Name, ast.Attribute)):
        return mentions_several_processes(last(dotted(test)))
    return isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And)


def cuda_argument(call: ast.Call) -> tuple[int | None, ast.expr | None]:
    """(literal index, other device argument) of ``x.cuda(…)``."""
    device = argument_value(call, 0, "device", "device_id")
    if device is None or is_literal(device, None):
        return None, None
    number = literal_int(device)
    if number is not None:
        return number, None
    named = device_of_word(device.value) if isinstance(device, ast.Constant) else None
    return (named.index, None) if named is not None and named.is_cuda else (None, device)


def _may_tell(args: list[ast.expr], name: str) -> bool:
    """Whether one of several arguments may be a device of an accelerator: the second as a word (``torch.load(f, "cuda")``), any as an object."""
    second: Any = args[1]
    kind = second.__class__
    if kind is ast.Call:
        return True
    if kind is not ast.Constant:
        return False
    word = second.value
    return (word.__class__ is str and word.startswith(name)) or any(arg.__class__ is ast.Call for arg in args)


def _inside(outer: ast.AST, node: ast.AST) -> bool:
    return any(part is node for part in walk(outer))
