"""Where a file says CUDA outright: ``.cuda()`` calls and "cuda" as a device argument, and what guards them."""

from __future__ import annotations

import ast
import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

from placefix.facts import torch_api as api
from placefix.facts.cuda.movers import mover
from placefix.facts.cuda.receivers import Receivers
from placefix.facts.program.children import walk
from placefix.facts.program.names import dotted
from placefix.facts.program.tree import dominates
from placefix.lazy import NamedTuple, pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts import Facts
    from placefix.facts.program.guards import Test
    from placefix.facts.program.tree import Scope, Stmt

# Functions whose purpose is CUDA: what they do is what they are called. (`mover` knows those that only move.)
_CONTRACT = pattern(
    r"^_?(to_?|maybe_?|set_?|try_?|get_?|move_?to_?|put_?on_?|send_?to_?|copy_?to_?|batch_?to_?)?(cuda|gpu)s?_?$|^to_device$",
    re.IGNORECASE,
)
_OWN_NAME = pattern(r"cuda|gpu|nccl", re.IGNORECASE)
_NEEDS = pattern(r"cuda|gpu|skip|require|nccl|mark\.slow", re.IGNORECASE)
_STREAM_NAMES = frozenset(
    ("Stream", "stream", "Event", "CUDAGraph", "graph", "current_stream", "make_graphed_callables", "ExternalStream")
)
_STREAMS = frozenset(f"torch.cuda.{name}" for name in _STREAM_NAMES)
# What one argument or none is enough for.
_PLACES_ALONE = ("cuda", "to", "Generator")
# They take CUDA devices only, or place what they are no argument of.
_TAKES_CUDA_ONLY = ("torch.cuda.", "torch.accelerator.", "torch.device.", "torch.set_default_device.")
# What is done with a device by these is no placement.
_TELLS = pattern(r"^assert|^(print|str|repr|isinstance|len|type|format|append|add|index|info|debug|warning)$")
# Why a guard stays that asks where something lies.
FOLLOWS = "it follows where something else lies"
TAKES = "it takes to the GPU what is found on the CPU"
# How a type of CUDA tensors, or the package of them under another name, stands in a text.
_TENSOR_TYPE = pattern(r"cuda(?:(?:[\s\\]|#[^\n]*)*\.(?:[\s\\]|#[^\n]*)*\w*Tensor\b|\s+(?:as|import)\b)")
# Questions whether there are several GPUs.
_SEVERAL = ((ast.Gt, 1), (ast.GtE, 2))
_SEVERAL_NAMED = pattern(r"multi|parallel|distributed|(^|_)ddp$", re.IGNORECASE)
_INDEX = pattern(r"""cuda:(?<=["']cuda:)(\d+)["']""")


class Guard(NamedTuple):
    """A CUDA question that decides whether a site runs.

    node: the `if` statement or the conditional expression; arm: "body" or "orelse", where the
    site stands; test: what is asked, None when it is not known to be a pure CUDA question.
    """

    node: ast.If | ast.IfExp
    stmt: Stmt
    arm: str
    test: Test | None

    @property
    def positive(self) -> bool:
        """Whether the site runs when the test is true."""
        return self.arm == "body"


class Site(NamedTuple):
    """One hard-coded use of CUDA.

    form: cuda (``x.cuda()``), to (``x.to("cuda")``), argument (``device="cuda"``), definition
    (``torch.device("cuda")`` or a plain string that is bound to a device name), tensor
    (``torch.cuda.FloatTensor(…)``), cast (``x.type(torch.cuda.FloatTensor)``).
    node: the call; literal: the "cuda" expression or the type; index: the GPU it names, None for the
    current one; extra: an argument of ``.cuda`` that is not a literal.
    """

    form: str
    node: ast.expr
    stmt: Stmt
    literal: ast.expr | None = None
    index: int | None = None  # type: ignore[assignment]
    extra: ast.expr | None = None
    guard: Guard | None = None


