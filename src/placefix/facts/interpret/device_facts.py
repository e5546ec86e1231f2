"""The must-share domain: which values are on the CPU whenever another one is.

An operation that refuses tensors of two devices leaves facts about its operands at that point of the program. A fact that holds on every
path through a creation like ``torch.zeros(n)`` holds for every call that ran to its end: if the parameter `x` follows from the creation,
``x.device`` was its device in all of them. Nothing has to be known of the callers, and a call that cannot be followed adds no fact.

0-dim tensors may be mixed with those of other devices, so that only an operand that has a dimension implies something.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, NamedTuple

from placefix.facts.interpret.class_summaries import parts_of
from placefix.facts.interpret.values import Obj
from placefix.facts.naming import mentions_tracing
from placefix.reachability import reachable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from placefix.facts.interpret.values import ClassInfo
    from placefix.facts.program.tree import Scope, Stmt


# ("tensor", v) has a .device; ("carrier", v) holds tensors of one device; ("dims", v) has a dimension; ("rows", v) has two or more;
# ("implies", a, b): if a is on the CPU, b is; ("meets", a, b): the same, but only if a has a dimension;
# ("indexed", a, b): as implies, where b has a dimension;
# ("like", r, a): r is a tensor, with a dimension, where a is; ("of", r, a): r is a tensor where a is;
# ("joins", kind, v, a, …): v is of that kind, "tensor" or "dims", where all the others are (the values on several paths, an index);
# ("member", list, v); ("maybe", a, b): not enforced; ("returns", r, m): r is a tensor on the device of the module m, if m returns a tensor that it computes; ("copied", v, base): into an item of `base`, from any device.
Fact = tuple[object, ...]
Since = tuple[set[Fact], frozenset[Fact]]

_NONE: frozenset[Fact] = frozenset()


class Creation:
    """A tensor made on the CPU, in one run. names: the values of the names in the code there. handed: the calls that returned it to the
    functions around. guarded: a `try` around it may expect the failure, or it is made only
    while a graph is recorded. spared: it is made only where CUDA is not used."""

    __slots__ = (
        "exits",
        "fellows",
        "guarded",
        "handed",
        "has_unseen_dimensions",
        "hidden",
        "made",
        "names",
        "node",
        "partial",
        "scope",
        "spared",
        "stmt",
        "value",
    )

    def __init__(
        self, node: ast.AST, stmt: Stmt, value: Obj, names: dict[str, Obj], *, guarded: bool, spared: bool
    ) -> None:
        self.node = node
        self.stmt = stmt
        self.scope = stmt.scope
        self.value = value
        self.names = names
        self.guarded = guarded or is_traced(stmt)
        self.spared = spared
        self.handed: list[Handed] = []
        self.made = ""  # the qualified name of the factory
        self.has_unseen_dimensions = False  # it is made of an array, which hardly ever has none
        self.hidden = False  # it is the state of a recurrent layer
        # the expressions that make the operands of one operation on the CPU, this one included
        self.fellows: set[ast.AST] = set()
        # Pairs of sets to be united, which do not change any more: of all paths, and of those through here.
        self.exits: list[Since] = []  # the facts of each path that passes it and leaves the run
        self.partial: list[Since] = []  # the facts of paths before they were joined with others

    def release(self) -> None:
        """Break the reference cycles; the creation cannot be used afterwards."""
        del self.value, self.names, self.exits, self.partial, self.handed
        del self.node, self.stmt, self.scope, self.fellows


class PlainTensor(NamedTuple):
    """A tensor that ``__init__`` makes and stores as a plain attribute. node: the assignment; dimensions: at least."""

    node: ast.AST
    stmt: Stmt
    dimensions: int
    has_unseen_dimensions: bool = False


class Owner:
    """The attributes of ``self`` at the start of a method: layers, parameters, plain tensors."""

    def __init__(self, info: ClassInfo) -> None:
        self.info = info
        self.parameters: set[str] = set()  # parameters and buffers
        self.dimensions: dict[str, int] = {}  # of parameters and buffers, at least
        self.plain: dict[str, PlainTensor] = {}
        self.parts = parts_of(info) if info.is_module else {}  # modules of classes of the file


class Output(NamedTuple):
    """The result of a module whose code is not run. first: the module's first argument; call: the expression that calls it."""

    first: Obj | None
    call: ast.AST | None


