"""Tensors that the code of a module makes on the CPU although they meet its input or its weights.

`ConstraintRun` proves equalities of devices in each function; this module selects the functions, combines
the proofs over all runs of a creation, and writes the repair.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from placefix import torch_model
from placefix.diagnostic import Replace
from placefix.facts import premises, reasons
from placefix.facts import torch_api as api
from placefix.facts.finding import Finding
from placefix.facts.interpret.class_summaries import ClassSummaries, class_info
from placefix.facts.interpret.constraint_runs import ConstraintRun, has_dimension
from placefix.facts.interpret.device_facts import Closure, Owner
from placefix.facts.interpret.must_share import facts_at, yields
from placefix.facts.naming import names_device_or_number
from placefix.facts.program.ast_names import defaults, dotted, gives, parameters
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.comparisons import spared
from placefix.facts.wording import unite
from placefix.prefilter.source_patterns import KEEPS, NOT_RUN, makes_on_host
from placefix.rules.tensors.unreached_code import SAYS_WHERE, class_around, doubt_of_callers, doubt_of_class
from placefix.torch_model import modules

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.device_facts import Creation, Handed, Since
    from placefix.facts.interpret.values import ClassInfo, Obj
    from placefix.facts.program.tree import Scope, Stmt
    from placefix.facts.wording import Doubt, Premise

_KEEPS = re.compile(KEEPS)
# Ends before the assignment operator, because another match may begin behind it; begins with a word for speed.
_WRITTEN = re.compile(
    r"self\.(?<!\wself\.)(\w+(?:\.\w+)*)\s*"
    r"(?=(?:[-+*/@%&|^]|//|\*\*|<<|>>)?=(?!=)|:[^=\n]*=(?!=)|,[^=\n()]*=(?!=))"
)
# Parameters and buffers as they are made mostly: no plain tensors.
_PARAMETERS = re.compile(
    r"(?:\bParameter\(|\bregister_buffer\(\s*[\"']\w+[\"'],\s*)torch\.\w+\s*\((?:[^()#\"']|\((?:[^()#\"']|\([^()#\"']*\))*\))*\)\s*[,)]"
)
_PLACED = re.compile(r"\.cuda\s*\(|\.to\s*\(|\bdevice\b")
_FUNCTION = "torch.autograd.Function"
_LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)


class Strays:
    """The strays of one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self.tree = context.tree
        self.infos = context.get(ClassSummaries).known
        self.found: dict[ast.AST, list[tuple[Creation, ConstraintRun]]] = {}
        self._runs: list[ConstraintRun] = []
        self._doubts: dict[Scope | None, Doubt | None] = {}
        self._certain: dict[tuple[int, int, bool, bool], Closure] = {}
        if "set_default_" in context.source.text and re.search(
            r"set_default_(?:tensor_type|device)", context.source.text
        ):
            return
        self._makes = self._patterns()
        self._made = self._loose(
            sorted(found.start() for made in self._makes for found in made.finditer(context.source.text))
        )
        helpers: dict[Scope, None] = {}
        for scope in list(self.tree.scopes.values()):
            if scope.is_class:
                for run in self._class(scope):
                    helpers.update(dict.fromkeys(s for s in run.called if s.parent is self.tree.root))
        for scope in helpers:
            self._take(self._run(scope, None))

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
                while isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute) and _keeps_place(made):
                    made = made.func.value
            elif not any(k.arg in ("device", "out") for k in node.keywords):
                continue
            if isinstance(made, ast.Call) and dotted(made.func):
                yield made

    def _places(self, call: ast.Call, method: str, scope: Scope) -> bool:
        """Whether the call of a method moves a tensor, and does not just change its type: beyond doubt."""
        if method != "to":
            return method in api.PLACING
        first = call.args[0] if call.args else next((k.value for k in call.keywords if k.arg == "device"), None)
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
        if not self._makes_in(scope) and not self._calls_makers(self.tree.text(scope)):
            return
        info = class_info(scope, self.infos)
        if "forward" not in info.methods or not (info.is_module or _FUNCTION in info.bases):
            return
        if info.places_self or len(info.indices) > 1 or info.own_moves:
            return  # the class places its parts itself
        if any(method.tree is not self.tree for method in info.methods.values()):
            return  # methods inherited from another file are not read here
        owner = Owner(info)
        self._attributes(owner, info)
        making = "".join(self.tree.text(info.methods[n]) for n in NOT_RUN if n in info.methods)
        words = [*(f"self.{a}" for a in owner.plain), *self._making_calls]
        reaching = self._reaching({n: m for n, m in info.methods.items() if n not in NOT_RUN}, words)
        for name, method in info.methods.items():
            if name in reaching and method.parent is scope and not self._only_makes(name, making, scope):
                run = self._run(method, owner)
                self._take(run)
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
        texts = {name: self.tree.text(function) for name, function in functions.items()}
        found = {n for n, text in texts.items() if self._makes_in(functions[n]) or any(word in text for word in words)}
        todo = list(found)
        while todo:
            callee = todo.pop()
            for name, text in texts.items():
                if name not in found and callee in text:
                    found.add(name)
                    todo.append(name)
        return found

    def _only_makes(self, name: str, making: str, scope: Scope) -> bool:
        """Whether a method is called from ``__init__`` alone, where everything is on the CPU."""
        if f"self.{name}" not in making:
            return False
        use = re.compile(rf"\bself\.{name}\b")
        return bool(use.search(making)) and len(use.findall(self.tree.text(scope))) == len(use.findall(making))

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

    def _take(self, run: ConstraintRun | None) -> None:
        for creation in run.creations if run is not None else ():
            if creation.exits and run is not None and not self._for_cpu(creation):
                self.found.setdefault(creation.node, []).append((creation, run))

    def _for_cpu(self, creation: Creation) -> bool:
        """Whether the tensor is for the CPU: in the other arm of a placement, ``if cuda: … .cuda() else: …``, or
        where a test has excluded CUDA."""
        for node in walk(creation.stmt.node):
            if isinstance(node, ast.IfExp) and (arm := self._arm(node, creation.node)) is not None:
                body, spares = arm is node.body, spared(node.test, _no_flag)
                if spares[0 if body else 1] or _PLACED.search(
                    self.tree.source.code(node.orelse if body else node.body)
                ):
                    return True
        for inner in creation.stmt.ancestors():
            left = [s for s in inner.suite.stmts[: inner.index] if isinstance(s.node, ast.If) and not s.node.orelse]
            if any(spared(s.node.test, _no_flag)[1] and isinstance(s.node.body[-1], _LEAVES) for s in left):  # type: ignore[attr-defined]
                return True
            owner = inner.parent
            if owner is None or not isinstance(owner.node, ast.If):
                continue
            others = [s for suite in owner.suites if suite is not inner.suite for s in suite.stmts]
            if (
                any(_PLACED.search(self.context.text(s)) for s in others)
                or spared(owner.node.test, _no_flag)[0 if inner.suite.arm == "body" else 1]
            ):
                return True
        return False

    @staticmethod
    def _arm(node: ast.IfExp, part: ast.AST) -> ast.expr | None:
        """The arm that holds `part`."""
        return next((arm for arm in (node.body, node.orelse) if any(inner is part for inner in walk(arm))), None)

    # --- attributes -----------------------------------------------------------------------------

    def _attributes(self, owner: Owner, info: ClassInfo) -> None:
        """Learn the kinds of the attributes from ``__init__``."""
        init = info.methods.get("__init__")
        if init is None:
            return
        tree = info.scope.tree
        writes = _writes(tree.text(info.scope))
        for stmt in init.body.stmts:
            node = stmt.node
            if not isinstance(node, (ast.Assign, ast.Expr)) or not isinstance(node.value, ast.Call):
                continue
            call = node.value
            name = tree.qualname(call.func, init)
            if isinstance(node, ast.Expr):
                if (
                    dotted(call.func) in ("self.register_buffer", "self.register_parameter")
                    and call.args
                    and isinstance(call.args[0], ast.Constant)
                ):
                    owner.parameters.add(str(call.args[0].value))
                continue
            attr = dotted(node.targets[0]).removeprefix("self.")
            if name in ("torch.nn.Parameter", "torch.nn.parameter.Parameter", "torch.nn.Buffer") and writes[attr] == 1:
                owner.parameters.add(attr)
                if call.args and self._makes_dimensions(call.args[0], init):
                    owner.shaped.add(attr)
        own = tree.text(init)
        if tree is not self.tree or init.parent is not info.scope or not _KEEPS.search(own):
            return
        if self._calls_makers(own) or (self._makes_in(init) and self._makes_plainly(own)):
            self._plain(owner, info, init, writes)

    def _plain(self, owner: Owner, info: ClassInfo, init: Scope, writes: Counter[str]) -> None:
        """The tensors that ``__init__`` makes on the CPU and that stay plain attributes; `writes`: how often the class sets which."""
        run = self._whole(init, None)
        if not run.creations or not run.ends:
            return
        text = self.tree.text(info.scope)
        made_super = False
        for top in init.body.stmts:
            made_super = made_super or ("__init__" in self.context.text(top) and isinstance(top.node, ast.Expr))
            for stmt in (top, *(s for suite in top.suites for s in suite.stmts)) if made_super else ():
                node = stmt.node
                if not isinstance(node, ast.Assign) or len(node.targets) != 1:
                    continue
                target = dotted(node.targets[0])
                attr = target.removeprefix("self.")
                if (
                    not target.startswith("self.")
                    or "." in attr
                    or attr in owner.plain
                    or writes[attr] != self._set_once(stmt, target)
                ):
                    continue
                ends = [
                    (end, value)
                    for end in run.ends
                    if (value := run.attribute_at(end, attr)) is not None and self._made_in(value, stmt)
                ]
                if not ends or (stmt is top and len(ends) != len(run.ends)):
                    continue
                has_dimension = all(("dims", value) in facts_at(end).known for end, value in ends) or (
                    self._makes_dimensions(node.value, init)
                )
                changed = re.search(rf"self\.{attr}\s*\.(?:to|cuda|cpu|requires_grad\w*|tolist|numpy)\b", text)
                taken = attr in info.scope.bindings or attr in info.methods or attr in owner.parameters
                if not changed and not taken and "requires_grad" not in self.context.text(stmt):
                    owner.plain[attr] = (node, stmt, has_dimension)

    def _makes_dimensions(self, node: ast.expr, init: Scope) -> bool:
        """Whether an expression is a call of a factory, for a tensor that has a dimension."""
        name = init.tree.qualname(node.func, init) if isinstance(node, ast.Call) else None
        return (
            isinstance(node, ast.Call)
            and name is not None
            and torch_model.is_factory(name)
            and has_dimension(name, node)
        )

    @staticmethod
    def _made_in(value: Obj, stmt: Stmt) -> bool:
        """Whether a value is made by one creation, which is in the statement if that is one of two arms."""
        return len(value.creations) == 1 and (
            stmt.parent is None or next(iter(value.creations)).node in walk(stmt.node)
        )

    @staticmethod
    def _set_once(stmt: Stmt, target: str) -> int:
        """How many statements bind `target`: this one, or one in each of two arms of an `if`; 0 where that is not so."""
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
        return len(sets) if all(len(found) == 1 for found in sets) else 0

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
        parameters = [run.attributes[name] for name in owner.parameters & run.attributes.keys()]
        shaped = [("dims", value) for value in parameters if value.attr in owner.shaped]
        shaped += [("dims", value) for number, value in enumerate(run.arguments_of.values()) if number - 1 in sized]
        ways = [Closure([*facts_at(end).known, *shaped], assumed=assumed) for end in run.ends]
        return bool(ways) and all(any(certain.reached(value)[0] & assumed for value in parameters) for certain in ways)

    def attributes(self) -> Iterator[Finding]:
        """Plain attributes that hold a tensor on the CPU and are used with tensors on the module's device."""
        for node, runs in self.found.items():
            if not isinstance(node, ast.Assign):
                continue
            for creation, run in runs:
                if not self._expressions(creation, run, run.everything):
                    continue
                beside = next(
                    (
                        t
                        for path in (*creation.exits, *creation.partial)
                        for t in self._beside(creation, run, path, assume=True)
                    ),
                    None,
                )
                if beside is None:
                    continue
                name = dotted(node.targets[0])
                span = self.context.span(node)
                text = self.context.text(node)
                buffer = f'self.register_buffer("{name.removeprefix("self.")}", {self.context.text(node.value)}, persistent=False)'
                premise = premises.ATTRIBUTE_IS_BUFFER(attribute=name)
                edits = (Replace(span, buffer, text),)
                yield Finding(
                    span,
                    "attribute",
                    edits,
                    premises=(premise,),
                    doubt=self._doubt(creation),
                    names=(name,),
                    beside=_thing(beside),
                )
                break

    # --- creations ------------------------------------------------------------------------------

    def creations(self) -> Iterator[Finding]:
        """Creations in functions."""
        for node, runs in self.found.items():
            stray = self._judge(node, runs) if isinstance(node, ast.Call) else None
            if stray is not None:
                span = self.context.source.span
                always = frozenset[ast.AST].intersection(*(frozenset(creation.fellows) for creation, _ in runs))
                yield stray._replace(shares=tuple(sorted(map(span, always))))

    def _judge(self, node: ast.Call, runs: list[tuple[Creation, ConstraintRun]]) -> Finding | None:
        what = "hidden" if any(c.hidden for c, _ in runs) else "created"
        if any(c.guarded for c, _ in runs):
            return None
        if not any(self._expressions(creation, run, run.everything) for creation, run in runs):
            return self._where_handed(runs, what)
        creation = runs[0][0]
        doubt = self._doubt(creation)
        sure = self._common(runs)
        if sure:
            return self._repaired(node, creation, what, sure[0], None, doubt)
        inner = [(c, r) for c, r in runs if r.scope is not creation.scope]
        if inner and len(inner) < len(runs) and self._any(inner):
            device = next(iter(self._common(inner)), "") or self._of_module(creation)
            premise = premises.CALLERS_NEED_IT_THERE(function=creation.scope.name)
            return self._repaired(node, creation, what, device, premise, doubt) if device else None
        some = self._any(runs)
        if some:
            return self._repaired(node, creation, what, some, premises.TOGETHER_ON_SOME_PATHS, doubt)
        needed = self._common(runs, maybe=True)
        if needed:
            premise = premises.RECEIVER_NEEDS_OWN_DEVICE
            return self._repaired(node, creation, what, needed[0], premise, doubt or premises.ACCEPTED_ON_CPU)
        assumed = self._common(runs, assume=True)
        if assumed:
            premise = premises.NAME_IS_TENSOR(name=_thing(assumed[0]))
            return self._repaired(node, creation, what, assumed[0], premise, doubt)
        return None

    def _doubt(self, creation: Creation) -> Doubt | None:
        """Why the program may run without error although a tensor is made on the CPU; None if it fails once the module is placed."""
        if self._runs_unplaced:
            return premises.NOTHING_PLACED
        if self._unasked(creation):
            return premises.NOT_ASKED_FOR
        cls = class_around(creation.scope)
        if cls not in self._doubts:
            self._doubts[cls] = doubt_of_class(self.context, cls)
        return self._doubts[cls]

    @cached_property
    def _runs_unplaced(self) -> bool:
        """Whether the file uses its modules itself, and does not mention devices."""
        text = self.context.source.text
        if self.context.settings.add_placement or SAYS_WHERE.search(text):
            return False
        for scope in self.tree.scopes.values():
            if scope.is_class and class_info(scope, self.infos).is_module:
                for _, stmt in self.context.index.called(scope.name):
                    tried = (
                        any(_is_main(s) for s in stmt.ancestors()) and ".backward(" not in text
                    )  # of a library's file
                    if not isinstance(stmt.node, ast.Return) and not tried and not self._in_module(stmt):
                        return True
        return False

    def _in_module(self, stmt: Stmt) -> bool:
        """Whether a statement is in a class of modules."""
        scope: Scope | None = stmt.scope
        while scope is not None and not scope.is_class:
            scope = scope.parent
        return scope is not None and class_info(scope, self.infos).is_module

    def _unasked(self, creation: Creation) -> bool:
        """Whether a private function makes it only for a parameter that is off by default, and that no call of the file gives."""
        function = creation.scope.function if creation.scope.is_function else None
        if not isinstance(function, ast.FunctionDef) or not function.name.startswith("_") or function.args.vararg:
            return False
        named, given = list(parameters(function.args)), defaults(function.args)
        for stmt in (creation.stmt, *creation.stmt.ancestors()):
            owner = stmt.suite.owner
            test = owner.node.test if owner is not None and isinstance(owner.node, ast.If) else None
            default = given.get(test.id) if isinstance(test, ast.Name) and stmt.suite.arm == "body" else None
            if isinstance(test, ast.Name) and isinstance(default, ast.Constant) and not default.value:
                number = named.index(test.id) - (named[0] in ("self", "cls"))
                calls = [call for call, _ in self.context.index.called(function.name)]
                return bool(calls) and not any(gives(call, number, test.id) for call in calls)
        return False

    def _where_handed(self, runs: list[tuple[Creation, ConstraintRun]], what: str) -> Finding | None:
        """The move of a function's result at its calls, if the function itself has no tensor to take the device from."""
        for assume in (False, True):
            for call, run, exits in ((h, r, c.exits) for c, r in runs for h in c.handed):
                found = [list(self._beside(call, run, path, assume=assume)) for path in exits]
                device = next((t for t in found[0] if all(t in texts for texts in found)), "") if found else ""
                if device:
                    source = self.context.source
                    span = source.span(call.node)
                    text = source.segment(span)
                    edit = Replace(span, f"{text}.to({device})", text)
                    premise = premises.NAME_IS_TENSOR(name=_thing(device)) if assume else None
                    doubt = self._doubt(runs[0][0])
                    name = source.segment(source.span(call.node.func))
                    return Finding(
                        span, what, (edit,), premises=unite(premise), doubt=doubt, names=(name,), beside=_thing(device)
                    )
        return None

    def _common(self, runs: list[tuple[Creation, ConstraintRun]], **weaker: bool) -> list[str]:
        """Expressions of tensors on the same device as the creation, on every path of every run."""
        common: list[str] | None = None
        for creation, run in runs:
            for path in creation.exits:
                texts = self._beside(creation, run, path, **weaker)
                common = list(texts) if common is None else [t for t in common if t in texts]
                if not common:
                    return []
        return common or []

    def _any(self, runs: list[tuple[Creation, ConstraintRun]]) -> str:
        """The first expression of a tensor on the same device on some path; "" if there is none."""
        for creation, run in runs:
            if not self._expressions(creation, run, run.everything):
                continue  # nothing follows from all facts, so nothing follows on any path
            paths = {
                (id(known), id(beside)): (known, beside) for known, beside in (*creation.exits, *creation.partial)
            }.values()
            if len(paths) > 2:
                parts = {id(part): part for path in paths for part in path}.values()
                if not self._expressions(creation, run, Closure(set().union(*parts))):
                    continue
            for path in paths:
                for text in self._beside(creation, run, path):
                    return text
        return ""

    @staticmethod
    def _of_module(creation: Creation) -> str:
        me = next((n for n, v in creation.names.items() if v.param == "self"), "")
        return f"next({me}.parameters()).device" if me else ""

    def _beside(
        self, creation: Creation | Handed, run: ConstraintRun, path: Since, *, maybe: bool = False, assume: bool = False
    ) -> dict[str, None]:
        """Expressions in the creation's function of tensors on the creation's device, by the facts that are certain on a path.

        maybe: assume that layers accept only tensors on their device. assume: assume that the arguments of `forward` are tensors.
        """
        assumed: list[Obj] = []
        if assume and run.scope.name == "forward":
            assumed = run.assumed
        known, beside = path
        key = id(known), id(beside) if beside else 0, maybe, bool(assumed)  # they live as long as their creations
        certain = self._certain.get(key)
        if certain is None:
            certain = self._certain[key] = Closure(known | beside if beside else known, maybe=maybe, assumed=assumed)
        return self._expressions(creation, run, certain)

    @staticmethod
    def _expressions(creation: Creation | Handed, run: ConstraintRun, certain: Closure) -> dict[str, None]:
        """Expressions in the creation's function of tensors on the creation's device, the best first."""
        together, tensors = certain.reached(creation.value)
        if len(together) == 1 and not tensors:
            return {}
        names = {n: v for n, v in creation.names.items() if n.isidentifier()}
        arguments = {a.arg for a in walk(creation.scope.function.args) if isinstance(a, ast.arg)}
        found = [n for n, v in names.items() if v.kind == "device" and v.base in tensors]
        found += sorted(
            (f"{n}.device" for n, v in names.items() if v in tensors),
            key=lambda t: t.partition(".")[0] not in arguments,
        )
        me = (
            "self"
            if isinstance(creation.node, ast.Assign)
            else next((n for n, v in names.items() if v is run.instance), "")
        )
        for attr, value in run.attributes.items() if me else ():
            if value in tensors and run.is_kept(attr):
                found.append(f"{me}.{attr}.device")
            elif value in run.layers and value in together:
                weight = modules.has_weight(run.layers[value])
                found.append(f"{me}.{attr}.weight.device" if weight else f"next({me}.{attr}.parameters()).device")
        if isinstance(creation.node, ast.Assign):
            found += [f"{n}.device" for n, v in run.arguments_of.items() if v in tensors]
        return dict.fromkeys(found)

    # --- repairs ---------------------------------------------------------------------------------

    def _repaired(
        self, node: ast.Call, creation: Creation, what: str, device: str, premise: Premise | None, doubt: Doubt | None
    ) -> Finding:
        source = self.context.source
        name = source.segment(source.span(node.func))
        doubt = doubt or doubt_of_callers(self.context, creation.scope, _thing(device))
        bound = self._read_by_numpy(creation)
        if bound:
            why = reasons.READ_BY_NUMPY(name=bound)
            return Finding(source.span(node), what, why_not=why, doubt=doubt, names=(name,), beside=_thing(device))
        edit = self._moved(node, creation.stmt, device)
        return Finding(
            source.span(node), what, (edit,), premises=unite(premise), doubt=doubt, names=(name,), beside=_thing(device)
        )

    def _read_by_numpy(self, creation: Creation) -> str:
        """The name of a tensor that the function passes to numpy without a move; "" if it does not."""
        node = creation.stmt.node
        name = dotted(node.targets[0]) if isinstance(node, ast.Assign) and len(node.targets) == 1 else ""
        start, end = self.tree.extent(creation.scope)
        if not creation.stmt.in_loop():  # above the creation the name has another value
            start = self.context.source.span(node).end
        text = self.context.source.text[start:end] if name else ""
        if "numpy" not in text and "np." not in text:
            return ""
        own = rf"(?<![\w.]){re.escape(name)}"
        reads = rf"{own}(?:\.(?!cpu\b)\w+(?:\([^()]*\))?)*\.numpy\s*\(|\b(?:np|numpy)(?:\.\w+)+\(\s*{own}\s*[,)]"
        return name if re.search(reads, text) else ""

    def made_at(self, node: ast.Call, stmt: Stmt, device: str, premise: Premise) -> Finding:
        """A hidden state that `stmt` makes with a call of a factory, and is to make on a device."""
        source = self.context.source
        return Finding(
            source.span(node),
            "hidden",
            (self._moved(node, stmt, device),),
            premises=(premise,),
            doubt=premises.CALLERS_MAY_MOVE,
            names=(source.segment(source.span(node.func)),),
            beside=_thing(device),
        )

    def _moved(self, node: ast.Call, stmt: Stmt, device: str) -> Replace:
        """``zeros(…, device=…)``, or ``.to(…)`` where that would draw other numbers or is not to be had."""
        name = self.tree.qualname(node.func, stmt.scope) or ""
        leaf = any(k.arg == "requires_grad" for k in node.keywords)
        if torch_model.takes_device(name) and (leaf or not torch_model.is_random(name)):
            return self._with_argument(node, f"device={device}")
        source = self.context.source
        span = source.span(self._chain(node, stmt))
        text = source.segment(span)
        return Replace(span, f"{text}.to({device})", text)

    def _chain(self, node: ast.Call, stmt: Stmt) -> ast.expr:
        """``from_numpy(a).float()`` around ``from_numpy(a)``, if a statement assigns or returns that."""
        value = getattr(stmt.node, "value", None)
        part = value
        while isinstance(part, ast.Call) and part is not node:
            func = part.func
            if not isinstance(func, ast.Attribute) or not _keeps_place(part):
                return node
            part = func.value
        return value if part is node and isinstance(value, ast.expr) else node

    def _with_argument(self, node: ast.Call, argument: str) -> Replace:
        source = self.context.source
        span = source.span(node)
        text = source.segment(span)
        last = max(source.span(n).end for n in (*node.args, *(k.value for k in node.keywords))) - span.start
        rest = re.sub(r"#[^\r\n]*", "", text[last:])
        if rest.strip(" \t\r\n,\\") != ")":  # parentheses around the last argument
            last = len(text) - 1
        return Replace(span, f"{text[:last]}, {argument}{text[last:]}", text)