class Cuda:
    """The hard-coded uses of CUDA in one file, in source order."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.tree = facts.tree
        self.devices = facts.devices
        self.index = facts.devices.index
        self.receivers = Receivers(facts)
        self._questions: dict[Stmt, tuple[Test | None, bool]] = {}

    @cached_property
    def sites(self) -> list[Site]:
        """Every use, guarded or not. Calls of other packages and `super()` are none."""
        found: list[Site] = []
        types, makes = self.types, self._makes_devices
        calls = [*self.index.called(*_PLACES_ALONE), *self.index.told]
        for place in self.index.calls:
            args = place[0].args
            if (
                (len(args) > 1 and _may_tell(args))
                or (types and self._may_be_type(place[0].func, _last(place[0])))
                or (makes and (_last(place[0]) == "device" or any(arg.__class__ is ast.Call for arg in args)))
            ):
                calls.append(place)
        for call, stmt in dict.fromkeys(calls):
            found += self._of_call(call, stmt)
        for text, writes in self.index.writes.items():
            for write in writes:
                value = write.value
                kind = value.__class__
                site = (
                    self._of_write(text, value, write.stmt)
                    if value is not None and (kind is ast.Call or kind is ast.Constant)
                    else None
                )
                if site is not None:
                    found.append(site)
        found.sort(key=lambda s: (s.node.lineno, s.node.col_offset, s.node.end_lineno or 0, s.node.end_col_offset or 0))
        return found

    def _of_call(self, call: ast.Call, stmt: Stmt) -> list[Site]:
        func = call.func
        found: list[Site] = []
        if self.types:
            casts = isinstance(func, ast.Attribute) and func.attr == "type" and len(call.args) == 1
            if self.tensor_type(call.args[0] if casts else func, stmt.scope):
                written = call.args[0] if casts else func
                form = "cast" if casts else "tensor"
                return [Site(form, call, stmt, written, None, None, self.guard(call, stmt))]
        if isinstance(func, ast.Attribute) and func.attr == "cuda":
            if self.receivers.judge(call, stmt).verdict != "none":
                index, extra = _cuda_argument(call)
                found.append(Site("cuda", call, stmt, None, index, extra, self.guard(call, stmt)))
            return found
        if isinstance(func, ast.Attribute) and func.attr == "to":
            literal = call.args[0] if call.args else next((k.value for k in call.keywords if k.arg == "device"), None)
            index = self._literal(literal, stmt)
            if literal is not None and index != -1:
                found.append(Site("to", call, stmt, literal, index, None, self.guard(call, stmt)))
            return found
        if isinstance(stmt.node, ast.Return) and stmt.node.value is call:
            found += self._returned(call, stmt)
        found += self._handed(call, stmt)
        if not call.keywords and len(call.args) < 2 and not (call.args and _last(call) == "Generator"):
            return found
        if call.args:
            index = self._literal(call.args[0], stmt)
            if index != -1 and self.tree.qualname(func, stmt.scope) == "torch.Generator":
                found.append(Site("argument", call, stmt, call.args[0], index, None, self.guard(call, stmt)))
        for keyword in call.keywords:
            if keyword.arg == "device" or keyword.arg == "map_location":
                index = self._literal(keyword.value, stmt)
                if index != -1:
                    found.append(Site("argument", call, stmt, keyword.value, index, None, self.guard(call, stmt)))
        if len(call.args) > 1:
            index = self._literal(call.args[1], stmt)
            if index != -1 and self.tree.qualname(func, stmt.scope) == "torch.load":
                found.append(Site("argument", call, stmt, call.args[1], index, None, self.guard(call, stmt)))
        return found

    def _may_be_type(self, func: ast.expr, last: str) -> bool:
        """Whether what is called may be a type of tensors, or cast to one."""
        return (
            last in api.TENSOR_TYPES
            or last == "type"
            or (isinstance(func, ast.Name) and func.id in self.tree.import_names)
        )

    def _returned(self, call: ast.Call, stmt: Stmt) -> list[Site]:
        """``return torch.device("cuda")``, where no other ``return`` gives another device."""
        index = self._literal(call, stmt)
        scope = stmt.scope
        if index == -1 or scope.function_named(_OWN_NAME) is not None:
            return []
        if scope.parent is not None and _OWN_NAME.search(scope.parent.name):
            return []  # a backend for CUDA says what it is
        if any(s.scope is scope and s is not stmt and isinstance(s.node, ast.Return) for s in self.tree.stmts.values()):
            return []
        return [Site("definition", call, stmt, call.args[0], index, None, self.guard(call, stmt))]

    def _handed(self, call: ast.Call, stmt: Stmt) -> list[Site]:
        """``f(x, torch.device("cuda"))``: a device that is handed on as it is."""
        found: list[Site] = []
        for arg in call.args:
            index = self._literal(arg, stmt) if arg.__class__ is ast.Call else -1
            name = self.tree.qualname(call.func, stmt.scope) if index != -1 else ""
            known = f"{name}.".startswith(_TAKES_CUDA_ONLY) or name in ("torch.Generator", "torch.load")
            if index != -1 and not known and not _TELLS.search(_last(call)):
                found.append(Site("argument", call, stmt, arg, index, None, self.guard(call, stmt)))
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
        return re.search(r"""device\(\s*["']cuda""", self.tree.source.text) is not None

    @cached_property
    def types(self) -> bool:
        """Whether the file may name a type of CUDA tensors: as ``cuda.FloatTensor``, or by a name that an import gives it."""
        return _TENSOR_TYPE.search(self.tree.source.text) is not None

    def tensor_type(self, expr: ast.expr, scope: Scope, package: str = "torch.cuda") -> str:
        """The last part of the name of one of a package's tensor types (or of its name as a string), else an empty string."""
        if isinstance(expr, ast.Constant):
            name = expr.value if isinstance(expr.value, str) else ""
        else:
            name = self.tree.qualname(expr, scope) or ""
        head, _, last = name.rpartition(".")
        return last if head == package and last in api.TENSOR_TYPES else ""

    def _literal(self, expr: ast.expr | None, stmt: Stmt) -> int | None:
        """The index of a "cuda" literal or ``torch.device("cuda")``; None without one; -1 for anything else."""
        if (
            isinstance(expr, ast.Call)
            and self.tree.qualname(expr.func, stmt.scope) == "torch.device"
            and len(expr.args) == 1
            and not expr.keywords
        ):
            expr = expr.args[0]
        if isinstance(expr, ast.Constant) and isinstance(expr.value, str):
            head, colon, tail = expr.value.partition(":")
            if head == "cuda" and (not colon or tail.isdigit()):
                return int(tail) if tail else None
        return -1

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
            assert isinstance(value, ast.Call)
            literal = value.args[0]
        return Site("definition", value, stmt, literal, index, None, self.guard(value, stmt))

    def _device_name(self, text: str, stmt: Stmt) -> bool:
        """Whether a name that holds a string is used as a device."""
        return self.devices.is_device_argument(text) and stmt.scope.kind != "class"

    # --- guards -------------------------------------------------------------------------------

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
                    if arm == "body" or read is not None or not _asks_for_more(owner.node.test):
                        return Guard(owner.node, owner, arm, read)
            child = owner
        return None

    def _question(self, owner: Stmt) -> tuple[Test | None, bool]:
        """What an `if` asks of CUDA, and whether it asks anything of it or of devices."""
        found = self._questions.get(owner)
        if found is None:
            assert isinstance(owner.node, ast.If)
            read = self.devices.tests.read(owner.node.test, owner.scope)
            found = read, read is not None or self._asks(owner.node.test, owner.scope)
            self._questions[owner] = found
        return found

    def _asks(self, test: ast.expr, scope: Scope) -> bool:
        """Whether a test that is no pure CUDA question is about devices all the same."""
        if "device_count" in self.tree.source.code(test):
            return False
        return self.devices.tests.mentions_cuda(test, scope)

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

    # --- what holds for the file, or around a site -----------------------------------------------

    @cached_property
    def indices(self) -> frozenset[int]:
        """The GPUs that the file names by number."""
        found = {int(m) for m in _INDEX.findall(self.tree.source.text)}
        for call, _ in self.index.called("cuda"):
            if isinstance(call.func, ast.Attribute):
                index, _ = _cuda_argument(call)
                if index is not None:
                    found.add(index)
        for call, stmt in self.index.called("device"):
            if len(call.args) == 2 and isinstance(call.args[1], ast.Constant) and isinstance(call.args[1].value, int):
                if self.tree.qualname(call.func, stmt.scope) == "torch.device":
                    found.add(call.args[1].value)
        return frozenset(found)

    @cached_property
    def selects(self) -> bool:
        """Whether something in the file makes another GPU the current one, or names one by a variable."""
        for call, stmt in self.index.called("set_device", "device", "set_default_device", "set_device_index"):
            name = self.tree.qualname(call.func, stmt.scope)
            if name in (
                "torch.cuda.set_device",
                "torch.cuda.device",
                "torch.set_default_device",
                "torch.accelerator.set_device_index",
            ):
                return True
        for call, _ in self.index.called("cuda"):
            if isinstance(call.func, ast.Attribute) and _cuda_argument(call)[1] is not None:
                return True
        return bool(self.indices - {0}) or bool(
            re.search(r"""["']cuda:\{|["']cuda:["']|["']cuda:%""", self.tree.source.text)
        )

    @cached_property
    def refusal(self) -> str:
        """Why nothing in this file may be respelled, or an empty string."""
        if len(self.indices) > 1:
            names = ", ".join(f"cuda:{i}" for i in sorted(self.indices))
            return f"the file spreads its work over several GPUs ({names})"
        told = any(word in self.tree.source.text for word in ("set_default_device", *api.LOADED_PLACED))
        for call, stmt in self.index.calls if told else ():
            if (
                _last(call) == "set_default_device"
                and self.tree.qualname(call.func, stmt.scope) == "torch.set_default_device"
            ):
                return "set_default_device already places every new tensor"
            for keyword in call.keywords:
                if keyword.arg in api.LOADED_PLACED and not _nothing(keyword.value):
                    name = next(k.arg for k in call.keywords if k.arg in api.LOADED_PLACED)
                    return f"`{name}` lets the loader place the model; ask the model for its device"
        if self.facts.framework and not self._says_where_itself:
            return f"{self.facts.framework} places modules and tensors itself; ask it for the device"
        trainer = self._trainer()
        if trainer:
            return f"{trainer} places modules and tensors itself; ask it for the device"
        for name in sorted(self.tree.imported):
            if name.partition(".")[0] in ("triton", "apex.contrib"):
                return "the file holds Triton kernels, which run on the GPU only"
        return ""

    @property
    def _says_where_itself(self) -> bool:
        """Whether the file's framework leaves the placement to the script: ignite's engines move batches to the device they
        are given, and no modules; ignite.distributed does."""
        asked = {n for n in self.tree.imported if n.partition(".")[0] in api.FRAMEWORKS}
        return all(n.partition(".")[0] == "ignite" and not n.startswith("ignite.distributed") for n in asked)

    def _trainer(self) -> str:
        """A trainer of a library that the file makes or derives from, or an empty string."""
        if "Trainer" not in self.tree.source.text:
            return ""
        named = [(call.func, stmt.scope) for call, stmt in self.index.calls if _last(call).endswith("Trainer")]
        for scope in self.tree.scopes.values():
            if scope.kind == "class" and scope.parent is not None:
                named += [(base, scope.parent) for base in scope.node.bases]  # type: ignore[union-attr]
        for expr, scope in named:
            name = self.tree.qualname(expr, scope) or ""
            if name.startswith(("transformers.", "trl.")) and name.endswith("Trainer"):
                return name.rpartition(".")[2]
        return ""

    @cached_property
    def _default_type(self) -> bool:
        """Whether new tensors are made on the GPU by default; moves of their own say the same with a device."""
        text = self.tree.source.text
        return re.search(r"set_default_tensor_type\(\s*(torch\.cuda|[\"']torch\.cuda)", text) is not None

    def why_not(self, site: Site) -> str:
        """Why this site may not be respelled where it stands, or an empty string."""
        if self.refusal:
            return self.refusal
        if site.form in ("argument", "to", "definition") and self._default_type:
            return "set_default_tensor_type already places every new tensor on the GPU"
        fallback = self.fallback(site.stmt)
        if fallback:
            return fallback
        named = site.stmt.scope.function_named(_OWN_NAME) if site.form != "definition" else None
        if named is not None and self.mover(site) is not None:
            return ""
        return f"the function is named `{named.name}`: CUDA is what it is for" if named is not None else ""

    def fallback(self, stmt: Stmt) -> str:
        """A try around the site whose handler goes on without a GPU."""
        child = stmt
        for owner in stmt.ancestors():
            if isinstance(owner.node, ast.Try) and child.suite.arm == "body" and child.suite.owner is owner:
                for handler, suite in zip(
                    owner.node.handlers, (s for s in owner.suites if s.arm.startswith("handler")), strict=True
                ):
                    caught = self.tree.source.code(handler.type) if handler.type is not None else ""
                    broad = not caught or re.search(
                        r"RuntimeError|AssertionError|Exception|BaseException|CudaError", caught
                    )
                    body = " ".join(self.facts.text(s) for s in suite.stmts)
                    if (
                        broad
                        and (re.search(r"cpu|cuda|gpu", body, re.IGNORECASE) or len(child.suite.stmts) <= 2)
                        and not re.match(r"\s*raise\b", body)
                    ):
                        return "the handler of the try around it is the way without a GPU"
            child = owner
        return ""

    def required(self, site: Site) -> bool:
        """Whether the code around says that it needs a GPU: tests, early exits, asserts. Nothing is wrong there."""
        return bool(self.intent(site))

    def intent(self, site: Site) -> str:
        """How the code around says that it needs a GPU, or an empty string."""
        if self.contract(site):
            return "the function around it is for CUDA by its name"
        if self._marked or (
            site.guard is None and self._in_test(site.stmt.scope) and self.facts.beside.choice(site) is None
        ):
            return "it is a test of what CUDA does"
        scope: Scope | None = site.stmt.scope
        while scope is not None and scope.kind != "module":
            if self._defined_with_cuda(self.tree.stmts[scope.node]):  # type: ignore[index]
                return "what is around it is defined only where CUDA is"
            if any(self._asks_for_gpu(d, scope) for d in scope.node.decorator_list):  # type: ignore[union-attr]
                return "a decorator says that it needs a GPU"
            if scope in self._streams:
                return "the code around it works with CUDA streams or graphs"
            scope = scope.parent
        if any(self._before(exit_, site.stmt) for exit_ in self._exits):
            return "the program ends before it where there is no CUDA"
        return ""

    def _asks_for_gpu(self, decorator: ast.expr, scope: Scope) -> bool:
        """Whether a decorator is for machines with a GPU, by its name or those of its keywords: ``@requires_cuda``, ``@remote(num_gpus=1)``.
        What pytest's marks are given counts too; the words of a command line option (``@click.option("--cuda")``) do not."""
        call = decorator if isinstance(decorator, ast.Call) else None
        name = dotted(call.func if call is not None else decorator)
        full = self.tree.qualname(call.func if call is not None else decorator, scope) or ""
        if full.startswith("torch.") and not full.startswith("torch.testing."):
            return False  # torch.cuda.amp.autocast
        if call is None or not name or "mark." in name:
            return _NEEDS.search(self.tree.source.code(decorator)) is not None
        return _NEEDS.search(name) is not None or any(_OWN_NAME.search(k.arg or "") for k in call.keywords)

    def stands(self, site: Site) -> str:
        """Why a use is right as it stands, and no finding; an empty string where it is not, or nobody knows."""
        intent = self.intent(site)
        guard = site.guard
        if intent or guard is None:
            return intent
        asked = self.tree.source.code(guard.node.test)
        if re.search(r"\.is_cuda\b|get_device\(|\.device\.type\b", asked):
            return TAKES if guard.positive and _finds_on_cpu(guard.node.test) else FOLLOWS
        if guard.test is None and isinstance(guard.node.test, (ast.Name, ast.Attribute)):
            return f"what `{asked}` asks is not known here"
        if guard.test is None:
            return "its guard asks for more than CUDA"
        if isinstance(guard.node, ast.If) and self.facts.unguard.does_more(guard):
            return "its guard does more than place things"
        return ""

    def _defined_with_cuda(self, definition: Stmt) -> bool:
        """Whether a function or class is there only where CUDA is."""
        child = definition
        for owner in definition.ancestors():
            if owner is not definition and isinstance(owner.node, ast.If):
                read = self.devices.tests.read(owner.node.test, owner.scope)
                if read is not None and (child.suite is owner.suites[0]) != read.negated:
                    return True
            child = owner
        return False

    @cached_property
    def _marked(self) -> bool:
        """Whether the tests of the file are skipped without CUDA: ``pytestmark = pytest.mark.skipif(…)``."""
        return any(
            w.stmt.scope.kind == "module" and w.value is not None and "cuda" in self.tree.source.code(w.value)
            for w in self.index.writes.get("pytestmark", ())
        )

    def _in_test(self, scope: Scope) -> bool:
        """Whether the scope is a test, or a method of a test case: what it runs on is what it tests."""
        if not self._has_tests:
            return False
        inner: Scope | None = scope
        while inner is not None:
            if inner.kind == "function" and inner.name.startswith("test_"):
                return True
            if inner.kind == "class" and any(b.endswith("TestCase") for b in self.facts.class_info(inner).bases):
                return True
            inner = inner.parent
        return False

    @cached_property
    def _has_tests(self) -> bool:
        """Whether the file uses a test framework."""
        return any(name.partition(".")[0] in ("unittest", "pytest") for name in self.tree.imported)

    def contract(self, site: Site) -> bool:
        """Whether the site stands in a function that is named for CUDA, and places more than what it is handed."""
        return site.stmt.scope.function_named(_CONTRACT) is not None and self.mover(site) is None

    def mover(self, site: Site) -> Scope | None:
        """The function named for moving what it is handed to CUDA in which a site does so; None elsewhere, and in tests."""
        return mover(site) if not self._has_tests else None

    def _before(self, exit_: Stmt, stmt: Stmt) -> bool:
        if exit_.scope is stmt.scope:
            return dominates(exit_, stmt)
        top = stmt
        while top.scope is not exit_.scope:
            if top.scope.parent is None:
                return False
            top = self.tree.stmts[top.scope.node]  # type: ignore[index]
        return dominates(exit_, top)

    @cached_property
    def _streams(self) -> frozenset[Scope]:
        """Functions, and classes of methods, that work with CUDA streams, events or graphs."""
        found: set[Scope] = set()
        for call, stmt in self.index.called(*_STREAM_NAMES):
            if stmt.scope.kind != "module" and self.tree.qualname(call.func, stmt.scope) in _STREAMS:
                found.add(stmt.scope)
                if stmt.scope.parent is not None and stmt.scope.parent.kind == "class":
                    found.add(stmt.scope.parent)
        return frozenset(found)

    def _says_none(self, test: ast.expr, stmt: Stmt) -> bool:
        """Whether a test is true wherever there is no CUDA, or the device is not one."""
        if _type_is(test, "cpu") or _type_is(test, "cuda", negated=True):
            return True
        if "is_available" not in self.tree.source.code(test):
            return False
        read = self.devices.tests.read(test, stmt.scope)
        return read is not None and read.negated

    @cached_property
    def _exits(self) -> list[Stmt]:
        """``if not torch.cuda.is_available(): raise`` (return, exit, skip), ``assert torch.cuda.is_available()``,
        and the same with ``device.type``."""
        found = []
        for stmt in self.tree.stmts.values():
            node = stmt.node
            kind = node.__class__
            if kind is not ast.Assert and kind is not ast.If:
                continue
            if isinstance(node, ast.Assert):
                code = self.tree.source.code(node.test)
                if ("cuda.is_available()" in code and not isinstance(node.test, ast.UnaryOp)) or _type_is(
                    node.test, "cuda"
                ):
                    found.append(stmt)
            elif isinstance(node, ast.If) and not node.orelse and _leaves(node.body[-1]):
                # past `if a or b: return` neither holds
                either = isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.Or)
                parts = node.test.values if either else [node.test]  # type: ignore[attr-defined]
                if any(self._says_none(part, stmt) for part in parts):
                    found.append(stmt)
        return found


