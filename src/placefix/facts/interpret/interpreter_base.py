"""The common base of the abstract interpreter's parts: its state, and how it records."""

from __future__ import annotations

import ast
from functools import reduce
from os.path import basename
from typing import TYPE_CHECKING, Any, NamedTuple

from placefix import torch_model
from placefix.facts import premises
from placefix.facts import torch_api as api
from placefix.facts.interpret.class_summaries import class_info
from placefix.facts.interpret.logged_dict import LoggedDict
from placefix.facts.interpret.recordings import Recordings
from placefix.facts.interpret.state import NO_FLAG, Flag, State, differs, join_places
from placefix.facts.interpret.values import HOST, UNKNOWN_PLACE, Event, Obj, Place, made_of, whole_of
from placefix.facts.program.ast_names import dotted

if TYPE_CHECKING:
    from placefix.diagnostic import Span
    from placefix.facts.interpret.values import ClassInfo, EventKind, Frame
    from placefix.facts.program.repository import Definition
    from placefix.facts.program.tree import Scope, Stmt, Tree
    from placefix.source import Source

# Not a module, optimizer or tensor: the world that collectives, the CUDA context and forks act on.
WORLD = Obj("world")

# The arguments of a call: (keyword or None, expression, value), in order.
Arguments = list[tuple[str | None, ast.expr, Obj]]

# Of a file: the imports that were met in it, its evidence of modules, and the last names of that.
Known = tuple[dict[str, Obj], dict[str, list[int]], frozenset[str]]

# Events in another file that are recorded at the call in this file. Constructions, moves and wraps there are
# reported for that file; the state has the resulting places.
_SEEN_FROM_HERE: frozenset[EventKind] = frozenset(("call", "optimizer", "state"))
# Faults that exist only if a value is on a device.
_ON_DEVICE: frozenset[EventKind] = frozenset(("conflict", "copied", "host", "stayed"))
# Those of them that are repaired where the value is made.
_FAILS: frozenset[EventKind] = frozenset(("conflict", "stayed"))
_MAKES: frozenset[EventKind] = frozenset(("module", "factory"))


_RETURNS = frozenset((premises.RETURNS_ON_DEVICE(module="").key, premises.METHOD_RETURNS_ON_DEVICE(method="").key))


def is_of_unseen_module(value: Obj) -> bool:
    """Whether a value is assumed to be a tensor of a device, as the result of a module that is not seen."""
    return value.rests_on(_RETURNS)


class FailureElsewhere(NamedTuple):
    """A batch that stays on the CPU in code of another file, as seen from the call that leads there.

    file: its name; row: of the operation (1-based) in which the batch fails (`what`: "input", "loss", "operand").
    """

    call: ast.Call
    file: str
    row: int
    what: str