class Handed(NamedTuple):
    """A call of a function of the file that returns a creation, `value`. names: the values of the names in the code around the call."""

    node: ast.Call
    stmt: Stmt
    value: Obj
    names: dict[str, Obj]

    @property
    def scope(self) -> Scope:
        """The function that calls."""
        return self.stmt.scope


def sources_of(values: Iterable[Obj]) -> frozenset[Obj]:
    """The values from outside that several values are computed from; a value from outside itself."""
    return frozenset(source for value in values for source in ((value,) if value.is_given else value.sources))


def comes_of_creations(operands: Sequence[Obj], made: Sequence[Obj], *, shaped: bool, constructs: bool) -> bool:
    """Whether the result of an operation is on the CPU if the creations among its operands, `made`, are. One that has a dimension (`shaped`)
    takes nothing from elsewhere. constructs: in a constructor, where all is on the CPU."""
    return len(operands) == 1 or (len(made) == 1 and shaped) or (constructs and len(made) == len(operands))


def relate(operands: Iterable[Obj]) -> None:
    """Record that the creations among the operands of one operation have to be moved together (`fellows`)."""
    made = [creation for operand in operands for creation in operand.creations]
    nodes = {creation.node for creation in made}
    for creation in made if len(nodes) > 1 else ():
        creation.fellows |= nodes


def _grows_in_loop(listed: Obj, creation: Creation) -> bool:
    """Whether a creation is made in a loop below the statement that makes a list: the list may hold what all paths of the loop make."""
    row = getattr(listed.origin, "lineno", 0)
    loops = (s.node for s in creation.stmt.ancestors() if isinstance(s.node, (ast.For, ast.AsyncFor, ast.While)))
    return any(row < loop.lineno for loop in loops) if row else False