def _asks_for_more(test: ast.expr) -> bool:
    """``gpus > 1``, ``args.multi_gpu``, ``several and use_gpu``: where it is false, it has said nothing of CUDA."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.comparators[0], ast.Constant):
        return (type(test.ops[0]), test.comparators[0].value) in _SEVERAL
    if isinstance(test, (ast.Name, ast.Attribute)):
        return _SEVERAL_NAMED.search(dotted(test).rpartition(".")[2]) is not None
    return isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And)


def _finds_on_cpu(test: ast.expr) -> bool:
    """``p.device.type == "cpu"``, ``not x.is_cuda``"""
    return _type_is(test, "cpu") or (
        isinstance(test, ast.UnaryOp)
        and isinstance(test.op, ast.Not)
        and isinstance(test.operand, ast.Attribute)
        and test.operand.attr == "is_cuda"
    )


def _leaves(last: ast.stmt) -> bool:
    """Whether a suite ends by leaving: raise, return, exit, skip."""
    return isinstance(last, (ast.Raise, ast.Return)) or (
        isinstance(last, ast.Expr)
        and isinstance(last.value, ast.Call)
        and re.search(r"exit|quit|skip", dotted(last.value.func)) is not None
    )


def _type_is(test: ast.expr, kind: str, *, negated: bool = False) -> bool:
    """``device.type == kind``, or with `negated` ``device.type != kind``."""
    return (
        isinstance(test, ast.Compare)
        and isinstance(test.left, ast.Attribute)
        and test.left.attr == "type"
        and isinstance(test.ops[0], ast.NotEq if negated else ast.Eq)
        and isinstance(test.comparators[0], ast.Constant)
        and test.comparators[0].value == kind
    )


def _cuda_argument(call: ast.Call) -> tuple[int | None, ast.expr | None]:
    """(literal index, other device argument) of ``x.cuda(…)``."""
    device = (
        call.args[0] if call.args else next((k.value for k in call.keywords if k.arg in ("device", "device_id")), None)
    )
    if device is None or (isinstance(device, ast.Constant) and device.value is None):
        return None, None
    if isinstance(device, ast.Constant) and isinstance(device.value, int) and not isinstance(device.value, bool):
        return device.value, None
    if isinstance(device, ast.Constant) and isinstance(device.value, str):
        head, _, tail = device.value.partition(":")
        return (int(tail) if tail.isdigit() else None), (
            None if head == "cuda" and (not tail or tail.isdigit()) else device
        )
    return None, device


def _nothing(value: ast.expr) -> bool:
    """``None`` and ``False``, which ask for nothing."""
    return isinstance(value, ast.Constant) and not value.value


def _may_tell(args: list[ast.expr]) -> bool:
    """Whether one of several arguments may be a device of CUDA: the second as a word (``torch.load(f, "cuda")``), any as an object."""
    second: Any = args[1]
    kind = second.__class__
    if kind is ast.Call:
        return True
    if kind is not ast.Constant:
        return False
    word = second.value
    return (word.__class__ is str and word.startswith("cuda")) or any(arg.__class__ is ast.Call for arg in args)


def _last(call: ast.Call) -> str:
    """The last part of the called name."""
    func: Any = call.func
    kind = func.__class__
    return func.attr if kind is ast.Attribute else func.id if kind is ast.Name else ""


def _inside(outer: ast.AST, node: ast.AST) -> bool:
    return any(part is node for part in walk(outer))