class Machine(Recordings):
    """State and recording; the subclasses evaluate and execute."""

    def __init__(self, tree: Tree, source: Source, infos: dict[Scope, ClassInfo] | None) -> None:
        super().__init__()
        # The code that is run, the names of its imports that were met, and the evidence of modules in its text.
        self.tree = tree
        self.source = source
        self.has_wrappers = "Parallel" in source.text or api.COMPILE in source.text  # whether `owners` is recorded
        self.imports: dict[str, Obj] = {}
        self.evidence: dict[str, list[int]] = {}  # dotted text -> the offsets where its use shows that it is a module
        self.evident: frozenset[str] = frozenset()  # the last names of those

        self.state = State({}, LoggedDict(), {})

        # Where the run is.
        self.stack: list[Frame] = []
        self.scopes_active: list[Scope] = []
        self.activation = 0  # the last one's number
        self.envs: dict[Scope, int] = {}  # the activation that a scope's names are from at present
        self.overlays: list[dict[str, Obj]] = []  # names of the comprehensions and lambdas around
        self.collectors: list[list[Obj]] = []  # the modules whose parameters each `collected` has read so far
        # per activation: its results, each with the state at the return
        self.returns: list[list[tuple[Obj, State]]] = []
        self.yielded: list[list[Obj]] = [[]]  # per activation: the values it yields
        self.inside: list[bool] = [False]  # per activation: whether a call in the file made it
        self.jumps: list[list[State]] = []  # per loop being run: where its body breaks and continues
        self.repeating = 0  # how many of the loops being run are in an iteration after their first

        # The functions that the constructors being run have called so far, and those that the constructor of an instance called.
        self.constructing: list[set[Scope]] = []
        self.constructed: dict[Obj, set[Scope]] = {}

        # The functions and classes of the file that were run. Classes, and an instance of each with the state that its constructor left.
        self.ran: set[Scope] = set()
        self.infos = {} if infos is None else infos
        self.instances: dict[Scope, Obj] = {}
        self.inits: dict[Obj, State] = {}

        # Code of other files (`ImportedCode`): how many frames of the stack are this file's, and the call that leads there.
        self.own = tree  # of the file that is analysed
        self.abroad = False
        self.passed_devices: dict[
            Obj, str
        ] = {}  # the devices that this file passes to the code of another one, with their texts here
        self.passed: dict[Obj, ast.expr] = {}  # the arguments of the call that leads there
        self.border = 0
        self.crossing: ast.expr | None = None
        self.crossed = 0  # lines of other files followed so far
        self.extra = 0  # activations in other files
        self.beyond: dict[ast.Call, FailureElsewhere] = {}  # failures there
        self.callbacks: dict[tuple[Obj, Scope], list[State]] = {}  # calls there of methods of this file: the states
        self.elsewhere: dict[tuple[Scope, str], Definition | None] = {}
        self.given: dict[ast.expr, Obj | None] = {}  # devices of other files
        self.known: dict[Tree, Known] = {}
        self.star_names: dict[
            tuple[Tree, str], str | None
        ] = {}  # names that star imports may bind, and the names that they denote

        # Cached results.
        self.extents: dict[Scope, Span] = {}

    if TYPE_CHECKING:

        def eval(self, node: ast.expr) -> Obj:
            """The value of an expression (`Expressions`)."""

        def collected(self, expr: ast.expr) -> Obj:
            """The value of an expression; `params` if it is of unknown kind and reads parameters of modules."""

        def arguments(self, node: ast.Call) -> Arguments:
            """A call's arguments: keyword, expression and value of each."""

        def parts(self, value: Obj, expr: ast.expr, own: bool = True) -> list[tuple[Obj, ast.expr, bool]]:
            """`flatten` with the expression of each part, and whether that is the part's own or its container's."""

        def opaque_argument(self, item: Obj, pure: bool, node: ast.expr) -> None:
            """Record an argument of unknown code."""

        def item_of(self, value: Obj, key: object, node: ast.expr) -> Obj:
            """An item of a value under a key."""

        def new_element(self, loader: Obj, node: ast.expr) -> Obj:
            """A batch of a loader."""

        def tensor_like(self, base: Obj, node: ast.expr, *, scalar: bool = False) -> Obj:
            """A tensor on the device of another one."""

        def imported(self, name: str) -> Obj:
            """The value of an imported qualified name."""

        def stays_where_made(self, root: Obj) -> bool:
            """Whether a module moves neither itself nor its inputs."""

        def e_call(self, node: ast.Call) -> Obj:
            """The value of a call."""

        def value_of(self, imported: Obj) -> Obj:
            """The device or device name that an import is bound to in another file; the import itself otherwise."""

        def any_item(self, container: Obj, item: Obj) -> Obj:
            """An item of a container whose items all are like `item`."""

        def global_of(self, root: Scope, name: str) -> Obj | None:
            """The device that a name of another file's module level is bound to; None if unknown."""

        def may_follow(self, scope: Scope) -> bool:
            """Whether a function of another file may be run."""

        def wrap(self, name: str, node: ast.Call, args: Arguments) -> Obj:
            """A call of DataParallel, DistributedDataParallel and the like."""

        def optimizer(self, name: str, node: ast.Call, args: Arguments, *, cls: Scope | None = None) -> Obj:
            """A call that makes an optimizer."""

        def call_choice(self, choice: Obj, node: ast.Call, args: Arguments) -> Obj:
            """The result of a call of one of several classes and functions."""

        def instantiate(self, scope: Scope, node: ast.Call, args: Arguments | None = None) -> Obj:
            """An instance of a class of the repository."""

        def local_call(self, scope: Scope, self_obj: Obj | None, node: ast.Call, args: Arguments | None = None) -> Obj:
            """The result of a function of the repository."""

        def call_scope(
            self, scope: Scope, self_obj: Obj | None = None, call: ast.expr | None = None, args: Arguments | None = None
        ) -> Obj:
            """Run a function's body and return its result."""

        def library_attribute(self, owner: Obj, node: ast.Attribute) -> Obj | None:
            """The tensor that an object of a library has as an attribute; None where nothing is known."""

        def item_of_dataset(self, dataset: Obj, node: ast.expr) -> Obj | None:
            """One item of a data set; None where nothing is known."""

        def found(self, name: str, root: Scope | None) -> Definition | None:
            """The definition, in another file, of an import named `name` in the file of `root`; None if it is not found."""

        def accessed(self, accessor: Scope, owner: Obj, node: ast.expr, given: Obj | None = None) -> Obj | None:
            """The result of a property's getter, or of its setter with the value `given`; None if it is not run."""

    # --- for those who run another domain on this interpreter, or look on ------------------------

    def executed(self, stmt: Stmt) -> None:
        """Called after each statement; `Trace` looks at the state there."""

    def differs(self, before: State, after: State) -> bool:
        """Whether the next iteration of a loop finds something else than the one before it."""
        return differs(before, after)

    def may_skip(self, loop: Stmt) -> bool:
        """Whether the body of a loop may run not even once."""
        return True

    def narrow(self, test: ast.expr, held: bool) -> None:
        """Called where a test, which was evaluated just now, is known to be true (`held`) or false."""

    def aside(self, node: ast.expr) -> Obj:
        """`eval` of an expression that may not run: an operand of ``and`` behind the first."""
        return self.eval(node)

    def event(self, kind: EventKind, node: ast.expr, obj: Obj, **extra: Any) -> Event:
        """Record an event of an object at an expression; `kind` and `extra` as in `Event`."""
        if self.abroad:
            return self.event_abroad(kind, node, obj, **extra)
        if kind == "host" and is_of_unseen_module(obj):
            return Event(kind, node, obj, tuple(self.stack), -1, **extra)  # it may be an array, or on the CPU
        if self.state.spared and kind in _ON_DEVICE:
            return Event(kind, node, obj, tuple(self.stack), -1, **extra)
        event = Event(kind, node, obj, tuple(self.stack), len(self.events), again=self.repeating > 0, **extra)
        self.events.append(event)
        if kind in _MAKES:
            self.own_made.add(obj)
        return event

    def event_abroad(self, kind: EventKind, node: ast.expr, obj: Obj, **extra: Any) -> Event:
        """An event in another file, as an event of the call into it, if rules of this file may need it."""
        if kind == "module":
            obj.origin = None  # made on no line of this file
            if self.crossing is not None:
                self.brought[obj] = Event(kind, self.crossing, obj, tuple(self.stack[: self.border]), -1)
        skipped = self.state.spared or self.repeating > 0
        if kind == "conflict" and isinstance(self.crossing, ast.Call) and obj.is_element and not skipped:
            self.beyond.setdefault(
                self.crossing,
                FailureElsewhere(self.crossing, basename(self.source.name), node.lineno, str(extra.get("what"))),
            )
        if kind == "place" and self.crossing is not None:  # since this call; no move that a rule of this file rewrites
            event = Event(kind, self.crossing, obj, tuple(self.stack[: self.border]), -1, **extra)
            self.moves_abroad[event] = node, self.stack[-1].stmt
            if obj.is_module:
                event.kind, event.order = "placed", len(self.events)
                self.events.append(event)
            return event
        failed = kind in _FAILS and self._fails_here(obj)
        if (kind not in _SEEN_FROM_HERE and not failed) or self.crossing is None:
            return Event(kind, node, obj, tuple(self.stack), -1, **extra)
        extra["arg_node"] = self.passed.get(obj) if failed else None
        if kind == "conflict":
            extra["what"] = "elsewhere"
        here, again = tuple(self.stack[: self.border]), self.repeating > 0
        event = Event(kind, self.crossing, obj, here, len(self.events), again=again, **extra)
        self.events.append(event)
        return event

    def _fails_here(self, obj: Obj) -> bool:
        """Whether a failure in another file is about a module or tensor that this file made: it is repaired here."""
        if self.state.spared or self.repeating or not isinstance(self.crossing, ast.Call):
            return False
        if obj.is_module:
            return obj.root() in self.own_made
        made = [root for root in (obj, *obj.roots) if torch_model.is_factory(root.name)]
        return bool(made) and all(root in self.own_made for root in made)

    def touch(self, obj: Obj, what: str) -> None:
        """Record that the statement that is run, and those that led to it, have an effect on a module, an optimizer, a scheduler or
        the world; `rules.ordering.movability` has the kinds (`what`) that may be reordered."""
        entry = (obj, what)
        for frame in self.stack[: self.border] if self.abroad else self.stack:
            self.touches[frame.stmt].append(entry)

    def use(self, obj: Obj, what: str, node: ast.expr | None) -> None:
        """Record a use of an element or a tensor, or of the values it is made of.

        what: device (together with a tensor on one), neutral (on any device), moved; host, host operand, index, container index
        (only a tensor on the CPU works); mapping, called (so it is no tensor); sequence (of tensors, or a tensor: both work); attribute
        (of a module), escape, opaque (by unknown code).
        """
        if self.abroad:
            node = self.crossing
        if node is None:
            return
        if obj.is_tensor_like:
            for root in obj.roots | {obj}:
                self.uses[root].append((what, node))

    def use_as_sequence(self, obj: Obj, node: ast.expr | None) -> None:
        """Record that the items of a loader's element are used one by one, which does not show whether it is a tensor."""
        if obj.is_element and obj.value != "tensor":
            self.use(obj, "sequence", node)

    def use_generated(self, value: Obj, node: ast.expr | None) -> None:
        """Unknown code gets the values that a generator of the file yields."""
        if value.kind == "generated" and value.base is not None:
            for item in self.flatten(value.base):
                self.use(item, "escape", node)

    @staticmethod
    def on_device(obj: Obj) -> bool:
        """Whether a tensor is on a device other than the CPU."""
        place = obj.place if obj.is_tensor_like else None
        return place is not None and place.is_off_cpu

    def known_as(self, unknown: Obj, module: Obj) -> None:
        """Every name that held the unknown value holds the module it turned out to be."""
        state = self.state
        for ident, names in list(state.env.items()):
            for name in [name for name, value in names.items() if value is unknown]:
                state.put(ident, name, module)
        for slot in [slot for slot, value in state.fields.items() if value is unknown]:
            state.fields[slot] = module

    def agree(self, turned: int, since: int, *paths: State) -> None:
        """On these paths, which separated at the moment `since`, the unknown values are modules that are in `self.turned` from `turned` on."""
        here = self.state
        for unknown, module in self.turned[turned:]:
            for self.state in paths:
                if module.born <= since or unknown in self.state.place:  # it is on this path
                    self.state.place.setdefault(module, self.place_before(unknown))
                self.known_as(unknown, module)
        self.state = here

    def place_before(self, unknown: Obj) -> Place:
        """The place of a value that turns out to be a module: to which it was moved, or all that it is on some path."""
        if unknown not in self.state.place and unknown.alts and all(way.is_unknown for way in unknown.alts):
            return reduce(join_places, map(self.place_before, unknown.alts))
        return self.state.place.get(unknown, UNKNOWN_PLACE)

    def by_evidence(self, target: ast.expr, value: Obj) -> Obj:
        """Upgrade an unknown value to a module when the scope treats the name as one."""
        if not value.is_unknown or (getattr(target, "id", "") or getattr(target, "attr", "")) not in self.evident:
            return value
        if len(value.members) > 1:
            return value  # a part of one of several
        text = dotted(target)
        if text and self.has_evidence(text):
            module = Obj("module", value.origin, name=value.name, cls=value.cls, param=value.param, born=value.born)
            if value.members:
                module.base = value.members[0]  # `for layer in net.modules()`: a part of a known module
            self.state.place[module] = self.place_before(value)
            self.known_as(value, module)
            self.turned.append((value, module))
            return module
        return value

    def has_evidence(self, text: str) -> bool:
        """Whether the current function (class, for self.x) calls a module-only method on `text`."""
        positions = self.evidence.get(text)
        if not positions:
            return False
        scope = self.scopes_active[-1]
        if text.startswith("self."):
            scope = scope.cls or scope
        if scope.is_root:
            return True
        span = self.extents.get(scope)
        if span is None:
            span = self.extents[scope] = self.source.span(scope.node)
        return any(span.start <= p < span.end for p in positions)

    def lookup(self, name: str) -> Obj | None:
        """The current value of a name; None if unknown."""
        scope = self.scopes_active[-1]
        owner = scope.lookup(name)
        if owner is None:
            return None
        ident = self.envs.get(owner)
        if ident is None:
            return None
        return self.state.get(ident, name)

    def store_name(self, name: str, value: Obj) -> None:
        """Bind a name in the scope that is run, or in the one whose name it is."""
        scope = self.scopes_active[-1]
        self.state.put(self.envs.get(scope.lookup(name) or scope, 0), name, value)

    def flatten(self, value: Obj, depth: int = 0) -> list[Obj]:
        """The value and, for literal containers, their items."""
        if value.is_container and value.items is not None and depth < 3:
            return [value, *(part for item in value.items for part in self.flatten(item, depth + 1))]
        return [value.uncompiled()]

    def place_of(self, obj: Obj) -> Place:
        """The current place of a module: its own, else its parent's; HOST directly after its construction."""
        root = obj.root()
        seen = 0
        while True:
            place = self.state.place.get(root)
            if place is not None:
                return place
            if root.alts:
                flag = root.value if isinstance(root.value, Flag) else NO_FLAG
                return reduce(lambda one, other: join_places(one, other, flag), map(self.place_of, root.alts))
            if root.base is None or seen > 8:
                return UNKNOWN_PLACE if root.outside else HOST
            root = root.base.root()
            seen += 1

    def lying(self, obj: Obj) -> Place:
        """The current place of a module or a tensor; unknown for anything else."""
        if obj.is_module:
            return self.place_of(obj)
        return (obj.place if obj.is_tensor_like else None) or UNKNOWN_PLACE

    def part_set(self, whole: Obj, value: Obj, target: ast.expr) -> None:
        """``model.fc = nn.Linear(…)``: where the model was placed before, its new part is left on the CPU."""
        root, value = whole_of(whole), value.uncompiled()
        part = value.root()
        if root is None or value.kind != "module" or part in self.state.place or part.base is not None:
            return
        place = self.place_of(root)
        if place.is_off_cpu:
            self.held.add(part)
            self.left.add(root)
            self.state.place[part] = HOST
            name = target.attr if isinstance(target, ast.Attribute) and whole.is_module else self.source.code(target)
            self.state.fields[root, name] = value

    def parts_left(self, root: Obj) -> list[Obj]:
        """The new parts of a placed module that were not moved since."""
        if root not in self.left:
            return []
        parts = [value.root() for (owner, _), value in self.state.fields.items() if owner is root and value.is_module]
        return [
            part for part in dict.fromkeys(parts) if (place := self.state.place.get(part)) is not None and place.is_host
        ]

    def asked(self, value: Obj) -> None:
        """The program reads the device of a value."""
        for member in made_of(value):
            self.touch(member, "asked")

    def taken(self, *values: Obj) -> None:
        """A result is computed from these, and is on the device of the parameters among them."""
        for value in values:
            if value.kind in ("part", "tensor") and value.attr not in api.MODULE_NUMBERS:
                for member in made_of(value):
                    self.touch(member, "taken")

    def touch_part(self, value: Obj, what: str) -> None:
        """Touch the module a part (layer, weight) belongs to."""
        if value.kind in ("unknown", "params"):
            for member in value.members:
                self.touch(member, what)
            return
        whole = whole_of(value)
        if whole is not None:
            self.touch(whole, what)

    def class_info(self, scope: Scope) -> ClassInfo:
        """The summary of a class, computed once."""
        return class_info(scope, self.infos)
