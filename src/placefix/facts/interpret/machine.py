"""What the parts of the abstract interpreter share: its state and how it records."""

from __future__ import annotations

import ast
from os.path import basename
from typing import TYPE_CHECKING, Any

from placefix.facts.interpret.state import Flag, State, join_places
from placefix.facts.interpret.summaries import class_info
from placefix.facts.interpret.values import HOST, ClassInfo, Event, Frame, Obj, Place
from placefix.lazy import NamedTuple

if TYPE_CHECKING:
    from placefix.facts.program.tree import Scope, Stmt, Tree
    from placefix.source import Source

# Not a module, optimizer or tensor: the world that collectives, the CUDA context and forks act on.
WORLD = Obj("world")

# The arguments of a call: (keyword or None, expression, value), in order.
Arguments = list[tuple[str | None, ast.expr, Obj]]

# Events that a call into another file stands for here. What is made, moved or wrapped there is
# that file's own matter; where things lie afterwards is known from the state.
_SEEN_FROM_HERE = frozenset(("call", "optimizer", "state"))
# What goes wrong only where something lies on a device.
_ON_DEVICE = frozenset(("conflict", "host", "stayed"))


class Beyond(NamedTuple):
    """A batch that stays on the CPU in code of another file, as seen from the call that leads there.

    file: its name; row: of what it is fed to, or compared with (`what`: "input", "loss", "operand").
    """

    call: ast.Call
    file: str
    row: int
    what: str


