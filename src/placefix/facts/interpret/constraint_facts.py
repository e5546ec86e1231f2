"""Facts that hold on a path of an abstract run, and the consequences of them, for `device_constraints`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterable

    from placefix.facts.program.tree import Scope, Stmt


ValueKind = Literal["value", "number", "tuple", "bag", "layer", "self", "device"]


class Value:
    """An abstract value of one run.

    kind: "value" (may be a tensor), "number" (none: a number, shape, string), "tuple", "bag" (a list
    that grows), "layer" (of torch.nn, or another module), "self", "device" (of `of`).
    given: it comes from outside, as a parameter or an attribute. computed: the given values it was computed from.
    """

    __slots__ = ("computed", "given", "items", "kind", "layer", "made", "name", "of")

    def __init__(
        self, kind: ValueKind = "value", name: str = "", *, given: bool = False, sources: frozenset[Value] = frozenset()
    ) -> None:
        self.kind = kind
        self.name = name
        self.given = given
        self.computed = sources
        self.made: frozenset[Creation] = frozenset()  # creations it is a view or plain image of
        self.items: tuple[Value, ...] = ()
        self.of: Value | None = None
        self.layer = ""

    @property
    def sources(self) -> frozenset[Value]:
        """The given values that this one was computed from; a given value itself."""
        return frozenset((self,)) if self.given else self.computed

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name} {id(self) % 9973}>"


# ("tensor", v) has a .device; ("carrier", v) holds tensors of one device; ("dims", v) has a dimension;
# ("implies", a, b) and ("meets", a, b): a on the CPU, so b, the latter only where a has a dimension;
# ("like", r, a): r is a tensor, with a dimension, where a is; ("of", r, a): r is a tensor where a is;
# ("member", list, v); ("maybe", a, b): not enforced.
Fact = tuple[object, ...]
Since = tuple[set[Fact], set[Fact]]


class Creation:
    """A tensor made on the CPU, in one run. names: the names of values in the code there. handed: the calls that returned it
    to the functions around."""

    __slots__ = (
        "exits",
        "fellows",
        "guarded",
        "handed",
        "hidden",
        "names",
        "node",
        "partial",
        "scope",
        "stmt",
        "value",
    )

    def __init__(self, node: ast.AST, stmt: Stmt, value: Value, names: dict[str, Value], *, guarded: bool) -> None:
        self.node = node
        self.stmt = stmt
        self.scope = stmt.scope
        self.value = value
        self.names = names
        self.guarded = guarded  # it is made, or the function is left, in a try whose handlers may expect an error
        self.handed: list[Handed] = []
        self.hidden = False  # it is the state of a recurrent layer
        self.fellows: set[ast.AST] = (
            set()
        )  # the expressions that make the other operands of an operation on the CPU, this creation among them
        # Sets to be united, none of which changes any more: of all ways, and of those through here.
        self.exits: list[Since] = []  # the facts on each path that passes it and leaves the run
        self.partial: list[Since] = []  # what was certain on paths before they met others

    def release(self) -> None:
        """Break the reference cycles; it is good for nothing afterwards."""
        del self.value, self.names, self.exits, self.partial, self.handed


def relate(operands: Iterable[Value]) -> None:
    """Record that the tensors made for one operation are made together."""
    made = [creation for operand in operands for creation in operand.made]
    nodes = {creation.node for creation in made}
    for creation in made if len(nodes) > 1 else ():
        creation.fellows |= nodes


class Handed(NamedTuple):
    """A call of a function of the file that returns a creation, `value`. names: the names of values in the code around the call."""

    node: ast.Call
    stmt: Stmt
    value: Value
    names: dict[str, Value]

    @property
    def scope(self) -> Scope:
        """The function that calls."""
        return self.stmt.scope


class Path:
    """One path through the code so far: names, certain facts, and the facts that are certain since each creation.

    Facts that hold on all paths here also hold on those that pass a creation: `through` has only the others.
    said: all facts that were certain anywhere in the run; its paths share it.
    """

    __slots__ = ("dead", "env", "known", "said", "through")

    def __init__(
        self, env: dict[str, Value], known: set[Fact], through: dict[Creation, set[Fact]], said: list[Iterable[Fact]]
    ) -> None:
        self.env = env
        self.known = known
        self.through = through
        self.said = said
        self.dead = False

    def copy(self) -> Path:
        """An independent copy; `said` is shared."""
        new = Path(self.env.copy(), self.known.copy(), {c: s.copy() for c, s in self.through.items()}, self.said)
        new.dead = self.dead
        return new

    def leave(self) -> Path:
        """The dead path that replaces it after a jump or return."""
        gone = Path({}, set(), {}, self.said)
        gone.dead = True
        return gone

    def add(self, *facts: Fact) -> None:
        """Add certain facts."""
        self.known.update(facts)
        self.said.append(facts)

    def pass_by(self, creation: Creation, facts: Iterable[Fact] = ()) -> None:
        """It passes a creation, of which more is certain here."""
        self.through[creation] = set(facts)
        self.said.append(facts)


def join(a: Path, b: Path) -> Path:
    """The path after two meet, good for nothing themselves then: what both know, and of each creation what those
    paths know that pass it."""
    if a.dead:
        return b
    if b.dead:
        return a
    known = a.known & b.known
    through: dict[Creation, set[Fact]] = {}
    for creation, mine in a.through.items():
        others = b.through.get(creation)
        if others is None:
            through[creation] = (a.known - known) | mine
            continue
        both: set[Fact] = set()
        if mine:
            both |= mine & b.known
        if others:
            both |= others & a.known
            both |= others & mine
        through[creation] = both = both - known if both else both
        for side, beside in ((a, mine), (b, others)):
            if len(side.known) > len(known) or len(beside) > len(both):
                creation.partial.append((side.known, beside))
    for creation, others in b.through.items():
        if creation not in a.through:
            through[creation] = (b.known - known) | others
    new = Path({}, known, through, a.said)
    for name in a.env | b.env:  # in their order: a set's is another one in each run
        one, two = a.env.get(name), b.env.get(name)
        if one is two or one is None or two is None:
            new.env[name] = one or two  # type: ignore[assignment]
        else:
            new.env[name] = _either(one, two, a, b, new)
    return new


def _either(one: Value, two: Value, a: Path, b: Path, new: Path) -> Value:
    if one.kind == two.kind == "tuple" and len(one.items) == len(two.items):
        value = Value("tuple")
        value.items = tuple(
            x if x is y else _either(x, y, a, b, new) for x, y in zip(one.items, two.items, strict=True)
        )
        return value
    if one.kind == two.kind and one.kind in ("number", "self"):
        return one
    value = Value(sources=one.sources | two.sources if one.sources and two.sources else frozenset())
    value.made = one.made | two.made
    for fact in ("tensor", "dims", "carrier"):
        if (fact, one) in a.known and (fact, two) in b.known:
            new.add((fact, value))
    for side, mine in ((a, one), (b, two)):
        for creation, since in new.through.items():
            if creation in side.through and creation not in (b if side is a else a).through:
                facts: tuple[Fact, ...] = (("implies", mine, value), ("implies", value, mine), ("like", value, mine))
                since.update(facts)
                new.said.append(facts)
    return value


class Certain:
    """Facts, prepared for queries about the consequences of a value's place.

    maybe: facts that are not enforced count, too. assumed: values that count as tensors.
    """

    def __init__(self, facts: Iterable[Fact], *, maybe: bool = False, assumed: Iterable[Value] = ()) -> None:
        self.tensors: set[object] = set(assumed)
        self.dims: set[object] = set()
        self.carriers: set[object] = set()
        self.edges: dict[object, list[tuple[object, object]]] = {}
        self._like: list[Fact] = []
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
            elif kind == "implies" or kind == "meets" or kind == "indexed":
                self.edges.setdefault(fact[1], []).append((kind, fact[2]))
            elif maybe and kind == "maybe":
                self.edges.setdefault(fact[1], []).append((kind, fact[2]))
                self.edges.setdefault(fact[2], []).append((kind, fact[1]))

    def _close(self) -> None:
        """Mark values that are like a tensor, or like a value with a dimension, as such."""
        self._closed = True
        images: dict[object, list[Fact]] = {}
        for fact in self._like:
            images.setdefault(fact[2], []).append(fact)
        for known, kinds in ((self.tensors, ("like", "of")), (self.dims, ("like",))):
            todo = [value for value in known if value in images]
            while todo:
                for kind, result, _ in images.get(todo.pop(), ()):
                    if kind in kinds and result not in known:
                        known.add(result)
                        todo.append(result)

    def reached(self, start: Value) -> tuple[set[Value], set[Value]]:
        """The values that lie on the CPU if `start` does, and the tensors among them that come from outside."""
        if start not in self.edges and not start.sources:
            return {start}, set()
        if not self._closed:
            self._close()
        tensors = self.tensors
        seen: set[object] = {start}
        todo: list[object] = [start]
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
        found: set[Value] = {v for v in seen if isinstance(v, Value)}
        return found, {v for v in found & tensors if any(s in tensors or s.kind == "layer" for s in v.sources)}
