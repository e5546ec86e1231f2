"""Flow state of the analysis and how two paths join."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from placefix.facts import torch_api as api
from placefix.facts.interpret.logged_dict import LoggedDict
from placefix.facts.interpret.values import HOST, UNKNOWN_PLACE, Obj, Place, made_of
from placefix.facts.program.device_values import Device, device_of_word
from placefix.facts.wording import unite

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from placefix.facts.interpret.values import ObjKind
    from placefix.facts.program.device_values import DeviceKind

# Values of one name on two paths, and the value that the name has after them.
Merged = tuple[Obj, Obj, Obj]


# How a test for CUDA itself is spelt.
AVAILABLE = ("torch.cuda.is_available()", "cuda.is_available()")


class Flag(NamedTuple):
    """A test for CUDA that separates two paths: its text, and the path that only runs without CUDA."""

    text: str = ""
    spares_a: bool = False
    spares_b: bool = False


NO_FLAG = Flag()


_K = TypeVar("_K")


class Domain(Protocol):
    """The state of a further domain, next to that of values, at a program point."""

    def copy(self) -> Domain:
        """The same knowledge, for a path that goes on separately."""

    def join(self, other: Any, merged: Sequence[Merged]) -> Domain:
        """The state after two paths join. merged: the values that were made from two different ones."""


class State:
    """The state at one program point: bindings, attributes, places of modules, and the knowledge of another domain.

    `env` maps an environment's id to its names, `fields` (object, attribute), `place` a module's root.
    A module that is absent from `place` has not been placed since it was made.
    `spared`: the code here only runs if CUDA is not used, by a test on the path.
    States share the names of an environment until one of them binds another: `put` and `names` alone may change them.
    """

    __slots__ = ("_own", "dead", "domain", "env", "fields", "place", "spared")

    def __init__(
        self,
        env: dict[int, LoggedDict[str, Obj]],
        fields: LoggedDict[tuple[Obj, str], Obj],
        place: dict[Obj, Place],
        dead: str = "",
        spared: bool = False,
        domain: Domain | None = None,
    ) -> None:
        self.env = env
        self.fields = fields
        self.place = place
        self.spared = spared
        self.domain = domain
        self.dead = dead  # "", "return", "raise", "break", "continue"
        self._own: set[int] = set()  # environments whose names no other state has

    def copy(self) -> State:
        """A copy that shares the names of each environment until one of them changes."""
        self._own = set()
        domain = self.domain.copy() if self.domain is not None else None
        return State(self.env.copy(), self.fields.copy(), self.place.copy(), self.dead, self.spared, domain)

    def get(self, ident: int, name: str) -> Obj | None:
        """The value of a name in an environment; None if it is unbound."""
        names = self.env.get(ident)
        return names.get(name) if names is not None else None

    def put(self, ident: int, name: str, value: Obj) -> None:
        """Bind a name."""
        (self.env[ident] if ident in self._own else self.names(ident))[name] = value

    def names(self, ident: int) -> LoggedDict[str, Obj]:
        """The names of an environment, to be changed, until the next `copy` or `join`."""
        if ident not in self._own:
            self._own.add(ident)
            names = self.env.get(ident)
            self.env[ident] = names.copy() if names is not None else LoggedDict()
        return self.env[ident]

    def forget(self, ident: int) -> None:
        """Drop the names of an activation that is over."""
        self.env = self.env.copy()
        self.env.pop(ident, None)
        self._own.discard(ident)

    def share(self) -> None:
        """Another state has the same names from here on."""
        self._own = set()


def join(a: State, b: State, since: int, *, flag: Flag = NO_FLAG) -> State:
    """The state after two paths join, which separated at the moment `since`. `flag` is the test for CUDA that separated them,
    if it was one: a value placed on one path only is then placed under that flag."""
    if a.dead:
        return b
    if b.dead:
        return a
    a.share()
    b.share()
    merged: list[Merged] = []
    env = a.env.copy()
    for ident, others in b.env.items():
        mine = env.get(ident)
        if mine is not others:  # most are shared by both
            env[ident] = _join_values(mine, others, flag, merged) if mine is not None else others
    fields = _join_values(a.fields, b.fields, flag, merged)
    place = _join_all_places(a.place, b.place, since, flag)
    domain = a.domain.join(b.domain, merged) if a.domain is not None else None
    return State(env, fields, place, "", a.spared and b.spared, domain)


def _join_values(
    mine: LoggedDict[_K, Obj], others: LoggedDict[_K, Obj], flag: Flag, merged: list[Merged]
) -> LoggedDict[_K, Obj]:
    """The values of both paths; `merged` gets those that were joined."""
    differing = [key for key in mine.may_differ(others) if key in others and mine.get(key) is not others[key]]
    if not differing:
        return mine
    joined = mine.copy()
    for key in differing:
        left, right = mine.get(key), others[key]
        value = joined[key] = merge(left, right, flag)
        if value is not right and left is not None:
            merged.append((left, right, value))
    return joined


def _join_all_places(mine: dict[Obj, Place], others: dict[Obj, Place], since: int, flag: Flag) -> dict[Obj, Place]:
    """The places of the modules of both paths; one without a place was made on the other path, or has not moved since it was made."""
    if mine == others:
        return mine
    joined = mine.copy()
    for obj in mine.keys() | others.keys():
        one, two = mine.get(obj), others.get(obj)
        if one != two and (obj.born <= since or (one and two)):
            unmoved = UNKNOWN_PLACE if obj.outside else HOST
            joined[obj] = join_places(one or unmoved, two or unmoved, flag)
        elif one is None and two is not None:
            joined[obj] = two
    return joined


# Kinds of values that affect the place of others.
_TRACKED: frozenset[ObjKind] = frozenset(
    ("module", "wrapper", "compiled", "optimizer", "tensor", "element", "device", "loader")
)


_CALLABLES: frozenset[ObjKind] = frozenset(("class", "function", "choice"))


def differs(before: State, after: State) -> bool:
    """Whether a value from before a loop has another place, is wrapped or is another object after its body."""
    for ident, names in before.env.items():
        now = after.env.get(ident)
        if now is not None and now is not names and _any_differs(names, now):
            return True
    if _any_differs(before.fields, after.fields):
        return True
    moved = {obj for obj, place in after.place.items() if obj.is_module and before.place.get(obj) != place}
    holders: list[dict[Any, Obj]] = [*before.env.values(), before.fields] if moved else []
    return any(v.is_module and v.root() in moved for held in holders for v in held.values())


def _any_differs(before: LoggedDict[_K, Obj], after: LoggedDict[_K, Obj]) -> bool:
    return any(
        before[key] is not after.get(key) and _differ(before[key], after.get(key))
        for key in before.may_differ(after)
        if key in before
    )


def _differ(a: Obj, b: Obj | None) -> bool:
    if b is None:
        return False
    if a.kind != b.kind:
        number = a.is_constant and a.value is not None  # a sum that starts with 0
        return not number and (a.kind in _TRACKED or b.kind in _TRACKED)
    if a.is_tensor_like:
        return a.place != b.place
    if a.is_module:
        return a.root() is not b.root()
    return a.device != b.device if a.is_device else a.kind == "optimizer"


def _merge_tensors(a: Obj, b: Obj, flag: Flag) -> Obj:
    return Obj(
        "tensor",
        b.origin,
        place=join_places(a.place or UNKNOWN_PLACE, b.place or UNKNOWN_PLACE, flag),
        roots=a.roots | b.roots | _self_root(a) | _self_root(b),
        premises=unite(a.premises, b.premises),
        alts=(a, b),
    )


def merge(a: Obj | None, b: Obj | None, flag: Flag = NO_FLAG) -> Obj:
    """One object for a name that is `a` on one path and `b` on the other; None where a path does not bind it."""
    if a is None or b is None:
        known = a or b
        assert known is not None
        # bound on one path only: code that reads it runs on that path
        return known
    if a is b:
        return a
    if _is_none(a) and not b.is_constant:
        return b
    if _is_none(b) and not a.is_constant:
        return a
    if a.is_module and b.is_module:
        return _merge_modules(a, b, flag)
    if a.is_tensor_like and b.is_tensor_like:
        return _merge_tensors(a, b, flag)
    if a.kind in _CALLABLES and b.kind in _CALLABLES:
        return _join_callables(a, b)
    join_kind = _JOINS.get(a.kind) if a.kind == b.kind else None
    merged = join_kind(a, b, flag) if join_kind is not None else None
    return merged or Obj("unknown", b.origin, alts=(a, b), members=_union(made_of(a), made_of(b)))


def _is_none(value: Obj) -> bool:
    return value.is_constant and value.value is None


def _merge_modules(a: Obj, b: Obj, flag: Flag) -> Obj:
    if "compiled" in (a.kind, b.kind):  # on one path, or another module
        return Obj("compiled", a.origin, base=merge(a.uncompiled(), b.uncompiled(), flag), maybe=True, alts=(a, b))
    one, two = a.root(), b.root()
    if one is two:  # wrapped on one path, or in another way
        wrapped = a if a.is_wrapper else b
        wrap = "several" if a.is_wrapper and b.is_wrapper and a.wrap != b.wrap else wrapped.wrap
        joined = Obj("wrapper", wrapped.origin, base=wrapped.base, wrap=wrap, name=wrapped.name)
        joined.maybe = True
        joined.alts = (a, b)
        return joined
    return Obj(
        "module",
        two.origin,
        name=two.name if one.name == two.name else "",
        cls=two.cls if one.cls is two.cls else None,
        alts=(a, b),
        premises=unite(one.premises, two.premises),
        loss=one.loss and two.loss,
        value=flag if _asks_for_all(flag) else None,
    )


# --- the join of two values of one kind; None where they have too little in common ----------------------------------------------------


def _join_optimizers(a: Obj, b: Obj, flag: Flag) -> Obj:
    name, members = b.name if a.name == b.name else "", _union(a.members, b.members)
    return Obj(a.kind, b.origin, name=name, alts=(a, b), members=members, premises=unite(a.premises, b.premises))


def _join_imports(a: Obj, b: Obj, flag: Flag) -> Obj | None:
    """Two classes of optimizers."""
    if not (api.is_optimizer(a.name) and api.is_optimizer(b.name)):
        return None
    return Obj("import", b.origin, name=api.either_optimizer(a.name, b.name), scope=b.scope)


def _join_callables(a: Obj, b: Obj) -> Obj:
    """One of several classes and functions."""
    return Obj("choice", b.origin, alts=(*(a.alts or (a,)), *(b.alts or (b,))), premises=unite(a.premises, b.premises))


def _join_parameters(a: Obj, b: Obj, flag: Flag) -> Obj:
    return Obj("params", b.origin, members=_union(a.members, b.members))


def _join_devices(a: Obj, b: Obj, flag: Flag) -> Obj | None:
    if a.device is None or b.device is None:
        return None
    if {a.device.kind, b.device.kind} == {"cuda", "cpu"}:
        return _choice(b, a.device.index if a.device.index is not None else b.device.index, flag)
    shown = any(one.is_cuda_or_conditional for one in (a.device, b.device))
    unmoved = next((one.base for one in (a, b) if not shown and one.base and one.base.place == HOST), None)
    return Obj("device", b.origin, device=a.device if a.device == b.device else Device("other"), base=unmoved)


def _join_constants(a: Obj, b: Obj, flag: Flag) -> Obj | None:
    """Two names of devices."""
    if not (isinstance(a.value, str) and isinstance(b.value, str)):
        return None
    one, two = device_of_word(a.value), device_of_word(b.value)
    if one is None or two is None or {one.kind, two.kind} != {"cuda", "cpu"}:
        return None
    return _choice(b, (two if one.is_cpu else one).index, flag)


def _join_containers(a: Obj, b: Obj, flag: Flag) -> Obj:
    """Two objects that hold others; the place is that of both, or of their items."""
    joined = Obj(a.kind, b.origin, alts=(a, b), base=a.base, premises=unite(a.premises, b.premises))
    joined.members = _union(a.members, b.members)
    if a.place or b.place:
        joined.place = join_places(a.place or UNKNOWN_PLACE, b.place or UNKNOWN_PLACE, flag)
    return joined


_JOINS: dict[ObjKind, Callable[[Obj, Obj, Flag], Obj | None]] = {
    "optimizer": _join_optimizers,
    "import": _join_imports,
    "params": _join_parameters,
    "device": _join_devices,
    "const": _join_constants,
    "loader": _join_containers,
    "dataset": _join_containers,
    "scheduler": _join_containers,
    "list": _join_containers,
    "dict": _join_containers,
}


def _choice(made: Obj, index: int | None, flag: Flag) -> Obj:
    """A device that is CUDA's (of that index) on one path and the CPU on the other, separated by `flag`."""
    kind: DeviceKind = "available" if flag.text in AVAILABLE else "flag" if flag.text else "other"
    return Obj("device", made.origin, device=Device(kind, "", index))


