"""The code of modules, run with the must-share domain: the tensors that it makes on the CPU.

`ConstraintRun` proves equalities of devices in one function; `ModuleRuns` selects the functions, and learns the attributes from `__init__`.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.facts import torch_api as api
from placefix.facts.interpret.class_summaries import ClassSummaries, class_info, self_writes
from placefix.facts.interpret.constraint_operators import REGISTERED, dimensions_of, learn_parameters
from placefix.facts.interpret.constraint_runs import ConstraintRun
from placefix.facts.interpret.device_facts import Closure, Owner, PlainTensor
from placefix.facts.interpret.flow import Flow
from placefix.facts.interpret.forward_parameters import state_updates
from placefix.facts.interpret.must_share import facts_at
from placefix.facts.naming import last, names_device_or_number, names_dtype
from placefix.facts.program.assignments import assigned_text
from placefix.facts.program.ast_names import argument_value, dotted, identifiers, keyword_value, parameters
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.attributes_of_self import uses_of_self
from placefix.facts.program.outside_callers import defaults_to_device
from placefix.facts.program.statement_forms import without_docstrings, yields
from placefix.prefilter.source_patterns import COPIES_OWN, KEEPS, NOT_RUN, makes_on_host
from placefix.reachability import reachable
from placefix.rules.tensors.kept_tensors import copied_attribute, has_parameters
from placefix.rules.tensors.sibling_evidence import DeviceTests

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.device_facts import Creation
    from placefix.facts.interpret.values import ClassInfo, Obj
    from placefix.facts.program.tree import Scope, Stmt

_KEEPS = re.compile(KEEPS)
_COPIES_OWN = re.compile(COPIES_OWN)
# Parameters and buffers as they are made mostly: no plain tensors.
_PARAMETERS = re.compile(
    r"(?:\bParameter\(|\bregister_buffer\(\s*[\"']\w+[\"'],\s*)torch\.\w+\s*\((?:[^()#\"']|\((?:[^()#\"']|\([^()#\"']*\))*\))*\)\s*[,)]"
)
_FUNCTION = "torch.autograd.Function"
# A method may set attributes by names that it computes.
_REPLACES = frozenset(("setattr", "delattr", "__dict__"))
# A function reads the device of a tensor, or places one.
_SHOWS_DEVICE = re.compile(r"\.device\b|\bdevice\s*=(?!=)|\.to\s*\(|\.cuda\s*\(")


class ModuleRuns:
    """The runs of one file. found: the creations in the code of modules, with the run, by the expression or statement that makes the
    tensor."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self.tree = context.tree
        self.infos = context.get(ClassSummaries).known
        self.found: dict[ast.AST, list[tuple[Creation, ConstraintRun]]] = {}
        self._runs: list[ConstraintRun] = []
        self._makes: list[re.Pattern[str]] = []
        self._made: list[int] = []
        if defaults_to_device(self.tree):
            return
        self._makes = self._patterns()
        self._made = self._loose(sorted(found.start() for made in self._makes for found in made.finditer(self._code)))
        self._follow()
        helpers: dict[Scope, None] = {}
        for scope in list(self.tree.scopes.values()):
            if scope.is_class:
                for run in self._class(scope):
                    helpers.update(dict.fromkeys(s for s in run.called if s.parent is self.tree.root))
        for scope in helpers:
            self._take(self._run(scope, None), self.found)

    def _follow(self) -> None:
        """Read other files of the repository from here on, if a class that makes tensors has its base in one."""
        context = self.context.following
        if context is self.context or context.home is None:
            return
        for scope in self.tree.scopes.values():
            if isinstance(scope.node, ast.ClassDef) and scope.node.bases and self._may_stray(scope):
                info = class_info(scope, self.infos)
                if not info.is_module and not info.closed and any(map(context.home.has, info.bases)):
                    self.context, self.tree = context, context.tree
                    self.infos = context.get(ClassSummaries).known
                    return

    def _may_stray(self, cls: Scope) -> bool:
        """Whether a method makes a tensor of torch, or the constructor one that it may keep, or a copy."""
        if not self._makes_in(cls):
            return _COPIES_OWN.search(self._code_of(cls)) is not None
        init = cls.functions.get("__init__")
        if any(name not in NOT_RUN and self._makes_in(method) for name, method in cls.functions.items()):
            return True
        return init is not None and self._makes_in(init) and self._makes_plainly(self.tree.text(init))

    @cached_property
    def found_in_functions(self) -> dict[ast.AST, list[tuple[Creation, ConstraintRun]]]:
        """The creations in functions that are not the code of a module, and that show a device (`found_in`)."""
        found: dict[ast.AST, list[tuple[Creation, ConstraintRun]]] = {}
        ran = {run.scope for run in self._runs}
        for scope in list(self.tree.scopes.values()):
            if scope.is_function and scope not in ran and self._makes_in(scope):
                found.update(self.found_in(scope))
        return found

    def found_in(self, scope: Scope) -> dict[ast.AST, list[tuple[Creation, ConstraintRun]]]:
        """The creations in a function that reads the device of a tensor or places one, or has an argument `with_device`, of a run of the
        function alone."""
        found: dict[ast.AST, list[tuple[Creation, ConstraintRun]]] = {}
        shows = _SHOWS_DEVICE.search(self.tree.text(scope)) or self.with_device(scope)
        if shows and not self.context.get(DeviceTests).are_in(scope):
            self._take(self._run(scope, None), found)
        return found

    def with_device(self, scope: Scope, *, of_class: bool = False) -> list[str]:
        """The arguments of a function that are on a device by their names: the file reads the device of something of the same name. of_class:
        another method of the class does, or one of the same name in another class."""
        given = (name for name in parameters(scope.function.args) if name != "self") if scope.is_function else ()
        cls, read = scope.class_around, self.context.index.read
        reads = {name: [stmt.scope for _, stmt in read(f"{name}.device")] for name in given}

        def is_alike(other: Scope) -> bool:
            """Whether a function is of the same class, or overrides the same method."""
            return cls is not None and (
                other.class_around is cls or (other.name == scope.name and other.cls is not None)
            )

        return [name for name, scopes in reads.items() if (any(map(is_alike, scopes)) if of_class else scopes)]

    @cached_property
    def _code(self) -> str:
        """The text of the file with blanks for its docstrings: these hold examples, often."""
        return without_docstrings(self.tree)

    def _code_of(self, scope: Scope) -> str:
        """The lines of a definition, without docstrings."""
        return self._code[slice(*self.tree.extent(scope))]

    def _patterns(self) -> list[re.Pattern[str]]:
        """Patterns of calls in the text that make a tensor of torch on the host."""
        names = {(name, full) for s in self.tree.scopes.values() for name, found in s.imports.items() for full in found}
        modules = sorted(name for name, full in names if full == "torch" and name != "torch")
        factories = sorted(name for name, full in names if torch_model.is_factory(full))
        return [re.compile(text) for text in makes_on_host(modules, factories)]

    def _loose(self, made: list[int]) -> list[int]:
        """The positions in the text where the code of functions makes a tensor that may be on the wrong device: without
        ``device=``. A tensor that is moved in the expression that makes it leaves nothing on the CPU that could meet another one."""
        if not made:
            return made
        source = self.context.source
        settled: set[int] = set()
        for scope in self.tree.scopes.values():
            if scope.is_function and (scope.parent is None or not scope.parent.is_function):
                start, end = self.tree.extent(scope)
                at = bisect_left(made, start)
                if at < len(made) and made[at] < end:
                    settled.update(source.span(call.func).start for call in self._settled(scope))
        return [place for place in made if place not in settled]

    def _settled(self, scope: Scope) -> Iterator[ast.Call]:
        """Calls of functions by name whose result has an explicit device: ``zeros(n, device=d)``,
        ``zeros(n)`` in ``zeros(n).float().cuda()``."""
        for node in walk(scope.node):
            if not isinstance(node, ast.Call):
                continue
            made: ast.expr = node
            if isinstance(node.func, ast.Attribute) and self._places(node, node.func.attr, scope):
                made = node.func.value
                while isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute) and keeps_place(made):
                    made = made.func.value
            elif keyword_value(node, "device", "out") is None:
                continue
            if isinstance(made, ast.Call) and dotted(made.func):
                yield made

    def _places(self, call: ast.Call, method: str, scope: Scope) -> bool:
        """Whether the call of a method moves a tensor, and does not just change its type: beyond doubt."""
        if method != "to":
            return method in api.PLACING
        first = argument_value(call, 0, "device")
        if first is None or self.tree.qualname(first, scope) is not None:
            return False
        name = dotted(first).rpartition(".")[2]
        return isinstance(first, ast.Constant) or name == "device" or names_device_or_number(name)

    def release(self) -> None:
        """Break the reference cycles; no query can follow."""
        for run in self._runs:
            run.release()

    # --- which code is run --------------------------------------------------------------------

    def _class(self, scope: Scope) -> Iterator[ConstraintRun]:
        code = self._code_of(scope)
        if not self._makes_in(scope) and not self._calls_makers(code) and not _COPIES_OWN.search(code):
            return
        info = class_info(scope, self.infos)
        if not info.is_module and not ("forward" in info.methods and _FUNCTION in info.bases):
            return
        if info.places_self or len(info.indices) > 1 or info.own_moves:
            return  # the class places its parts itself
        owner = Owner(info)
        self._attributes(owner, info)
        methods = {name: method for name, method in info.methods.items() if method.tree is self.tree}
        making = uses_of_self(*(methods[n].node for n in NOT_RUN if n in methods))
        uses = uses_of_self(scope.node)
        words = [*(f"self.{a}" for a in owner.plain), *self._making_calls]
        reaching = self._reaching({n: m for n, m in methods.items() if n not in NOT_RUN}, words)
        for name, method in methods.items():
            if (
                name in reaching and method.parent is scope and not 0 < making[name] == uses[name]
            ):  # in the constructor alone
                run = self._run(method, owner)
                self._take(run, self.found)
                if run is not None:
                    yield run

    def _makes_in(self, scope: Scope) -> bool:
        """Whether a tensor of torch is made in the text of a scope."""
        start, end = self.tree.extent(scope)
        at = bisect_left(self._made, start)
        return at < len(self._made) and self._made[at] < end

    def _makes_plainly(self, text: str) -> bool:
        """Whether code makes another tensor of torch than for parameters and buffers."""
        rest = _PARAMETERS.sub("", text)
        return any(made.search(rest) for made in self._makes)

    def _calls_makers(self, text: str) -> bool:
        """Whether code calls a function of the file in which, or below which, a tensor may be made."""
        return any(call in text for call in self._making_calls)

    @cached_property
    def _making_calls(self) -> list[str]:
        """How calls begin of the file's functions in which, or below which, a tensor may be made."""
        return [name + "(" for name in self._reaching(self.tree.root.functions, [])]

    def _reaching(self, functions: Mapping[str, Scope], words: Sequence[str]) -> set[str]:
        """Those whose text makes a tensor, holds one of `words`, or names a function that does: no other code reaches one."""
        texts = {name: self._code_of(function) for name, function in functions.items()}
        makes = [n for n, text in texts.items() if self._makes_in(functions[n]) or any(word in text for word in words)]
        return reachable(makes, lambda callee: (name for name, text in texts.items() if callee in text))

    def _run(self, scope: Scope, owner: Owner | None) -> ConstraintRun | None:
        if not isinstance(scope.node, ast.FunctionDef) or yields(scope):
            return None
        run = self._whole(scope, owner)
        if run.creations and run.proven:
            run = self._whole(scope, owner, run.proven)
        return run

    def _whole(self, scope: Scope, owner: Owner | None, tensors: frozenset[str] = frozenset()) -> ConstraintRun:
        run = ConstraintRun(scope, self.infos, owner, tensors)
        self._runs.append(run)
        return run

    def _take(self, run: ConstraintRun | None, found: dict[ast.AST, list[tuple[Creation, ConstraintRun]]]) -> None:
        for creation in run.creations if run is not None else ():
            beside = _is_beside_placement(creation.stmt, creation.node)  # ``if cuda: … .cuda() else: …``
            if creation.exits and run is not None and not creation.spared and not beside:
                found.setdefault(creation.node, []).append((creation, run))

    # --- attributes -----------------------------------------------------------------------------

    def _attributes(self, owner: Owner, info: ClassInfo) -> None:
        """Learn the kinds of the attributes from ``__init__``."""
        learn_parameters(owner)
        own = info.scope.functions.get("__init__")
        if own is not None and own.tree is self.tree:
            self._plain_attributes(owner, own, sum(map(self_writes, info.order), Counter[str]()))

    def _plain_attributes(self, owner: Owner, init: Scope, writes: Counter[str]) -> None:
        """Learn the plain attributes for which a constructor, or a method that it calls, may make a tensor."""
        own = self.tree.text(init)
        if not _KEEPS.search(own):
            return
        methods = owner.info.methods.items()
        if _COPIES_OWN.search(own):
            self._copied_attributes(owner, init, writes)
        making = [name for name, method in methods if method.tree is self.tree and self._makes_in(method)]
        follows = any(f"self.{name}(" in own for name in making)
        if follows or self._calls_makers(own) or (self._makes_in(init) and self._makes_plainly(own)):
            self._plain(owner, self._whole(init, Owner(owner.info) if follows else None), writes)

    def _copied_attributes(self, owner: Owner, init: Scope, writes: Counter[str]) -> None:
        """Learn the plain attributes that the constructor makes of the module's own parameters."""
        for stmt in self._initialised(init):
            attr = self._kept_attribute(stmt, owner.info, writes)
            source = copied_attribute(stmt.node.value, init) if attr and isinstance(stmt.node, ast.Assign) else ""
            layer, _, part = source.rpartition(".")
            of_layer = part in ("weight", "bias") and has_parameters(owner.info, layer)
            if of_layer or source in owner.parameters:
                owner.plain[attr] = PlainTensor(stmt.node, stmt, owner.dimensions.get(source, int(of_layer)))

    def _initialised(self, init: Scope) -> Iterator[Stmt]:
        """The statements of a constructor behind that of the base, and the ones in them."""
        initialised = False
        for top in init.body.stmts:
            initialised = initialised or ("__init__" in self.context.text(top) and isinstance(top.node, ast.Expr))
            if initialised:
                yield from (top, *(s for suite in top.suites for s in suite.stmts))

    def _plain(self, owner: Owner, run: ConstraintRun, writes: Counter[str]) -> None:
        """The tensors that ``__init__`` makes on the CPU and that stay plain attributes. run: of it; writes: how often the class sets each
        attribute."""
        if not run.creations or not run.ends:
            return
        for stmt in self._initialised(run.scope):
            attr = self._kept_attribute(stmt, owner.info, writes)
            if attr and attr not in owner.plain and attr not in owner.parameters:
                self._keep(owner, attr, stmt, run, always=stmt.parent is None)

    def _keep(self, owner: Owner, attr: str, stmt: Stmt, run: ConstraintRun, *, always: bool) -> None:
        """Record the attribute that a statement of ``__init__`` sets, if it is a tensor made there: at all ends of the run with `always`,
        else at one of them."""
        node = getattr(stmt.node, "value", None)
        value = run.value_at(node) if node is not None else None
        # A method that is called below hides the attribute, but only some replace one.
        left = value if value is not None and not _replaces(owner.info.scope) else None
        given = [(end, run.attribute_at(end, attr) or left) for end in run.ends]
        ends = [(end, value) for end, value in given if value is not None and self._made_in(value, stmt)]
        if ends and (not always or len(ends) == len(given)):
            sized = value is not None and run.everything.is_shaped_tensor(value)
            sized = sized or all(("dims", value) in facts_at(end).known for end, value in ends)
            count = dimensions_of(node, stmt.scope)
            unseen = (
                not count and not sized and any(made.has_unseen_dimensions for _, one in ends for made in one.creations)
            )
            owner.plain[attr] = PlainTensor(stmt.node, stmt, count or int(sized or unseen), unseen)

    def _kept_attribute(self, stmt: Stmt, info: ClassInfo, writes: Counter[str]) -> str:
        """The attribute of ``self`` that a statement sets and nothing changes afterwards; "" if there is none."""
        target, value = assigned_text(stmt.node), getattr(stmt.node, "value", None)
        attr = target.removeprefix("self.")
        if not target.startswith("self.") or "." in attr:
            return ""
        if writes[attr] != self._set_once(stmt, target) + (state_updates(info, attr) if writes[attr] > 1 else 0):
            return ""
        if isinstance(value, ast.Call) and self.tree.qualname(value.func, stmt.scope) in REGISTERED:
            return ""
        text = self.tree.text(info.scope)
        changed = re.search(
            rf"self\.{attr}\s*\.(?:to|cuda|cpu|requires_grad\w*|tolist|numpy)\b|\bregister_\w+\(\s*[\"']{attr}[\"']",
            text,
        )
        return "" if changed or _binds_value(info.scope, attr) or attr in info.methods else attr

    def _made_in(self, value: Obj, stmt: Stmt) -> bool:
        """Whether a value is made of nothing but creations, not only for the CPU, and no other arm around the statement places something."""
        if value.kind == "distribution":
            return False  # a buffer is a tensor
        if not value.creations or any(made.spared or self._may_copy(made) for made in value.creations):
            return False
        return not _is_beside_placement(stmt, getattr(stmt.node, "value", None))

    def _may_copy(self, creation: Creation) -> bool:
        """Whether a creation in a constructor is `torch.tensor` of an argument for which the file gives a tensor that is not known to be on
        the CPU: the copy is on the device of that tensor."""
        given = creation.node.args[0] if isinstance(creation.node, ast.Call) and creation.node.args else None
        if creation.made != "torch.tensor" or not isinstance(given, ast.Name) or not creation.scope.is_function:
            return False
        value, cls = creation.names.get(given.id), creation.scope.parent
        names = [name for name in parameters(creation.scope.function.args) if name != "self"]
        if cls is None or value is None or value.param not in names:
            return False
        placed = self.context.get(Flow).placed_arguments
        return bool({(cls, value.param), (cls, names.index(value.param))} & placed)

    @staticmethod
    def _set_once(stmt: Stmt, target: str) -> int:
        """How many statements bind `target`: this one, or one in each of two arms of an `if`; 0 where an arm has several."""
        owner = stmt.parent
        if owner is None:
            return 1
        if not isinstance(owner.node, ast.If):
            return 0
        sets = [
            [
                s
                for s in suite.stmts
                if isinstance(s.node, ast.Assign) and [dotted(t) for t in s.node.targets] == [target]
            ]
            for suite in owner.suites
        ]
        return sum(map(len, sets)) if all(len(found) < 2 for found in sets) else 0

    def meets_parameters(self, info: ClassInfo, sized: frozenset[int] = frozenset()) -> bool:
        """Whether, on every path through a class's `forward`, an argument meets a parameter of the class in an operation
        that refuses unlike devices. sized: the positions of arguments that have a dimension."""
        forward = info.methods.get("forward")
        init = info.methods.get("__init__")
        if forward is None or init is None or forward.tree is not init.tree:
            return False
        owner = Owner(info)
        self._attributes(owner, info)
        run = self._whole(forward, owner)
        assumed = set(run.assumed)
        own = [run.attributes[name] for name in owner.parameters & run.attributes.keys()]
        shaped = [("dims", value) for number, value in enumerate(run.arguments_of.values()) if number - 1 in sized]
        ways = [Closure([*facts_at(end).known, *shaped], assumed=assumed) for end in run.ends]
        return bool(ways) and all(any(certain.reached(value)[0] & assumed for value in own) for certain in ways)


