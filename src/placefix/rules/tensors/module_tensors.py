"""Tensors that the code of a module makes on the CPU although they meet its input or its weights.

`ModuleRuns` has the proofs; this module combines them over all runs of a creation, and writes the repair.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.facts import premises, reasons
from placefix.facts.finding import Finding
from placefix.facts.interpret.class_summaries import ClassSummaries, class_info
from placefix.facts.interpret.constraint_operators import may_be_number
from placefix.facts.interpret.device_facts import Closure
from placefix.facts.program.ast_names import defaults, may_give, parameters
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.device_values import named_device
from placefix.facts.program.statement_forms import is_main_guard
from placefix.facts.program.tree import dominates
from placefix.facts.wording import unite
from placefix.rules.tensors.creation_repairs import CreationRepairs
from placefix.rules.tensors.idle_moves import idle_moves
from placefix.rules.tensors.module_runs import ModuleRuns
from placefix.rules.tensors.operand_devices import expressions, named_partner
from placefix.rules.tensors.tensor_moves import moved
from placefix.rules.tensors.unreached_code import SAYS_WHERE, doubt_of_callers, doubt_of_class

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.constraint_runs import ConstraintRun
    from placefix.facts.interpret.device_facts import Creation, Handed, Since
    from placefix.facts.interpret.values import Obj
    from placefix.facts.program.tree import Scope, Stmt
    from placefix.facts.wording import Doubt, Premise


class ModuleTensors:
    """The strays of one file."""

    def __init__(self, context: AnalysisContext) -> None:
        runs = context.get(ModuleRuns)
        self.context = context = runs.context  # which may read other files
        self.tree = context.tree
        self.infos = context.get(ClassSummaries).known
        self._runs = runs
        self._repairs = CreationRepairs(context)
        self.found = runs.found
        self._doubts: dict[Scope | None, Doubt | None] = {}
        self._arrays: dict[ast.Call, list[str]] = {}  # the devices of creations if they have a dimension
        self._certain: dict[tuple[int, int, bool, bool, bool], Closure] = {}

    # --- creations ------------------------------------------------------------------------------

    def creations(self) -> Iterator[Finding]:
        """Creations in functions."""
        for node, stray in self._judged.items():
            if stray is not None:
                span, runs = self.context.source.span, self.found[node]
                always = frozenset[ast.AST].intersection(*(frozenset(creation.fellows) for creation, _ in runs))
                whole = self._completed(stray, runs[0][0], always)
                yield whole._replace(shares=tuple(sorted(map(span, always))))

    def _completed(self, stray: Finding, creation: Creation, fellows: frozenset[ast.AST]) -> Finding:
        """The finding of a creation with the repairs of the others in its function without which the function would fail on a device all
        the same, and that are no findings of their own: the operands of one operation, `fellows`, and those that are used with the same
        tensor if they are no numbers. Where the creation is made on every path to them, the program has ended on a device before."""
        for node, other in self._judged.items() if stray.edits and stray.device else ():
            made = self.found[node][0][0]
            if (
                (other is not None and not made.has_unseen_dimensions)
                or made is creation
                or made.scope is not creation.scope
                or may_be_number(made)
            ):
                continue
            if node not in self._arrays:
                self._arrays[node] = self._common(self.found[node], sized=True)
            devices = self._arrays[node]
            behind = dominates(creation.stmt, made.stmt)
            if node not in fellows and not (behind and devices):
                continue
            valid = stray.device in devices if devices else _have_same_names(stray.device, creation, made)
            if valid and not self._repairs.read_by_numpy(made):
                assumed = None if behind else premises.TOGETHER_ON_SOME_PATHS
                moves = self._repairs.moved(node, made.stmt, stray.device)
                stray = stray._replace(edits=(*stray.edits, moves), premises=unite(stray.premises, assumed))
            elif node in fellows:
                name, row = self.context.text(node.func), self.context.source.row_name(node.lineno)
                stray = stray._replace(premises=unite(stray.premises, premises.STAYS_BESIDE(name=name, line=row)))
        return stray

    @cached_property
    def _judged(self) -> dict[ast.Call, Finding | None]:
        """The findings about creations in the code of modules, by the call; None where nothing is found."""
        return {node: self._judge(node, runs) for node, runs in self.found.items() if isinstance(node, ast.Call)}

    def in_functions(self) -> Iterator[Finding]:
        """Creations in other functions, which must be where an argument is of which the function reads the device, or where a tensor is
        that the function places; and those of methods of modules for which the module itself shows no device."""
        unjudged = {node: self.found[node][0][0].scope for node, stray in self._judged.items() if stray is None}
        alone = (pair for scope in dict.fromkeys(unjudged.values()) for pair in self._runs.found_in(scope).items())
        kept = [(node, runs) for node, runs in alone if node in unjudged]
        for node, runs in (*self._runs.found_in_functions.items(), *kept):
            if isinstance(node, ast.Call) and not any(c.guarded for c, _ in runs):
                found = self._beside_others(node, runs)
                if found is not None:
                    yield found
        for creation, run in self._runs.made_for_functions():
            found = self._result_beside(creation, run)
            if found is not None:
                yield found

    def _result_beside(self, creation: Creation, run: ConstraintRun) -> Finding | None:
        """The result of a function of the file that the function around the call uses with a tensor of which it reads the device. A tensor that
        only one arm of the callee makes may be none of this call."""
        if any(isinstance(outer.node, ast.If) for outer in creation.stmt.ancestors()):
            return None
        call = next((handed for handed in creation.handed if handed.scope is run.scope), None)
        found = [list(self.texts_beside(call, run, path)) for path in creation.exits] if call is not None else []
        if call is None or not found or creation.guarded or expressions(creation, run, run.everything):
            return None
        device = next((one for one in self._named(found[0], call) if all(one in texts for texts in found)), "")
        moved_result = self._moved_result(call, device, "beside", None, premises.NOTHING_FAILS_ON_CPU)
        return moved_result._replace(device=device) if device else None

    def _beside_others(self, node: ast.Call, runs: list[tuple[Creation, ConstraintRun]]) -> Finding | None:
        """A creation of a function that reads the device of a tensor or places one, which the creation meets."""
        creation = runs[0][0]
        own = [(c, run) for c, run in runs if run.scope is c.scope]  # of the function alone: they count for any call
        placed = self._placed_beside(runs) or self._placed_beside(own)
        tensors = self._common(runs) or self._common(own)
        shown = tensors if placed else self._named(tensors, creation)
        device = next(iter(shown or self._lasting(placed, creation.stmt)), "")
        premise, unseen = None, premises.NOTHING_FAILS_ON_CPU
        if not device and (tensors := self._common(own, assume=True)):
            device = next(iter(self._named(tensors, creation)), "")
            premise = premises.NAME_IS_TENSOR(name=thing(device))
        if not device and (module := self.returning(own)):
            tensors = self._common(own, returns=True)
            device = next(iter(self._named(tensors, creation)), "")
            premise = premises.RETURNS_ON_DEVICE(module=module)
        if not device and (tensors := list(self._some(own))):
            device, premise = next(iter(self._named(tensors, creation)), ""), premises.TOGETHER_ON_SOME_PATHS
        beside = next((thing(text) for text in tensors if "." in text), "")
        if not device or doubt_of_callers(self.context, creation.scope, beside) is not None:
            return None
        return self._repaired(node, creation, "beside", device, premise, unseen)._replace(device=device)

    def _named(self, tensors: list[str], creation: Creation | Handed) -> list[str]:
        """Those of several devices of tensors that the function names, by a name for the device or by the attribute, or another function
        for an argument of the same name; all of them where it reads the device of another argument: then these may be on one as well."""
        alike = self._runs.with_device(creation.scope)
        own = [one for one in tensors if "." not in one or thing(one) in alike or self._reads(one, creation.scope)]
        given = parameters(creation.scope.function.args) if creation.scope.is_function else ()
        others = (f"{name}.device" for name in given if name != "self")
        return own or (tensors if any(self._reads(device, creation.scope) for device in others) else [])

    def _reads(self, text: str, scope: Scope) -> bool:
        """Whether a function reads a dotted text."""
        return any(stmt.scope.within(scope) for _, stmt in self.context.index.read(text))

    def _placed_beside(self, runs: list[tuple[Creation, ConstraintRun]]) -> dict[str, str]:
        """The calls that place tensors which, on every path, must be where the creation is; by their text, the text of the device."""
        ways = [
            {
                v.origin
                for v in Closure(known | beside if beside else known).reached(creation.value)[0]
                if not v.creations
            }
            for creation, _ in runs
            for known, beside in creation.exits
        ]
        common = set.intersection(*ways) if ways else set()
        calls = sorted((c for c in common if isinstance(c, ast.Call)), key=lambda c: (c.lineno, c.col_offset))
        found = ((self.context.text(call), named_device(call)) for call in calls)
        return {text: device for text, device in found if device}

    def _lasting(self, placed: dict[str, str], stmt: Stmt) -> Iterator[str]:
        """The devices that a function receives and does not bind again, a parameter, its device or an attribute of ``self``, and those that
        it binds once, before a statement."""
        scope = stmt.scope
        for device in placed.values():
            name, _, rest = device.partition(".")
            bound = self._bound(device, scope)
            given = name in parameters(scope.function.args) and not bound
            given = given and (not rest or name == "self" or (rest == "device" and not self._bound(name, scope)))
            given = given and not self._bound(thing(device), scope)  # self.x of self.x.device
            binds_once = not rest and len(bound) == 1 and self.context.index.binding(scope, name) == bound
            if given or (binds_once and dominates(bound[0], stmt)):
                yield device

    def _bound(self, text: str, scope: Scope) -> list[Stmt]:
        """The statements of a function that bind a name or an attribute."""
        return [write.stmt for write in self.context.index.writes.get(text, ()) if write.stmt.scope is scope]

    def _judge(self, node: ast.Call, runs: list[tuple[Creation, ConstraintRun]]) -> Finding | None:
        what = "hidden" if any(c.hidden for c, _ in runs) else "created"
        if any(c.guarded for c, _ in runs):
            return None
        if not any(expressions(creation, run, run.everything) for creation, run in runs):
            return self._where_handed(runs, what) or self._of_unseen_dimensions(node, runs, what)
        creation = runs[0][0]
        doubt = self.doubt_of(creation)
        sure = self._common(runs)
        if sure:
            return self._repaired(node, creation, what, named_partner(runs) or sure[0], None, doubt)
        inner = [(c, r) for c, r in runs if r.scope is not creation.scope]
        if inner and len(inner) < len(runs) and next(self._some(inner), ""):
            device = next(iter(self._common(inner)), "") or self._of_module(creation)
            premise = premises.CALLERS_NEED_IT_THERE(function=creation.scope.name)
            return self._repaired(node, creation, what, device, premise, doubt) if device else None
        some = next(self._some(runs), "")
        if some:
            return self._repaired(node, creation, what, some, premises.TOGETHER_ON_SOME_PATHS, doubt)
        returned = self._returned(runs, what, doubt, returns=True)
        if returned is not None:
            return returned
        return self._assumed(runs, inner, what, doubt)

    def _of_unseen_dimensions(
        self, node: ast.Call, runs: list[tuple[Creation, ConstraintRun]], what: str
    ) -> Finding | None:
        """An array that meets a tensor if it has a dimension."""
        creation = runs[0][0]
        sure = self._common(runs, sized=True) if creation.has_unseen_dimensions else []
        doubt = self.doubt_of(creation)
        return self._repaired(node, creation, what, named_partner(runs) or sure[0], None, doubt) if sure else None

    def _assumed(
        self,
        runs: list[tuple[Creation, ConstraintRun]],
        inner: list[tuple[Creation, ConstraintRun]],
        what: str,
        doubt: Doubt | None,
    ) -> Finding | None:
        """A creation that meets a tensor only by assumption. inner: the runs in which another function makes it."""
        node, creation = runs[0][0].node, runs[0][0]
        assert isinstance(node, ast.Call)
        needed = self._common(runs, maybe=True) or self._common(inner, maybe=True)
        if needed:
            premise = premises.RECEIVER_NEEDS_OWN_DEVICE
            return self._repaired(node, creation, what, needed[0], premise, doubt or premises.ACCEPTED_ON_CPU)
        assumed = self._common(runs, assume=True) or self._common(inner, assume=True)
        if assumed:
            beside = thing(assumed[0])
            if any(run.scope.name != "forward" for _, run in runs):
                doubt = doubt or premises.MODEL_DEVICE_NOT_SEEN(model=beside)
            return self._repaired(node, creation, what, assumed[0], premises.NAME_IS_TENSOR(name=beside), doubt)
        both = self._common(runs, maybe=True, assume=True)
        if both:
            told = unite(premises.RECEIVER_NEEDS_OWN_DEVICE, premises.NAME_IS_TENSOR(name=thing(both[0])))
            return self._repaired(node, creation, what, both[0], None, doubt or premises.ACCEPTED_ON_CPU)._replace(
                premises=told
            )
        return self._returned(runs, what, doubt, returns=True, maybe=True, assume=True)

    def _returned(
        self, runs: list[tuple[Creation, ConstraintRun]], what: str, doubt: Doubt | None, **weaker: bool
    ) -> Finding | None:
        """A creation that meets the result of a module that is not seen."""
        module = self.returning(runs)
        found = self._common(runs, **weaker) if module else None
        if not found:
            return None
        premise, unseen = premises.RETURNS_ON_DEVICE(module=module), premises.RESULT_NOT_SEEN(module=module)
        creation = runs[0][0]
        assert isinstance(creation.node, ast.Call)
        return self._repaired(creation.node, creation, what, found[0], premise, doubt or unseen)

    def returning(self, runs: list[tuple[Creation, ConstraintRun]]) -> str:
        """The text of a module whose result meets a creation, if that is where the module is; "" if there is none."""
        for creation, run in runs:
            results = run.everything.reached(creation.value)[0] & run.unseen_results.keys()
            made = (run.unseen_results[result].call for result in results)
            calls = sorted((c for c in made if isinstance(c, ast.Call)), key=lambda c: (c.lineno, c.col_offset))
            if calls:
                return self.context.text(calls[0].func)
        return ""

    def doubt_of(self, creation: Creation) -> Doubt | None:
        """Why the program may run without error although a tensor is made on the CPU; None if it fails once the module is placed."""
        if self._runs_unplaced:
            return premises.NOTHING_PLACED
        if self._unasked(creation):
            return premises.NOT_ASKED_FOR
        cls = creation.scope.class_around
        if cls not in self._doubts:
            self._doubts[cls] = doubt_of_class(self.context, cls)
        return self._doubts[cls] or (premises.DIMENSION_NOT_SEEN if creation.has_unseen_dimensions else None)

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
                        any(is_main_guard(s) for s in stmt.ancestors()) and ".backward(" not in text
                    )  # of a library's file
                    if not isinstance(stmt.node, ast.Return) and not tried and not self._in_module(stmt):
                        return True
        return False

    def _in_module(self, stmt: Stmt) -> bool:
        """Whether a statement is in a class of modules."""
        cls = stmt.scope.class_around
        return cls is not None and class_info(cls, self.infos).is_module

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
                return bool(calls) and not any(may_give(call, test.id, position=number) for call in calls)
        return False

    def _where_handed(self, runs: list[tuple[Creation, ConstraintRun]], what: str) -> Finding | None:
        """The move of a function's result at its calls, if the function itself has no tensor to take the device from."""
        for assume in (False, True):
            for call, run, exits in ((h, r, c.exits) for c, r in runs for h in c.handed):
                found = [list(self.texts_beside(call, run, path, assume=assume)) for path in exits]
                device = next((t for t in found[0] if all(t in texts for texts in found)), "") if found else ""
                if device:
                    premise = premises.NAME_IS_TENSOR(name=thing(device)) if assume else None
                    return self._moved_result(call, device, what, premise, self.doubt_of(runs[0][0]))
        return None

    def _moved_result(
        self, call: Handed, device: str, what: str, premise: Premise | None, doubt: Doubt | None
    ) -> Finding:
        """The move of a function's result."""
        source = self.context.source
        span = source.span(call.node)
        return Finding(
            span,
            what,
            (moved(source, call.node, device),),
            premises=unite(premise),
            doubt=doubt,
            names=(self.context.text(call.node.func),),
            beside=thing(device),
        )

    def _common(self, runs: list[tuple[Creation, ConstraintRun]], **weaker: bool) -> list[str]:
        """Expressions of tensors on the same device as the creation, on every path of every run."""
        common: list[str] | None = None
        for creation, run in runs:
            for path in creation.exits:
                texts = self.texts_beside(creation, run, path, **weaker)
                common = list(texts) if common is None else [t for t in common if t in texts]
                if not common:
                    return []
        return common or []

    def _some(self, runs: list[tuple[Creation, ConstraintRun]]) -> Iterator[str]:
        """Expressions of tensors on the same device on some path."""
        for creation, run in runs:
            if not expressions(creation, run, run.everything):
                continue  # nothing follows from all facts, so nothing follows on any path
            paths = {
                (id(known), id(beside)): (known, beside) for known, beside in (*creation.exits, *creation.partial)
            }.values()
            if len(paths) > 2:
                parts = {id(part): part for path in paths for part in path}.values()
                if not expressions(creation, run, Closure(set().union(*parts))):
                    continue
            for path in paths:
                yield from self.texts_beside(creation, run, path)

    @staticmethod
    def _of_module(creation: Creation) -> str:
        me = next((n for n, v in creation.names.items() if v.param == "self"), "")
        return f"next({me}.parameters()).device" if me else ""

    def texts_beside(
        self,
        creation: Creation | Handed,
        run: ConstraintRun,
        path: Since,
        *,
        maybe: bool = False,
        assume: bool = False,
        returns: bool = False,
        sized: bool = False,
    ) -> dict[str, None]:
        """Expressions in the creation's function of tensors on the creation's device, by the facts that are certain on a path.

        maybe: assume that layers accept only tensors on their device. assume: assume that the arguments of `forward` are tensors, and those
        that are on a device by their names. returns: assume that the results of modules are on their devices. sized: assume that the
        creation has a dimension.
        """
        assumed: list[Obj] = []
        if assume:
            named = (run.arguments_of.get(name) for name in self._runs.with_device(run.scope, of_class=True))
            assumed = run.assumed if run.scope.name == "forward" else [value for value in named if value is not None]
        known, beside = path
        if sized:
            return expressions(creation, run, Closure([*known, *beside, ("dims", creation.value)]))
        key = (
            id(known),
            id(beside) if beside else 0,
            maybe,
            bool(assumed),
            returns,
        )  # they live as long as their creations
        certain = self._certain.get(key)
        if certain is None:
            certain = self._certain[key] = Closure(
                known | beside if beside else known, maybe=maybe, assumed=assumed, returns=returns
            )
        return expressions(creation, run, certain)

    # --- repairs ---------------------------------------------------------------------------------

    def _repaired(
        self, node: ast.Call, creation: Creation, what: str, device: str, premise: Premise | None, doubt: Doubt | None
    ) -> Finding:
        source = self.context.source
        name = source.segment(source.span(node.func))
        doubt = doubt or doubt_of_callers(self.context, creation.scope, thing(device))
        bound = self._repairs.read_by_numpy(creation)
        if bound:
            why = reasons.READ_BY_NUMPY(name=bound)
            return Finding(source.span(node), what, why_not=why, doubt=doubt, names=(name,), beside=thing(device))
        edits = [self._repairs.moved(node, creation.stmt, device)]
        if self._repairs.chain(node, creation.stmt) is getattr(creation.stmt.node, "value", None):
            edits += idle_moves(self.context, creation.stmt, device)
        return Finding(
            source.span(node),
            what,
            (*edits,),
            premises=unite(premise),
            device=device,
            doubt=doubt,
            names=(name,),
            beside=thing(device),
        )

    def made_at(self, node: ast.Call, stmt: Stmt, device: str, premise: Premise) -> Finding:
        """A hidden state that `stmt` makes with a call of a factory, and is to make on a device."""
        source = self.context.source
        return Finding(
            source.span(node),
            "hidden",
            (self._repairs.moved(node, stmt, device),),
            premises=(premise,),
            doubt=premises.CALLERS_MAY_MOVE,
            names=(source.segment(source.span(node.func)),),
            beside=thing(device),
        )


def _have_same_names(device: str, one: Creation, other: Creation) -> bool:
    """Whether the names in the text of a device have the same values at two creations."""
    names = (part.id for part in walk(ast.parse(device)) if isinstance(part, ast.Name))
    return all(one.names.get(name) is other.names.get(name) for name in names)


def thing(device: str) -> str:
    """``x`` of ``x.device``."""
    return device.removesuffix(".device")