class DeviceFacts:
    """The facts at one program point: those of all paths here (`known`), and those of the paths that pass a creation (`through`: only
    the additional ones).

    said: all facts of the run; outputs: the results of modules whose code is not run, with their first arguments; its points share both. States
    share `known` until one of them adds to it.
    """

    __slots__ = ("_own", "known", "outputs", "said", "through")

    def __init__(
        self,
        known: set[Fact],
        through: dict[Creation, frozenset[Fact]],
        said: list[Iterable[Fact]],
        outputs: dict[Obj, Output],
    ) -> None:
        self.known = known
        self.outputs = outputs
        self.through = through
        self.said = said
        self._own = True

    def copy(self) -> DeviceFacts:
        """A copy that shares `known` until one of the two adds to it."""
        self._own = False
        new = DeviceFacts(self.known, self.through.copy(), self.said, self.outputs)
        new._own = False
        return new

    def add(self, *facts: Fact) -> None:
        """Add facts that hold from here on."""
        if not facts:
            return
        if not self._own:
            self.known, self._own = self.known.copy(), True
        self.known.update(facts)
        self.said.append(facts)

    def makes_tensor(self, value: Obj) -> bool:
        """Whether a value is a tensor on the paths here that pass one of the creations that make it."""
        return any(("tensor", value) in self.through.get(creation, ()) for creation in value.creations)

    @staticmethod
    def of_dimensions(value: Obj, count: int) -> tuple[Fact, ...]:
        """The facts about a value with at least `count` dimensions."""
        return tuple((kind, value) for kind in ("dims", "rows")[:count])

    def pass_by(self, creation: Creation, *facts: Fact) -> None:
        """Record that the path passes a creation, and facts that hold on such paths."""
        self.through[creation] = self.through.get(creation, _NONE).union(facts)
        self.said.append(facts)

    def open_list(self, listed: Obj, result: Obj) -> None:
        """The members of a list that grows are operands of an operation with `result`."""
        self.add(("carrier", listed))
        opened: list[Any] = []
        for creation, known in ((None, self.known), *self.through.items()):
            for held in [f[2] for f in known if f[0] == "member" and f[1] is listed]:
                more = (("meets", held, result), ("implies", result, held), ("like", result, held))
                self.add(*more) if creation is None else self.pass_by(creation, *more)
                opened.append(held)
        relate(held for held in opened if any(_grows_in_loop(listed, creation) for creation in held.creations))

    def join(self, other: DeviceFacts, merged: Sequence[tuple[Obj, Obj, Obj]]) -> DeviceFacts:
        """The facts of both, and for each creation the facts of the paths that pass it. merged: see `Domain`."""
        known = self.known & other.known
        mine_only, others_only = self.known - known, other.known - known
        through: dict[Creation, frozenset[Fact]] = {}
        for creation, mine in self.through.items():
            others = other.through.get(creation)
            if others is None:
                through[creation] = mine.union(mine_only)
                continue
            both = mine if mine is others else (mine & others) | (mine & others_only) | (others & mine_only)
            through[creation] = both = both if both.isdisjoint(known) else both - known
            for side, beside in ((self, mine), (other, others)):
                if len(side.known) > len(known) or len(beside) > len(both):
                    side._own = False
                    creation.partial.append((side.known, beside))
        for creation, others in other.through.items():
            if creation not in self.through:
                through[creation] = others.union(others_only)
        new = DeviceFacts(known, through, self.said, self.outputs)
        joined = [(one, two, value) for one, two, value in merged if value is not one]
        images = _images(self.known | other.known) if joined else {}
        for one, two, value in joined:
            new._merge(one, two, value, self, other)
            new._join_kinds(one, two, value, self, other, images)
        return new

    def _join_kinds(
        self, one: Obj, two: Obj, value: Obj, a: DeviceFacts, b: DeviceFacts, images: dict[Any, list[Any]]
    ) -> None:
        """`value` is a tensor where both `one` and `two` are. Facts about values that a path does not make mean nothing there."""
        for kind in ("tensor", "dims"):
            ways = [way for way, side in ((one, a), (two, b)) if (kind, way) not in side.known]
            if ways and not _is_number(one) and not _is_number(two):
                made = reachable(ways, lambda way: [part for fact in images.get(way, ()) for part in fact[2:]])
                self.add(("joins", kind, value, *ways), *(fact for way in made for fact in images.get(way, ())))

    def _merge(self, one: Obj, two: Obj, value: Obj, a: DeviceFacts, b: DeviceFacts) -> None:
        """`value` is `one` on the paths of `a` and `two` on those of `b`."""
        value.is_number = _is_number(one) and _is_number(two)
        first, second = sources_of([one]), sources_of([two])
        value.sources = first | second if first and second else frozenset()
        value.sources |= frozenset((value,) if one.is_given and two.is_given else ())
        value.creations = one.creations | two.creations
        self.add(*((k, value) for k in ("tensor", "dims", "carrier") if (k, one) in a.known and (k, two) in b.known))
        if one.creations & two.creations:  # both are computed from what one call makes
            common = _relations(one, a.known) & _relations(two, b.known)
            self.add(*(tuple(part or value for part in fact) for fact in common))
        for side, mine, other in ((b, two, one), (a, one, two)):
            if (
                "implies",
                mine,
                other,
            ) in side.known:  # ``if flat: x = x.sum(1)``: on both paths it is where `other` is
                self.add(("implies", value, other))
            for kind in ("implies", "meets"):
                if (kind, other, mine) in side.known:
                    self.add((kind, other, value))
            for result, output in tuple(self.outputs.items()):  # ``for layer in self.layers: x = relu(layer(x))``
                if output.first is other and (result is mine or ("implies", mine, result) in side.known):
                    self.add(("returns", value, other))
                    self.outputs[value] = output
        self._merge_passed(a.through.keys() - b.through.keys(), one, value)
        self._merge_passed(b.through.keys() - a.through.keys(), two, value)

    def _merge_passed(self, passed: set[Creation], one: Obj, value: Obj) -> None:
        """`value` is `one` on the paths that pass some creations."""
        for creation in passed:
            self.pass_by(creation, ("implies", one, value), ("implies", value, one), ("like", value, one))


def _relations(value: Obj, facts: set[Fact]) -> set[Fact]:
    """The facts about the place of a value beside others, or of one that is on the CPU exactly if it is, and about the dimensions; with
    None for the value."""
    pairs = {fact[1:] for fact in facts if fact[0] == "implies"}
    beside: dict[object, list[object]] = {}
    for one, other in pairs:
        if (other, one) in pairs:
            beside.setdefault(one, []).append(other)
    start: list[object] = [value]
    same = reachable(start, lambda one: beside.get(one, ()))
    like: dict[object, list[object]] = {}
    for fact in facts:
        if fact[0] == "like":
            like.setdefault(fact[1], []).append(fact[2])
    alike = reachable(start, lambda one: like.get(one, ()))
    found: set[Fact] = {("like", None, other) for other in alike}
    found |= {("implies", None, other) for one, other in pairs if one in same}
    return found | {(*fact[:2], None) for fact in facts if fact[0] in ("implies", "meets") and fact[2] in same}


