"""Abstract values of the device-flow analysis: what an expression is and where it lies.

An `Obj` is a value number: one per creating expression and context. Modules keep their
identity through ``.to`` (SEMANTICS A1), tensors do not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ast

    from placefix.facts.tree import Scope, Stmt


class Obj:
    """One abstract object.

    kind: module, wrapper, optimizer, scheduler, loader, dataset, element (of a loader),
    tensor, device, dtype, instance (of a local class that is no module), class, function,
    tuple, list, dict, params (a module's parameters), generator, const, import, unknown.
    """

    # Defaults stand on the class: most objects keep most of them, and these are made by the thousand.
    base: Obj | None = None  # wrapper: the wrapped; element: the loader; sub-module: its parent
    attr = ""  # sub-module: the attribute
    cls: ClassInfo | None = None
    name = ""  # qualified name of the class, factory or import
    device: Device | None = None  # kind device
    members: tuple[Obj, ...] = ()  # optimizer, params: the modules they read
    items: tuple[Obj, ...] | None = None  # tuple, list
    place: Place | None = None  # tensors carry their place; modules' is flow state
    roots: frozenset[Obj] = frozenset()  # tensors: elements and creations they derive from
    scope: Scope | None = None  # function, class
    value: object = None  # const
    wrap = ""  # wrapper: qualified name of the wrapping class
    maybe = False  # wrapper: on some paths only; tensor: may be 0-dim
    loss = False
    proven = True
    param = ""  # parameter name when the object entered a function from outside the file
    alts: tuple[Obj, ...] = ()

    def __init__(self, kind: str, origin: ast.AST | None = None, **extra: object) -> None:
        self.kind = kind
        self.origin = origin
        if extra:
            self.__dict__.update(extra)

    def root(self) -> Obj:
        """The module under all wrappers; the object itself for everything else."""
        obj = self
        while obj.kind == "wrapper" and obj.base is not None:
            obj = obj.base
        return obj

    @property
    def is_module(self) -> bool:
        return self.kind in ("module", "wrapper")

    def __repr__(self) -> str:
        line = getattr(self.origin, "lineno", "?")
        return f"<{self.kind} {self.name or self.attr or self.param} @{line}>"


@dataclass(frozen=True, slots=True)
class Device:
    """What a device expression denotes.

    kind: available (the accelerator if there is one, else cpu), flag (cuda under a flag of
    the script), cuda (literally), cpu, index (a rank or explicit index), other (a parameter,
    attribute or unknown expression that is a device).
    text: its source text where it can be written again, else "".
    """

    kind: str
    text: str = ""
    index: int | None = None
    origin: object = None

    @property
    def is_cpu(self) -> bool:
        return self.kind == "cpu"


@dataclass(frozen=True, slots=True)
class Place:
    """Where something lies: kind is host, device, mixed or unknown."""

    kind: str
    device: Device | None = None
    event: Event | None = field(default=None, compare=False, repr=False)


HOST = Place("host")
UNKNOWN_PLACE = Place("unknown")


@dataclass(slots=True)
class ClassInfo:
    """Summary of a class of the file."""

    scope: Scope
    is_module: bool = False
    bases: tuple[str, ...] = ()  # qualified names of bases that are not of the file
    methods: dict[str, Scope] = field(default_factory=dict)
    own_moves: frozenset[str] = frozenset()  # .to/.cuda/.cpu it defines itself
    dataset: bool = False
    places_self: bool = False  # __init__ moves parts or all of it
    indices: frozenset[int] = frozenset()  # literal device indices used inside
    layers: dict[str, str] = field(default_factory=dict)  # attributes that are modules of torch.nn


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One activation on the abstract call stack: the statement being executed in it."""

    activation: int
    stmt: Stmt


@dataclass(slots=True, eq=False)
class Event:
    """Something that happened at an expression, in execution order.

    kind: module, place, wrap, optimizer, use, call, opaque, touch, consume, conflict, discard.
    """

    kind: str
    node: ast.expr
    obj: Obj
    stack: tuple[Frame, ...]
    order: int
    place: Place | None = None  # place: where to; others: where the object lay then
    what: str = ""
    args: tuple[Obj, ...] = ()
    arg_node: ast.expr | None = None
    places: tuple[Place, ...] = ()  # optimizer: where each of `args` lay

    @property
    def stmt(self) -> Stmt:
        return self.stack[-1].stmt