def keeps_place(call: ast.Call) -> bool:
    """Whether the result of a method is on the device of its tensor, with any arguments."""
    operator = torch_model.method(call.func.attr) if isinstance(call.func, ast.Attribute) else None
    if operator is None or not operator.follows or not operator.gives_tensor:
        return False
    given: list[tuple[str | None, ast.expr]] = [(None, a) for a in call.args]
    given += [(k.arg, k.value) for k in call.keywords]
    return all(k.arg is not None for k in call.keywords) and all(
        isinstance(value, (ast.Constant, ast.UnaryOp)) for value, _ in operator.shared(given, method=True)
    )


def _is_beside_placement(stmt: Stmt, made: ast.AST | None) -> bool:
    """Whether the other arm of a condition around a creation, `made` in a statement, places something."""
    for node in walk(stmt.node):
        if isinstance(node, ast.IfExp):
            for arm, other in ((node.body, node.orelse), (node.orelse, node.body)):
                if any(part is made for part in walk(arm)) and _places_something(other):
                    return True
    for inner in stmt.ancestors():
        owner = inner.parent
        if owner is not None and isinstance(owner.node, ast.If):
            others = [other for suite in owner.suites if suite is not inner.suite for other in suite.stmts]
            if any(_places_something(other.node) for other in others):
                return True
    return False


def _replaces(scope: Scope) -> bool:
    """Whether a class may set attributes by names that it computes."""
    return any(getattr(n, "attr", getattr(n, "id", "")) in _REPLACES for n in walk(scope.node))


def _binds_value(cls: Scope, name: str) -> bool:
    """Whether the body of a class binds a name; an annotation alone does not."""
    bound = cls.bindings.get(name, ())
    return any(not isinstance(node, ast.AnnAssign) or node.value is not None for node in bound)


def _places_something(node: ast.AST) -> bool:
    """Whether code moves something, or mentions a device; ``x.to(torch.float)`` does not."""
    return "device" in identifiers(node) or any(isinstance(part, ast.Call) and _moves(part) for part in walk(node))


def _moves(call: ast.Call) -> bool:
    """Whether a call is a move: ``x.cuda()``, or ``x.to(…)`` with something else than a dtype of torch."""
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    first = call.args[0] if call.args else next((k.value for k in call.keywords if k.arg != "dtype"), None)
    text = dotted(first) if first is not None else ""
    of_type = first is None or text.startswith("torch.") or names_dtype(last(text))
    return method == "cuda" or (method == "to" and not of_type)