def _self_root(obj: Obj) -> frozenset[Obj]:
    return frozenset((obj,)) if obj.is_element else frozenset()


def _union(a: tuple[Obj, ...], b: tuple[Obj, ...]) -> tuple[Obj, ...]:
    return tuple(dict.fromkeys((*a, *b)))


def _asks_for_all(flag: Flag) -> bool:
    """Whether a test is about the program's device, and not about one tensor (``x.is_cuda``), which may be on the CPU."""
    return bool(flag.text) and "is_cuda" not in flag.text


def join_places(a: Place, b: Place, flag: Flag = NO_FLAG) -> Place:
    """Least upper bound in the placement lattice, with the guarded idiom kept apart."""
    if a == b:
        return a
    kinds = {a.kind, b.kind}
    if kinds == {"host", "device"}:
        placed = a if a.is_device else b
        if _asks_for_all(flag):
            return Place("device", Device("flag", flag.text), placed.event)
        return Place("mixed", placed.device, placed.event)
    if kinds == {"device"}:
        return _join_placed(a, b, flag)
    if "unknown" in kinds:
        return UNKNOWN_PLACE
    return Place("mixed", a.device or b.device, a.event or b.event)


def _join_placed(a: Place, b: Place, flag: Flag) -> Place:
    """Both were moved, to devices that differ."""
    assert a.device is not None and b.device is not None
    if a.device.is_cpu == b.device.is_cpu and a.device.index == b.device.index:
        return Place("device", a.device if a.device == b.device else Device("other"), a.event)
    if (flag.spares_a and b.device.is_cpu) or (flag.spares_b and a.device.is_cpu):
        return UNKNOWN_PLACE  # if use_cuda: x = x.cpu()
    if _asks_for_all(flag) and (a.device.is_cpu or b.device.is_cpu):
        return Place("device", Device("flag", flag.text), a.event)
    return Place("mixed", a.device, a.event)