def _images(facts: set[Fact]) -> dict[Any, list[Any]]:
    """The facts by which a value is a tensor if others are, by the value."""
    found: dict[Any, list[Any]] = {}
    for fact in facts:
        if fact[0] in ("like", "of", "joins"):
            found.setdefault(fact[2 if fact[0] == "joins" else 1], []).append(fact)
    return found


def _is_number(value: Obj) -> bool:
    return value.is_number or value.kind in ("const", "dtype", "flag")


class Closure:
    """Facts, prepared for queries about the consequences of a value's place.

    maybe: facts that are not enforced count, too. assumed: values that count as tensors. returns: the results of modules that are not seen are tensors
    on their devices.
    """

    def __init__(
        self, facts: Iterable[Fact], *, maybe: bool = False, assumed: Iterable[Obj] = (), returns: bool = False
    ) -> None:
        self.tensors: set[object] = set(assumed)
        self.dims: set[object] = set()
        self.carriers: set[object] = set()
        self.edges: dict[object, list[tuple[object, Any]]] = {}
        self._like: list[Fact] = []
        self._joins: list[Fact] = []
        self._closed = False
        for fact in facts:
            kind = fact[0]
            if kind == "tensor":
                self.tensors.add(fact[1])
            elif kind == "dims":
                self.dims.add(fact[1])
            elif kind == "carrier":
                self.carriers.add(fact[1])
            elif kind == "like" or kind == "of":
                self._like.append(fact)
            elif kind == "joins":
                self._joins.append(fact)
            elif kind == "implies" or kind == "meets" or kind == "indexed":
                self.edges.setdefault(fact[1], []).append((kind, fact[2]))
            elif (maybe and kind == "maybe") or (returns and kind == "returns"):
                if kind == "returns":
                    self.tensors.add(fact[1])
                self.edges.setdefault(fact[1], []).append((kind, fact[2]))
                self.edges.setdefault(fact[2], []).append((kind, fact[1]))

    def _close(self) -> None:
        """Mark values that are like a tensor, or like a value with a dimension, as such; and those that are one on each path."""
        self._closed = True
        images: dict[object, list[Fact]] = {}
        for fact in self._like:
            images.setdefault(fact[2], []).append(fact)
        for known, name, kinds in ((self.tensors, "tensor", ("like", "of")), (self.dims, "dims", ("like",))):
            joins = [fact[2:] for fact in self._joins if fact[1] == name]
            todo = list(known)
            while todo:
                while todo:
                    for kind, result, _ in images.get(todo.pop(), ()):
                        if kind in kinds and result not in known:
                            known.add(result)
                            todo.append(result)
                todo = [value for value, *ways in joins if value not in known and known.issuperset(ways)]
                known.update(todo)

    def is_shaped_tensor(self, value: Obj) -> bool:
        """Whether a value is a tensor with a dimension."""
        if not self._closed:
            self._close()
        return value in self.tensors and value in self.dims

    def met_directly(self, value: Obj) -> set[object]:
        """The other operands of the operations on a value that is made on the CPU, or on a view of it."""
        views = {v for v in self.edges if isinstance(v, Obj) and v.creations == value.creations and not sources_of([v])}
        return {other for one in {value, *views} for _, other in self.edges.get(one, ())} - views

    def reached(self, start: Obj) -> tuple[set[Obj], set[Obj]]:
        """The values that are on the CPU if `start` is, and the tensors among them that come from outside."""
        if start not in self.edges and not sources_of([start]):
            return {start}, set()
        if not self._closed:
            self._close()
        tensors = self.tensors
        seen: set[Any] = {start}
        todo: list[Any] = [start]
        while todo:
            value = todo.pop()
            for kind, other in self.edges.get(value, ()):
                if kind == "indexed" and other not in self.dims:
                    continue  # a number may come from another device
                if (
                    other not in seen
                    and (kind != "meets" or value in self.dims)
                    and (other in tensors or other in self.carriers)
                ):
                    seen.add(other)
                    todo.append(other)
        return seen, {v for v in seen & tensors if any(s in tensors or s in self.carriers for s in sources_of([v]))}


def is_traced(stmt: Stmt) -> bool:
    """Whether an ``if`` of the function runs a statement only while a graph is recorded: ``if is_torch_fx_proxy(x):``. The values are
    proxies there."""
    suites = (one.suite for one in stmt.ancestors())
    return any(
        suite.arm == "body"
        and isinstance(owner := suite.owner and suite.owner.node, ast.If)
        and mentions_tracing(ast.unparse(owner.test))
        for suite in suites
    )