def _keeps_place(call: ast.Call) -> bool:
    """Whether the result of a method is on the device of its tensor, with any arguments."""
    operator = torch_model.method(call.func.attr) if isinstance(call.func, ast.Attribute) else None
    if operator is None or not operator.follows or not operator.gives_tensor:
        return False
    taken = [(operator.operand(place, None, method=True), a) for place, a in enumerate(call.args)]
    taken += [(operator.operand(0, k.arg), k.value) for k in call.keywords]
    return all(
        operand is None or operator.lies_apart(operand) or isinstance(value, (ast.Constant, ast.UnaryOp))
        for operand, value in taken
    )


def _is_main(stmt: Stmt) -> bool:
    """Whether a statement is ``if __name__ == "__main__":``."""
    return isinstance(stmt.node, ast.If) and any(
        isinstance(n, ast.Name) and n.id == "__name__" for n in walk(stmt.node.test)
    )


def _thing(device: str) -> str:
    """``x`` of ``x.device``."""
    return device.removesuffix(".device")


def _writes(text: str) -> Counter[str]:
    """How often code assigns each attribute of ``self``, and attributes of those, by their dotted names behind it."""
    return Counter(_WRITTEN.findall(text))


def _no_flag(name: str) -> bool:
    """No name counts as a flag for CUDA: its value is not looked up."""
    return False
