"""Abstract values of the device-flow analysis: their kinds and places.

An `Obj` is a value number: one per creating expression and context. Modules keep their
identity through ``.to``, tensors do not.
"""

from __future__ import annotations

import ast
from itertools import count
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Collection

    from placefix.facts.interpret.device_facts import Creation
    from placefix.facts.interpret.sequential_layers import SequentialLayer
    from placefix.facts.program.device_values import Device
    from placefix.facts.program.registrations import Registry
    from placefix.facts.program.tree import Scope, Stmt
    from placefix.facts.wording import Premise


ObjKind = Literal[
    "module", "wrapper", "compiled", "part", "params", "optimizer", "scheduler", "dataset", "views", "loader", "element", "tensor", "encoding",
    "distribution", "generator", "device", "dtype", "flag", "instance", "class", "function", "choice", "method", "super", "tuple", "list", "dict", "enumerated",
    "zipped", "generated", "const", "import", "world", "unknown",
]  # fmt: skip
PlaceKind = Literal["host", "device", "mixed", "unknown"]
EventKind = Literal[
    "module", "factory", "copy", "place", "placed", "wrap", "optimizer", "state", "call", "iterate", "batch", "collated", "conflict", "stayed", "unplaced", "prior", "host", "generator", "view", "accumulator", "copied"
]  # fmt: skip

_MODULES: frozenset[ObjKind] = frozenset(("module", "wrapper", "compiled"))
_AROUND: frozenset[ObjKind] = frozenset(("wrapper", "compiled"))  # they have another module as `base`
_TENSORS: frozenset[ObjKind] = frozenset(("tensor", "element"))
_SEQUENCES: frozenset[ObjKind] = frozenset(("tuple", "list"))


_moments = count(1)


def moment() -> int:
    """A number greater than those of all calls before: when something is made, in the order of the interpreter's run."""
    return next(_moments)