class Machine:
    """State and recording; the subclasses evaluate and execute."""

    tree: Tree
    own: Tree  # of the file that is analysed; `tree` is that of the code that is run
    source: Source
    state: State
    events: list[Event]
    touches: dict[Stmt, list[tuple[Obj, str]]]
    uses: dict[Obj, list[tuple[str, ast.expr]]]
    ambient: dict[
        Tree, tuple[bool, frozenset[Stmt]]
    ]  # whether a file sets a device by default; where it does so for a block
    binds: dict[Obj, tuple[str, Stmt]]  # element or tensor -> the name and statement that bind it
    values: dict[ast.expr, list[Obj]]  # receivers of moves, per context
    stack: list[Frame]
    scopes_active: list[Scope]
    envs: dict[Scope, int]
    overlays: list[dict[str, Obj]]
    collectors: list[list[Obj]]
    imports: dict[str, Obj]
    infos: dict[Scope, ClassInfo]
    instances: dict[Scope, Obj]
    inits: dict[Obj, State]
    evidence: dict[str, list[int]]
    activation: int
    repeating: int  # how many of the loops being run are in an iteration after their first
    # In code of another file: how many frames of the stack are this file's, and the call that leads there.
    abroad: bool
    border: int
    crossing: ast.Call | None
    beyond: dict[ast.Call, Beyond]  # what goes wrong in code of other files
    containers: set[ast.expr]
    held: set[Obj]
    flags: bool
    left: set[Obj]
    yielded: list[list[Obj]]  # per activation: what it yields
    inside: list[bool]  # per activation: whether a call in the file made it
    evident: frozenset[str]  # last names of what the text shows to be a module

    if TYPE_CHECKING:

        def eval(self, node: ast.expr) -> Obj: ...
        def collected(self, expr: ast.expr) -> Obj: ...
        def arguments(self, node: ast.Call) -> Arguments: ...
        def parts(self, value: Obj, expr: ast.expr, own: bool = True) -> list[tuple[Obj, ast.expr, bool]]: ...
        def opaque_argument(self, item: Obj, pure: bool, node: ast.expr) -> None: ...
        def item_of(self, value: Obj, key: object, node: ast.expr) -> Obj: ...
        def new_element(self, loader: Obj, node: ast.expr) -> Obj: ...
        def tensor_like(self, base: Obj, node: ast.expr) -> Obj: ...
        def imported(self, name: str) -> Obj: ...
        def has_evidence(self, text: str) -> bool: ...
        def by_evidence(self, target: ast.expr, value: Obj) -> Obj: ...
        def cuda_test(self, test: ast.expr) -> Flag: ...
        def store_name(self, name: str, value: Obj) -> None: ...
        def e_call(self, node: ast.Call) -> Obj: ...
        def known_of(self, tree: Tree) -> tuple[dict[str, Obj], dict[str, list[int]], frozenset[str]]: ...
        def value_of(self, imported: Obj) -> Obj: ...
        def global_of(self, root: Scope, name: str) -> Obj | None: ...
        def may_follow(self, scope: Scope) -> bool: ...
        def instantiate(self, scope: Scope, node: ast.Call, args: Arguments | None = None) -> Obj: ...
        def local_call(
            self, scope: Scope, self_obj: Obj | None, node: ast.Call, args: Arguments | None = None
        ) -> Obj: ...
        def call_scope(
            self, scope: Scope, self_obj: Obj | None, call: ast.Call | None, args: list[Obj] | None
        ) -> Obj: ...

    def event(self, kind: str, node: ast.expr, obj: Obj, **extra: Any) -> Event:
        if self.abroad:
            return self.event_abroad(kind, node, obj, **extra)
        if self.state.spared and kind in _ON_DEVICE:
            return Event(kind, node, obj, tuple(self.stack), -1, **extra)
        event = Event(kind, node, obj, tuple(self.stack), len(self.events), again=self.repeating > 0, **extra)
        self.events.append(event)
        return event

    def event_abroad(self, kind: str, node: ast.expr, obj: Obj, **extra: Any) -> Event:
        """What code of another file does, as something that the call into it does, where this file's rules may ask."""
        if kind == "module":
            obj.origin = None  # made on no line of this file
        if (
            kind == "conflict"
            and self.crossing is not None
            and not self.state.spared
            and obj.kind == "element"
            and not self.repeating
        ):
            self.beyond.setdefault(
                self.crossing, Beyond(self.crossing, basename(self.source.name), node.lineno, str(extra.get("what")))
            )
        if kind not in _SEEN_FROM_HERE or self.crossing is None:
            return Event(kind, node, obj, tuple(self.stack), -1, **extra)
        extra["arg_node"] = None
        event = Event(
            kind,
            self.crossing,
            obj,
            tuple(self.stack[: self.border]),
            len(self.events),
            again=self.repeating > 0,
            **extra,
        )
        self.events.append(event)
        return event

    def touch(self, obj: Obj, what: str) -> None:
        entry = (obj, what)
        for frame in self.stack[: self.border] if self.abroad else self.stack:
            self.touches[frame.stmt].append(entry)

    def use(self, obj: Obj, what: str, node: ast.expr | None) -> None:
        """Record how an element, or something made of one, is used."""
        if self.abroad:
            node = self.crossing
        if node is None:
            return
        if obj.kind in ("element", "tensor"):
            for root in obj.roots | {obj}:
                self.uses[root].append((what, node))

    def use_generated(self, value: Obj, node: ast.expr | None) -> None:
        """Code that is not followed gets what a generator of the file yields."""
        if value.kind == "generated" and value.base is not None:
            for item in self.flatten(value.base):
                self.use(item, "escape", node)

    @staticmethod
    def on_device(obj: Obj) -> bool:
        """Whether a tensor lies on a device that is not the CPU."""
        place = obj.place if obj.kind in ("tensor", "element") else None
        return place is not None and place.kind == "device" and place.device is not None and not place.device.is_cpu

    def known_as(self, unknown: Obj, module: Obj) -> None:
        """Every name that held the unknown value holds the module it turned out to be."""
        state = self.state
        for ident, names in list(state.env.items()):
            for name in [name for name, value in names.items() if value is unknown]:
                state.put(ident, name, module)
        for slot in [slot for slot, value in state.fields.items() if value is unknown]:
            state.fields[slot] = module

    def lookup(self, name: str) -> Obj | None:
        scope = self.scopes_active[-1]
        owner = scope.lookup(name)
        if owner is None:
            return None
        ident = self.envs.get(owner)
        if ident is None:
            return None
        return self.state.get(ident, name)

    def flatten(self, value: Obj, depth: int = 0) -> list[Obj]:
        """The value and, for literal containers, what they hold."""
        if value.kind in ("tuple", "list", "dict") and value.items is not None and depth < 3:
            return [value, *(part for item in value.items for part in self.flatten(item, depth + 1))]
        return [value]

    def place_of(self, obj: Obj) -> Place:
        """Where a module lies now: its own place, else its parent's; HOST when just made."""
        root = obj.root()
        seen = 0
        while True:
            place = self.state.place.get(root)
            if place is not None:
                return place
            if root.alts:
                places = [self.place_of(a) for a in root.alts]
                result = places[0]
                for other in places[1:]:
                    result = join_places(result, other)
                return result
            if root.base is None or seen > 8:
                return HOST
            root = root.base.root()
            seen += 1

    def part_set(self, whole: Obj, value: Obj, target: ast.expr) -> None:
        """``model.fc = nn.Linear(…)``: where the model was placed before, its new part is left on the CPU."""
        root = self.whole(whole)
        part = value.root()
        if root is None or value.kind != "module" or part in self.state.place or part.base is not None:
            return
        place = self.place_of(root)
        if place.kind == "device" and place.device is not None and not place.device.is_cpu:
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
            part
            for part in dict.fromkeys(parts)
            if (place := self.state.place.get(part)) is not None and place.kind == "host"
        ]

    def touch_part(self, value: Obj, what: str) -> None:
        """Touch the module a part (layer, weight) belongs to."""
        if value.kind in ("unknown", "params"):
            for member in value.members:
                self.touch(member, what)
            return
        while value.kind == "part" and value.base is not None:
            value = value.base
        root = value.root()
        if root.is_module:
            self.touch(root, what)

    def whole(self, part: Obj) -> Obj | None:
        while part.kind == "part" and part.base is not None:
            part = part.base
        return part.root() if part.is_module else None

    def class_info(self, scope: Scope) -> ClassInfo:
        return class_info(scope, self.infos)
