"""Values that arrive with one that the code moves: the evidence in a run of the file, and the assumptions about them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts import premises
from placefix.facts import torch_api as api
from placefix.facts.interpret.class_summaries import moves_in
from placefix.facts.interpret.values import UNKNOWN_PLACE
from placefix.facts.naming import mentions_device_word, mentions_host_loader, mentions_modules
from placefix.facts.program.assignments import assigned_text
from placefix.facts.program.ast_names import (
    argument_values,
    defaults,
    dotted,
    every_parameter,
    parameters,
    plain_parameters,
    under_methods,
)
from placefix.facts.program.ast_walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from placefix.facts.context import AnalysisContext
    from placefix.facts.interpret.flow import Flow
    from placefix.facts.interpret.values import Event, Obj, Place
    from placefix.facts.program.tree import Scope, Stmt
    from placefix.facts.wording import Doubt, Premise


class Assumption(NamedTuple):
    """That a value arrives on the CPU. premise: why. through: whether only a conflict with the input or the result of a module counts: an
    argument, or the result of a call, may hold the output of a module. function: for an argument beside one that a function moves, and
    for the result of a call, the function: elsewhere the two need not belong together."""

    premise: Premise
    through: bool = False
    function: Scope | None = None


# By the expression, the parameter or the target where a value enters the code.
Assumptions = dict[ast.AST, Assumption]

_OF_LOADERS = {premises.LOADER_BY_NAME(loader="").key, premises.ARRIVES_AS_IN(loader="", function="").key}
_ARRIVES = {premises.ARRIVES_WITH(other="").key, premises.ARRIVES_AS_FOR(name="", function="").key, *_OF_LOADERS}
_YIELDS_ITEMS = frozenset(("items", "values"))
_RETURNS = premises.RETURNS_ON_DEVICE(module="").key
_METHOD_RETURNS = (premises.METHOD_RETURNS_ON_DEVICE(method="").key,)


def is_given_tensor(value: Obj) -> bool:
    """Whether a value is an argument that is a tensor by its annotation, and nothing shows where it is."""
    return (
        value.kind == "tensor"
        and bool(value.param)
        and value.place == UNKNOWN_PLACE
        and isinstance(value.origin, ast.arg)
    )


def is_assumed_to_arrive(value: Obj) -> bool:
    """Whether a value is assumed to arrive on the CPU."""
    return value.rests_on(_ARRIVES)


def comes_from_loader(value: Obj) -> bool:
    """Whether a value is assumed to arrive on the CPU as an item of a loader."""
    return value.rests_on(_OF_LOADERS)


def comes_from_caller(value: Obj) -> bool:
    """Whether a value that is assumed to arrive on the CPU is a part of an argument, or of the result of a call."""
    origin = batch_of(value).origin
    return isinstance(origin, ast.arg) or (isinstance(origin, ast.Call) and not _is_next(origin))


def returns_on_device(value: Obj) -> list[Premise]:
    """The premises of a value that a module which is not seen returns it on the device of its arguments."""
    return [premise for premise in value.premises if premise.key == _RETURNS]


def is_of_method(value: Obj) -> bool:
    """Whether a value is computed from one that a method of a module is assumed to return on the device of its arguments."""
    return value.rests_on(_METHOD_RETURNS)


def doubt_of_results(values: Iterable[Obj]) -> Doubt | None:
    """That a module which is not seen, and returned one of these, may move its arguments; None if no such module did."""
    returned = next((premise for value in values for premise in returns_on_device(value)), None)
    return premises.MAY_MOVE_ARGUMENTS(function=returned.field("module")) if returned is not None else None


def assumptions(context: AnalysisContext, flow: Flow) -> Assumptions:
    """The values that arrive on the CPU, as a run of the file shows: with one that is moved, or from a loader."""
    moves = [event for event in flow.index.of_kind("place") if _shows_batch(event) and _is_taken_here(event)]
    found = {**_of_twins(context, moves), **_beside_moves(context, flow, moves)} if moves else {}
    return {**_of_loops(context, moves), **found}


def _beside_moves(context: AnalysisContext, flow: Flow, moves: list[Event]) -> Assumptions:
    """The values that arrive with one of those that are moved."""
    found: Assumptions = {}
    called = {dotted(call.func) for call, _ in context.index.calls}
    moved = {event.obj for event in flow.index.of_kind("place") if event.place is not None and event.place.is_off_cpu}
    moved_origins = {value.origin for value in moved}  # a batch that is moved as well, perhaps in place
    in_part = _moved_in_part(moved, flow)
    for event in moves:
        text = context.text(event.node.func.value)  # type: ignore[attr-defined]
        if text in called or mentions_modules(text):
            continue
        assumed = Assumption(premises.ARRIVES_WITH(other=text))
        value = _unchanged(event.obj)
        whole = _whole(value)
        if value.is_element:
            if value.origin is not None and value.base in in_part:
                found.setdefault(value.origin, assumed)
        elif whole is not value:
            if whole.origin not in moved_origins and _is_handed_in(whole, context):
                assert whole.origin is not None
                found.setdefault(whole.origin, _of_whole(whole.origin, event, assumed))
        elif value.param:
            for argument in _arguments_with(value, event.stmt.scope, called):
                found.setdefault(argument, assumed._replace(through=True, function=event.stmt.scope))
    return found


def _of_loops(context: AnalysisContext, moves: list[Event]) -> Assumptions:
    """The items of loops over something that is a loader by its name, or over something that another function of the file has a loop over,
    by the same names, which moves its items."""
    loops = [loop for stmt in context.tree.stmts.values() if (loop := _loop(stmt)) is not None]
    if not loops:
        return {}
    origins = {_whole(event.obj).origin for event in moves}
    twins = {loop.words: loop for loop in loops if loop.scope.is_function and not origins.isdisjoint(loop.targets)}
    found: Assumptions = {}
    for loop in loops:
        twin = twins.get(loop.words)
        if not _is_given(loop, context):
            continue
        if mentions_host_loader(loop.iterable):
            assumed = Assumption(premises.LOADER_BY_NAME(loader=loop.iterable))
        elif twin is not None and twin.scope is not loop.scope:
            assumed = Assumption(premises.ARRIVES_AS_IN(loader=loop.iterable, function=twin.scope.name))
        else:
            continue
        found.update(dict.fromkeys(loop.targets, assumed))
    return found


def _of_twins(context: AnalysisContext, moves: list[Event]) -> Assumptions:
    """The values that enter a method as one does that another method of the class moves, and that both pass on in the same words:
    arguments of one name, in a method that the file calls nowhere, and results of one call."""
    calls: dict[Scope, list[ast.Call]] = {}
    for call, stmt in context.index.calls:
        calls.setdefault(stmt.scope, []).append(call)
    passed = {scope: _passed(calls[scope]) for scope in calls if scope.cls is not None and scope.parent is scope.cls}
    users: dict[tuple[Scope | None, _Passed], list[Scope]] = {}
    for scope, several in passed.items():
        for words in several:
            users.setdefault((scope.cls, words), []).append(scope)
    items: dict[Stmt, dict[ast.AST, ast.AST]] = {}
    seen: set[tuple[Scope, _Passed, str]] = set()
    found: Assumptions = {}
    for event in moves:
        scope, stmt = event.stmt.scope, event.stmt
        if scope not in passed or scope.cls is None:
            continue
        if stmt not in items:
            items[stmt] = _containers(stmt)
        origin = _whole(event.obj).origin
        origin = items[stmt].get(origin, origin) if origin is not None else None
        if not isinstance(origin, (ast.arg, ast.Call)):
            continue
        names = {context.text(event.node.func.value), assigned_text(stmt.node)}  # type: ignore[attr-defined]
        for words in passed[scope]:
            key = scope.cls, words, context.text(origin)
            if words.argument not in names or key in seen:
                continue
            seen.add(key)
            for twin in users[scope.cls, words]:
                if twin is not scope:
                    entering = origin.arg if isinstance(origin, ast.arg) else context.text(origin)
                    premise = premises.ARRIVES_AS_FOR(name=entering, function=scope.name)
                    assumed = Assumption(premise, through=True, function=twin)
                    alike = _entering_alike(context, origin, twin, calls[twin])
                    found.update(dict.fromkeys(alike, assumed))
    return found


def _containers(stmt: Stmt) -> dict[ast.AST, ast.AST]:
    """For the targets of comprehensions, and of loops over ``.items()``, around or in a statement, the argument whose items they are."""
    given = parameters(stmt.scope.function.args) if stmt.scope.is_function else {}
    around = (stmt.node, *(outer.node for outer in stmt.ancestors()))
    loops: list[ast.For | ast.comprehension] = [node for node in around if isinstance(node, ast.For)]
    found: dict[ast.AST, ast.AST] = {}
    for loop in (*loops, *(part for part in walk(stmt.node) if isinstance(part, ast.comprehension))):
        whole = under_methods(loop.iter, _YIELDS_ITEMS)
        if isinstance(loop, ast.For) and whole is loop.iter:
            continue  # `_of_loops` has it
        if (argument := given.get(dotted(whole))) is not None:
            found.update(dict.fromkeys(walk(loop.target), argument))
    return found


class _Passed(NamedTuple):
    """An attribute of `self` that a method calls, with the text of an argument but for a move."""

    called: str
    argument: str


def _passed(calls: Iterable[ast.Call]) -> set[_Passed]:
    """The attributes of `self` that calls of a method call, with their arguments."""
    given = ((dotted(call.func), value) for call in calls for value in argument_values(call))
    return {
        _Passed(called, dotted(under_methods(value, api.PLACING)))
        for called, value in given
        if called.startswith("self.")
    }


class CallWords(NamedTuple):
    """The words of a call: of the called object and of the first argument, but for a move of it; for an attribute of `self` the class as well."""

    called: str
    argument: str
    owner: Scope | None


class FedAlike(NamedTuple):
    """A function that calls something with a tensor on a device."""

    function: Scope
    place: Place


def fed_alike(context: AnalysisContext, flow: Flow) -> dict[CallWords, FedAlike]:
    """The functions that call something with a tensor on a device, by the words of the call, where several functions have it."""
    scopes: dict[CallWords, set[Scope]] = {}
    for call, stmt in context.index.calls:
        scopes.setdefault(call_words(call, stmt.scope), set()).add(stmt.scope)
    found: dict[CallWords, FedAlike] = {}
    for event in flow.index.of_kind("call"):
        place = event.args[0].place if event.args else None
        words = call_words(event.node, event.stmt.scope)
        if place is not None and place.is_off_cpu and words.argument and len(scopes.get(words, ())) > 1:
            found.setdefault(words, FedAlike(event.stmt.scope, place))
    return found


def call_words(node: ast.expr, scope: Scope) -> CallWords:
    """The words of a call in a function; empty ones without an argument."""
    given = argument_values(node)[:1] if isinstance(node, ast.Call) else []
    if not given:
        return CallWords("", "", None)
    called = dotted(node.func)  # type: ignore[attr-defined]
    owner = scope.cls if called.startswith("self.") else None
    return CallWords(called, dotted(under_methods(given[0], api.PLACING)), owner)


def _entering_alike(
    context: AnalysisContext, origin: ast.arg | ast.Call, twin: Scope, calls: Iterable[ast.Call]
) -> Iterator[ast.AST]:
    """The parameter of a method with the name of another one, or the calls in it with the words of another one."""
    if isinstance(origin, ast.Call):
        words = ast.dump(origin)
        yield from (call for call in calls if ast.dump(call) == words)
    elif twin.is_function and not twin.name.startswith("_") and twin.name != "forward":
        given = parameters(twin.function.args).get(origin.arg)
        is_free = origin.arg not in defaults(twin.function.args) and not context.index.called(twin.name)
        yield from (given,) if given is not None and is_free else ()


def _is_given(loop: _Loop, context: AnalysisContext) -> bool:
    """Whether a loop is over a parameter of the function, which does not change it (``loader.collate_fn = …``): nothing else shows who makes
    it, and for which device."""
    scope = loop.scope
    given = parameters(scope.function.args) if scope.is_function else {}
    if loop.iterable not in given or context.index.binding(scope, loop.iterable):
        return False
    changes = (text for text in context.index.writes if text.startswith(f"{loop.iterable}."))
    return not any(context.index.values(scope, text) for text in changes)


class _Loop(NamedTuple):
    """``for step, (x, y) in enumerate(tqdm(loader)):`` the loader as text, the targets for an item and its parts, and the function."""

    iterable: str
    targets: list[ast.AST]
    scope: Scope

    @property
    def words(self) -> tuple[str, ...]:
        """The last name of the loader and those of the targets."""
        names = (target.id for target in self.targets if isinstance(target, ast.Name))
        return self.iterable.rpartition(".")[2], *names


def _loop(stmt: Stmt) -> _Loop | None:
    """The loop over a name or an attribute that a statement is."""
    node = stmt.node
    if not isinstance(node, (ast.For, ast.AsyncFor)):
        return None
    iterable, target = node.iter, node.target
    while isinstance(iterable, ast.Call) and iterable.args:
        if dotted(iterable.func) == "enumerate":
            if not isinstance(target, ast.Tuple) or len(target.elts) != 2:
                return None
            target = target.elts[1]
        iterable = iterable.args[0]
    targets: list[ast.AST] = [part for part in ast.walk(target) if isinstance(part, (ast.Name, ast.Tuple))]
    return _Loop(dotted(iterable), targets, stmt.scope) if dotted(iterable) else None


def _of_whole(origin: ast.AST, event: Event, assumed: Assumption) -> Assumption:
    """The assumption about a value from a call, or an argument, whose part is moved."""
    called_for = isinstance(origin, ast.Call) and not _is_next(origin)
    function = event.stmt.scope if called_for else None
    is_item = isinstance(getattr(origin, "ctx", None), ast.Store)  # of the iterable of a loop
    is_next = isinstance(origin, ast.Call) and not called_for
    return assumed._replace(through=not (is_item or is_next), function=function)


def _shows_batch(event: Event) -> bool:
    """Whether a tensor of unknown origin is moved to a device, and not to that of another tensor; a move that nothing reads shows nothing."""
    device = event.place.device if event.place is not None and event.place.is_off_cpu else None
    if device is None or device.is_of_tensor:
        return False
    if event.obj.kind not in ("unknown", "element") and not is_given_tensor(event.obj):
        return False
    return not is_discarded(event.node, event.stmt)


def is_discarded(node: ast.expr, stmt: Stmt) -> bool:
    """Whether nothing reads the value of an expression: it is a statement."""
    return isinstance(stmt.node, ast.Expr) and stmt.node.value is node


def _is_taken_here(event: Event) -> bool:
    """Whether the function that moves a value gets it, or takes it out of a batch; of an item of a loop also whether a caller does. The rest
    may be used by a caller."""
    origin = _unchanged(event.obj).origin
    functions = [frame.stmt.scope.node for frame in event.stack]
    if isinstance(functions[-1], ast.Module) or origin is None:
        return True
    if not isinstance(getattr(_whole(event.obj).origin, "ctx", None), ast.Store):
        functions = functions[-1:]  # no item of a loop: it may be another one in the next call
    line = getattr(origin, "lineno", 0)
    return any(
        function.lineno <= line <= (function.end_lineno or 0)
        for function in functions
        if not isinstance(function, ast.Module)
    )


def _unchanged(value: Obj) -> Obj:
    """The value that methods like ``.float()`` are called on."""
    while value.same is not None:
        value = value.same
    return value


def _whole(value: Obj) -> Obj:
    """The value that the code gets, of which another is a part."""
    while value.whole is not None or value.same is not None:
        value = value.whole or _unchanged(value)
    return value


def _is_handed_in(value: Obj, context: AnalysisContext) -> bool:
    """Whether the code that is seen neither makes nor places a value."""
    if value.origin is None or _may_be_placed(value.origin, context):
        return False
    return value.is_unknown and not value.members and not value.given


def _may_be_placed(origin: ast.AST, context: AnalysisContext) -> bool:
    """Whether a value comes from a call with a device, which may place it there, ``put((x, y), device)``, from one in another file,
    or from a function of the file that moves something."""
    if not isinstance(origin, ast.Call):
        return False
    if not any(call is origin for call, _ in context.index.calls):
        return True
    callee = dotted(origin.func).rpartition(".")[2]
    if any(scope.is_function and scope.name == callee and moves_in(scope) for scope in context.tree.scopes.values()):
        return True
    given = argument_values(origin)
    return any(mentions_device_word(context.text(argument)) for argument in given)


def _is_next(call: ast.Call) -> bool:
    """Whether a call gets the next batch."""
    return dotted(call.func) == "next"


def _moved_in_part(moved: set[Obj], flow: Flow) -> set[Obj]:
    """The batches with an element that is used and not moved. moved: the values that the file moves to a device."""
    unmoved = (value for value in flow.uses if value.is_element and value not in moved)
    return {value.base for value in unmoved if value.base is not None}


def _arguments_with(moved: Obj, scope: Scope, called: set[str]) -> list[ast.arg]:
    """The parameters of the function that moves one of them, without `self`, those that are called, those with a plain value as default, and
    ``**options``."""
    if not scope.is_function:
        return []
    arguments = every_parameter(scope.function.args)
    excluded = {"self", "cls", *called, *plain_parameters(scope.function.args)}
    others = [a for a in arguments if a.arg not in excluded and a is not scope.function.args.kwarg]
    return others if moved.origin in arguments else []


def source_of(value: Obj) -> Obj:
    """The loader that the batch of an element comes from; else the batch."""
    batch = batch_of(value)
    return batch.base or batch


def batch_of(value: Obj) -> Obj:
    """The batch that an element is a part of."""
    while value.is_element and value.base is not None and value.base.is_element:
        value = value.base
    return value