class Obj:
    """One abstract object.

    kind: module, wrapper, compiled (torch.compile of `base`), part (a layer, parameter or plain attribute: `attr` of `base`), params (the
    parameters or layers of modules, in a container or one by one), optimizer, scheduler;
    dataset, views (random_split's parts of one), loader, element (of a loader), tensor, encoding (a
    tokenizer's, of tensors like `base`), distribution, generator (of random numbers); device, dtype, flag (the answer whether to use CUDA);
    instance (of a class of the file that is no module), class, function, choice (one of several of those: `alts`), method, super;
    tuple, list, dict, enumerated, zipped, generated (the values that a generator of the file yields); const,
    import (`scope`: the root of the file that imports it), world (`interpreter_base.WORLD`), unknown.
    """

    # Defaults are class attributes: most objects keep most of them, and objects are made by the thousand.
    base: Obj | None = None  # wrapper, compiled: the module inside; element: the loader; sub-module: its parent
    attr = ""  # sub-module: the attribute
    cls: ClassInfo | None = None
    name = ""  # qualified name of the class, factory or import
    device: Device | None = None  # kind device
    members: tuple[Obj, ...] = ()  # optimizer, params: the modules they read
    given: tuple[Obj, ...] = ()  # unknown: the modules among the arguments of the unknown call that made it
    items: tuple[Obj, ...] | None = None  # tuple, list
    place: Place | None = None  # tensors carry their place; modules' is flow state
    roots: frozenset[Obj] = frozenset()  # tensors: elements and creations they derive from
    scope: Scope | None = None  # function, class
    value: object = None  # const
    wrap = ""  # wrapper: qualified name of the wrapping class
    born = 0  # module, unknown: the `moment` of the call that made it; 0 if none did
    outside = False  # module: nothing in the text makes it, so that it may lie anywhere before it is placed
    maybe = False  # wrapper, compiled: on some paths only; tensor: may be 0-dim
    dims = 0  # tensor: so many dimensions for certain, where its creation shows it
    mixed = False  # tensor: by operands that may be 0-dim, of one that may lie on any device; module: of such parts
    loss = False
    same: Obj | None = (
        None  # unknown: the unknown value that a tensor's method made it of, which leaves it on its device
    )
    premises: tuple[Premise, ...] = ()  # of its kind, and of the place of an element or tensor
    param = ""  # parameter name when the object entered a function from outside the file
    alts: tuple[Obj, ...] = ()
    sampler: Obj | None = None  # loader: the value of its argument `sampler`
    holder: Obj | None = None  # unknown: the container that it is an item of (`value`: under this key)
    whole: Obj | None = (
        None  # unknown: the unknown value that it is a part of, by its position, its literal key or its attribute
    )
    owner: Obj | None = None  # dict, unknown: the instance that has it as an attribute
    registry: Registry | None = None  # instance: the registry that it is
    # The source of an unknown value, and the content of a container: recorded by `SummaryRuns`.
    made = ""  # the qualified name of the callee; of a method or attribute of torch.Tensor, if only tensors have it
    maker: Scope | None = None  # the class or function of the repository that was called
    operands: tuple[Obj, ...] = ()  # the operands of the operator that computed it
    content: tuple[Obj, ...] | None = None  # all possible items of a container, None if unknown
    # Recorded by `ConstraintRun`: whether the value comes from outside the function, and whether it cannot be a tensor; the values from outside
    # that it was computed from, and the creations that it is a view or an image of.
    is_given = False
    is_number = False
    sources: frozenset[Obj] = frozenset()
    creations: frozenset[Creation] = frozenset()
    is_module = False  # module, wrapper or compiled
    is_tensor_like = False  # tensor or element

    def __init__(self, kind: ObjKind, origin: ast.AST | None = None, **extra: object) -> None:
        self.kind = kind
        self.origin = origin
        if kind in _TENSORS:
            self.is_tensor_like = True
        elif kind in _MODULES:
            self.is_module = True
        if extra:
            self.__dict__.update(extra)

    @property
    def proven(self) -> bool:
        """Whether nothing is assumed of it."""
        return not self.premises

    @property
    def is_unknown(self) -> bool:
        """Whether nothing shows the kind of it."""
        return self.kind == "unknown"

    @property
    def is_constant(self) -> bool:
        """Whether it is a number, a text or another plain value of Python, known or not."""
        return self.kind == "const"

    @property
    def is_import(self) -> bool:
        """Whether it is something of a module that the file imports."""
        return self.kind == "import"

    @property
    def is_device(self) -> bool:
        """Whether it is a device."""
        return self.kind == "device"

    @property
    def is_flag(self) -> bool:
        """Whether it is the answer whether to use CUDA."""
        return self.kind == "flag"

    @property
    def is_instance(self) -> bool:
        """Whether it is an object of a class of the repository that is no module."""
        return self.kind == "instance"

    @property
    def is_element(self) -> bool:
        """Whether it comes from a loader: a batch, or an item of one."""
        return self.kind == "element"

    @property
    def is_part(self) -> bool:
        """Whether it is a layer, a parameter or a plain attribute of a module."""
        return self.kind == "part"

    @property
    def is_wrapper(self) -> bool:
        """Whether it is a module around another one, such as DataParallel; compiled modules are none."""
        return self.kind == "wrapper"

    @property
    def is_sequence(self) -> bool:
        """Whether it is a tuple or a list."""
        return self.kind in _SEQUENCES

    @property
    def is_container(self) -> bool:
        """Whether it is a tuple, a list or a dict."""
        return self.kind in _SEQUENCES or self.kind == "dict"

    def root(self) -> Obj:
        """The module under all wrappers; the object itself for everything else."""
        obj = self
        while obj.kind in _AROUND and obj.base is not None:
            obj = obj.base
        return obj

    def uncompiled(self) -> Obj:
        """The module or wrapper that torch.compile compiles; the object itself for everything else."""
        return self.base.uncompiled() if self.kind == "compiled" and self.base is not None else self

    def rests_on(self, keys: Collection[str]) -> bool:
        """Whether one of its premises has one of some keys."""
        return any(premise.key in keys for premise in self.premises)

    def __repr__(self) -> str:
        line = getattr(self.origin, "lineno", "?")
        return f"<{self.kind} {self.name or self.attr or self.param} @{line}>"


def is_literal_none(value: Obj) -> bool:
    """Whether a value is the None that a line of the program writes: other constants need not have a known value."""
    return value.is_constant and isinstance(value.origin, ast.Constant) and value.origin.value is None


def outermost(module: Obj) -> Obj:
    """The module that a module is a part of, or a part of a part; the module itself if it is none."""
    while module.base is not None and module.base.kind == "module":
        module = module.base
    return module


def whole_of(value: Obj) -> Obj | None:
    """The module that a value is or is a part of."""
    while value.is_part and value.base is not None:
        value = value.base
    return value.root() if value.is_module else None


def made_of(value: Obj) -> tuple[Obj, ...]:
    """The modules that a value is, is a part of, or holds parameters or layers of."""
    whole = whole_of(value)
    return (whole,) if whole is not None else value.members


class Place:
    """The device of a value: kind is host, device, mixed or unknown.

    event: the placement; places are equal without it.
    """

    __slots__ = ("device", "event", "kind")

    def __init__(self, kind: PlaceKind, device: Device | None = None, event: Event | None = None) -> None:
        self.kind = kind
        self.device = device
        self.event = event

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Place) and self.kind == other.kind and self.device == other.device

    def __hash__(self) -> int:
        return hash((self.kind, self.device))

    @property
    def is_host(self) -> bool:
        """Whether it is where nothing has been moved from: the CPU."""
        return self.kind == "host"

    @property
    def is_unknown(self) -> bool:
        """Whether nothing shows where it is."""
        return self.kind == "unknown"

    @property
    def is_device(self) -> bool:
        """Whether something was put on one device, which may be the CPU."""
        return self.kind == "device"

    @property
    def has_device(self) -> bool:
        """Whether something, or a part of it, was put on a device."""
        return self.kind in ("device", "mixed")

    @property
    def is_off_cpu(self) -> bool:
        """Whether something was put on one device, which is not the CPU."""
        return self.kind == "device" and self.device is not None and not self.device.is_cpu

    def __repr__(self) -> str:
        return f"Place({self.kind!r}, {self.device!r})"


HOST = Place("host")
UNKNOWN_PLACE = Place("unknown")


class ClassInfo:
    """Summary of a class of the file."""

    __slots__ = (
        "bases", "closed", "data_fields", "dataset", "descriptors", "dict_layers", "host_results", "indices", "is_module", "is_module_by_name", "is_optimizer", "layers", "list_layers", "made", "methods", "moves_inputs", "optional_layers", "order",
        "own_moves", "places_self", "properties", "scope", "sequentials", "setters", "usage", "with_layers",
    )  # fmt: skip

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.order: tuple[Scope, ...] = (scope,)  # the classes of the repository in which a method is searched
        self.is_module = False
        self.is_module_by_name = False  # it has a forward, and a base that is not seen has the name of one
        self.is_optimizer = False
        self.bases: tuple[str, ...] = ()  # qualified names of bases that are not of the file
        self.closed = True  # all of them are classes of torch, or found in the repository
        self.methods: dict[str, Scope] = {}  # a property by its getter
        self.properties: dict[str, Scope] = {}  # the getters
        self.setters: dict[str, Scope] = {}
        # attributes that are set by `__set__` of a class of the repository
        self.descriptors: frozenset[str] = frozenset()
        self.data_fields: dict[
            str, ast.AnnAssign
        ] = {}  # the parameters of the constructor that a dataclass or named tuple has
        self.own_moves: frozenset[str] = frozenset()  # .to/.cuda/.cpu it defines itself
        self.dataset = False
        self.places_self = False  # __init__ moves parts or all of it
        self.indices: frozenset[int] = frozenset()  # literal device indices used inside
        self.moves_inputs: frozenset[str] | None = None  # results of `class_summaries`, once computed
        self.made: frozenset[str] | None = None
        self.host_results: tuple[ast.Call | None, ...] | None = None
        self.with_layers: dict[str, dict[str | int, str]] = {}
        self.usage: dict[tuple[int, str | None], str] = {}
        self.layers: dict[str, str] = {}  # attributes that are modules of torch.nn
        self.sequentials: dict[str, SequentialLayer] = {}  # those of them that are Sequentials
        self.list_layers: dict[str, str] = {}  # the ModuleLists whose items are all of one class, with its name
        self.optional_layers: dict[str, str] = {}  # those that one arm of a test in the constructor sets
        self.dict_layers: dict[str, str] = {}  # the layers in a ModuleDict: "heads.mask" to the name of its class


class Frame:
    """One activation on the abstract call stack: the statement being executed in it."""

    __slots__ = ("activation", "stmt")

    def __init__(self, activation: int, stmt: Stmt) -> None:
        self.activation = activation
        self.stmt = stmt


class Event:
    """Something that happened at an expression, in execution order.

    kind: module and factory (one is made, a tensor is), copy (of a module), place (a move), wrap, optimizer (one is made),
    state (an optimizer steps or gets its state), view (of a parameter of the modules in `args`), accumulator (the nodes that accumulate the gradients are read of such a view), call (of a module), iterate (a batch is taken from a loader), batch (one with `args` on a device is), collated (the function of a loader makes batches with `args` on a device); and failures: conflict (a tensor on the CPU is used with
    one on a device), stayed (a module on the CPU gets tensors on a device), unplaced (what may be one does), prior (a distribution does), host (a tensor on a device is
    read where only one on the CPU can be), generator (one draws for a tensor of another device), copied (a tensor on a device is used with a
    copy on the CPU of another one, `args`, whose place is given).
    """

    __slots__ = ("again", "arg_node", "args", "kind", "node", "obj", "order", "place", "places", "stack", "what")

    def __init__(
        self,
        kind: EventKind,
        node: ast.expr,
        obj: Obj,
        stack: tuple[Frame, ...],
        order: int,
        place: Place | None = None,  # place: where to; others: where the object lay then
        what: str = "",
        args: tuple[Obj, ...] = (),
        arg_node: ast.expr | None = None,
        places: tuple[Place, ...] = (),  # optimizer, view: where each of `args` lay
        again: bool = False,  # in an iteration after a loop's first
    ) -> None:
        self.again = again
        self.kind = kind
        self.node = node
        self.obj = obj
        self.stack = stack
        self.order = order
        self.place = place
        self.what = what
        self.args = args
        self.arg_node = arg_node
        self.places = places

    @property
    def stmt(self) -> Stmt:
        """The innermost statement that runs."""
        return self.stack[-1].stmt
