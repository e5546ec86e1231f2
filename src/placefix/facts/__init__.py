"""Facts: what the analysis knows about one file. Rules ask; they never walk syntax.

`Facts` is a facade over rooms that build on each other: the statement tree (`program`), the device-flow
analysis (`interpret`), order and movability (`placement`), the devices in reach (`devices`), code that
names CUDA (`cuda`).
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.diagnostic import Move, Replace, Severity, Span, holds
from placefix.facts import torch_api as api
from placefix.facts.program.children import walk
from placefix.facts.program.tree import Stmt, Tree
from placefix.lazy import NamedTuple, pattern
from placefix.spelling import HAS_OWN_TENSOR, LOOPS_OVER_DATA, TRAINS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.cuda.amp import Amp
    from placefix.facts.cuda.beside import Beside
    from placefix.facts.cuda.cudaonly import CudaOnly
    from placefix.facts.cuda.intents import Intents
    from placefix.facts.cuda.kept import Kept
    from placefix.facts.cuda.loads import Loads
    from placefix.facts.cuda.meets import Meets
    from placefix.facts.cuda.needs import Needs
    from placefix.facts.cuda.refusals import Refusals
    from placefix.facts.cuda.respell import Respell
    from placefix.facts.cuda.sites import Cuda
    from placefix.facts.cuda.tensortypes import TensorTypes
    from placefix.facts.cuda.unguard import Unguard
    from placefix.facts.devices.choice import Devices
    from placefix.facts.interpret.flow import Flow
    from placefix.facts.interpret.stores import Stores
    from placefix.facts.interpret.values import ClassInfo, Event, Obj
    from placefix.facts.placement.anew import MadeAnew
    from placefix.facts.placement.apart import HalfPlaced
    from placefix.facts.placement.batches import Batches
    from placefix.facts.placement.conflicts import Conflicts
    from placefix.facts.placement.destinations import Destinations
    from placefix.facts.placement.discarded import Discarded
    from placefix.facts.placement.doubts import Doubts
    from placefix.facts.placement.fellows import Fellows
    from placefix.facts.placement.host_tensors import HostTensors
    from placefix.facts.placement.misplaced import Misplaced
    from placefix.facts.placement.parameters import MovedParameter
    from placefix.facts.placement.partners import Partners
    from placefix.facts.placement.reorder import Optimizer, Reorder, Repair, Wrap
    from placefix.facts.placement.stays import Stays
    from placefix.facts.placement.strays import Stray, Strays
    from placefix.facts.placement.twin_loops import TwinLoops
    from placefix.facts.placement.twins import Twins
    from placefix.facts.placement.unplaced import Unplaced
    from placefix.facts.placement.unregistered import Unregistered
    from placefix.facts.placement.wrapped import Wrapped
    from placefix.facts.program.project import Home
    from placefix.facts.program.tree import Scope
    from placefix.settings import Settings
    from placefix.source import Source

__all__ = ["Facts"]

_LOOPS_OVER_DATA = pattern(LOOPS_OVER_DATA)
_GIVEN = frozenset(("source", "home", "module", "settings"))


class MisplacedWrap(NamedTuple):
    """A wrap that is followed by the placement of its module."""

    wrap: Wrap
    span: Span
    has_device_ids: bool
    elsewhere: bool
    cpu_by_flag: bool
    on_host: bool  # the module is shown to lie on the CPU when it is wrapped


class Facts:
    """The facts of one parsed file. Everything is computed on first use.

    source: the text; module: its `ast`; settings: what the user asked for; home: the file's place
    in its repository, None where other files are not to be read.
    """

    def __init__(self, source: Source, module: ast.Module, settings: Settings, home: Home | None = None) -> None:
        self.source = source
        self.home = home
        self.module = module
        self.settings = settings

    def release(self) -> None:
        """Break the reference cycles of the tree and the flow, so that they go when they are done with:
        over a repository the cyclic collector would cost more than the analysis."""
        tree = self.__dict__.get("tree")
        flow = self.__dict__.get("flow")
        if flow is not None:
            for event in flow.events:
                event.place = None
        strays = self.__dict__.get("strays")
        if strays is not None:
            strays.release()
        if tree is not None:
            tree.release()
        parts = [part for name, part in self.__dict__.items() if name not in _GIVEN]
        self.__dict__.clear()
        for part in parts:
            if hasattr(part, "__dict__"):
                part.__dict__.clear()

    @cached_property
    def tree(self) -> Tree:
        """Scopes, statements, bindings, imports."""
        # Reading other files costs more than the rest of the analysis: not for code that
        # neither trains, loads data, wraps nor runs as a script.
        text = self.source.text
        follow = self.home is not None and (any(word in text for word in TRAINS) or _LOOPS_OVER_DATA.search(text))
        return Tree(self.source, self.module, self.home if follow else None)

    @cached_property
    def flow(self) -> Flow:
        """The device-flow analysis of the whole file."""
        from placefix.facts.interpret.flow import Flow

        return Flow(self.tree, self.source, always=self.settings.add_placement, infos=self.infos, stores=self.stores)

    @cached_property
    def infos(self) -> dict[Scope, ClassInfo]:
        """The summaries of classes that were asked for, `interpret.summaries.class_info` adds to them."""
        return {}

    def class_info(self, scope: Scope) -> ClassInfo:
        """The summary of a class, which is read in the statement tree alone: it starts no flow."""
        from placefix.facts.interpret.summaries import class_info

        return class_info(scope, self.infos)

    @cached_property
    def stores(self) -> dict[Tree, Stores]:
        """What attributes are set in the files that were asked about, `interpret.stores.stores_in` adds to them."""
        return {}

    @cached_property
    def reorder(self) -> Reorder:
        """Wraps and optimizers that stand before the placement, and the legal moves."""
        from placefix.facts.placement.reorder import Reorder

        return Reorder(self)

    @cached_property
    def devices(self) -> Devices:
        """The device expressions in reach, and where to define one."""
        from placefix.facts.devices.choice import Devices

        return Devices(self)

    @cached_property
    def conflicts(self) -> Conflicts:
        """Where tensors meet something on another device."""
        from placefix.facts.placement.conflicts import Conflicts

        return Conflicts(self)

    @cached_property
    def partners(self) -> Partners:
        """What tensors meet that callers hand to a function."""
        from placefix.facts.placement.partners import Partners

        return Partners(self)

    @cached_property
    def destinations(self) -> Destinations:
        """The devices that tensors are moved to."""
        from placefix.facts.placement.destinations import Destinations

        return Destinations(self)

    @cached_property
    def batches(self) -> Batches:
        """Batches of loaders that meet something on another device."""
        from placefix.facts.placement.batches import Batches

        return Batches(self)

    @cached_property
    def host_tensors(self) -> HostTensors:
        """Tensors of the script's own making that meet something on another device."""
        from placefix.facts.placement.host_tensors import HostTensors

        return HostTensors(self)

    @cached_property
    def discarded(self) -> Discarded:
        """Moves of tensors whose result is thrown away."""
        from placefix.facts.placement.discarded import Discarded

        return Discarded(self)

    @cached_property
    def twins(self) -> Twins:
        """What the other lines of a function say of a tensor."""
        from placefix.facts.placement.twins import Twins

        return Twins(self)

    @cached_property
    def fellows(self) -> Fellows:
        """Tensors that a function moves, but for one."""
        from placefix.facts.placement.fellows import Fellows

        return Fellows(self)

    @cached_property
    def twin_loops(self) -> TwinLoops:
        """Loops that move less of a batch than others of the file."""
        from placefix.facts.placement.twin_loops import TwinLoops

        return TwinLoops(self)

    @cached_property
    def stays(self) -> Stays:
        """Modules and criteria left on the CPU, and tensors of a device that the host reads."""
        from placefix.facts.placement.stays import Stays

        return Stays(self)

    @cached_property
    def cuda(self) -> Cuda:
        """Where the file says CUDA outright."""
        from placefix.facts.cuda.sites import Cuda

        return Cuda(self)

    @cached_property
    def intents(self) -> Intents:
        """Where the code says itself that it needs a GPU."""
        from placefix.facts.cuda.intents import Intents

        return Intents(self)

    @cached_property
    def refusals(self) -> Refusals:
        """Why uses of CUDA may not be respelled."""
        from placefix.facts.cuda.refusals import Refusals

        return Refusals(self)

    @cached_property
    def tensor_types(self) -> TensorTypes:
        """Tensor types that say where tensors lie."""
        from placefix.facts.cuda.tensortypes import TensorTypes

        return TensorTypes(self)

    @cached_property
    def needs(self) -> Needs:
        """What needs CUDA, and still does once fixes are applied."""
        from placefix.facts.cuda.needs import Needs

        return Needs(self)

    @cached_property
    def cuda_only(self) -> CudaOnly:
        """Calls that raise where there is no CUDA."""
        from placefix.facts.cuda.cudaonly import CudaOnly

        return CudaOnly(self)

    @cached_property
    def beside(self) -> Beside:
        """The device that the lines beside a use of CUDA name."""
        from placefix.facts.cuda.beside import Beside

        return Beside(self)

    @cached_property
    def kept(self) -> Kept:
        """Uses of CUDA that stay, and are no fault."""
        from placefix.facts.cuda.kept import Kept

        return Kept(self)

    @cached_property
    def loads(self) -> Loads:
        """Checkpoints that are loaded onto the devices they were saved from."""
        from placefix.facts.cuda.loads import Loads

        return Loads(self)

    @cached_property
    def unplaced(self) -> Unplaced:
        """The script that places nothing."""
        from placefix.facts.placement.unplaced import Unplaced

        return Unplaced(self)

    @cached_property
    def doubts(self) -> Doubts:
        """What is not shown to lie together in a script that is placed."""
        from placefix.facts.placement.doubts import Doubts

        return Doubts(self)

    @cached_property
    def meets(self) -> Meets:
        """What is used together with something that lies on a device."""
        from placefix.facts.cuda.meets import Meets

        return Meets(self)

    @cached_property
    def respell(self) -> Respell:
        """How it can say so without."""
        from placefix.facts.cuda.respell import Respell

        return Respell(self)

    @cached_property
    def unguard(self) -> Unguard:
        """Guards around hard-coded CUDA."""
        from placefix.facts.cuda.unguard import Unguard

        return Unguard(self)

    @cached_property
    def strays(self) -> Strays:
        """Tensors that the code of modules makes on the CPU and uses with what may lie elsewhere."""
        from placefix.facts.placement.strays import Strays

        return Strays(self)

    @cached_property
    def wrapped(self) -> Wrapped:
        """What becomes of modules under their wrappers."""
        from placefix.facts.placement.wrapped import Wrapped

        return Wrapped(self)

    @cached_property
    def amp(self) -> Amp:
        """Uses of torch.cuda.amp."""
        from placefix.facts.cuda.amp import Amp

        return Amp(self)

    @property
    def defines_devices(self) -> bool:
        """Whether a new device was thought of, so far, for some fix."""
        devices = self.__dict__.get("devices")
        return devices is not None and bool(devices.made)

    def priors(self) -> Iterator[Misplaced]:
        """Distributions of tensors of the CPU that meet tensors of a device."""
        from placefix.facts.placement.priors import priors

        return priors(self)

    def moved_parameters(self) -> Iterator[MovedParameter]:
        """Parameters that are moved where they are made, and are none afterwards."""
        from placefix.facts.placement.parameters import moved_parameters

        return moved_parameters(self)

    def unregistered(self) -> Iterator[Unregistered]:
        """Modules that a module keeps in a plain list or dict."""
        from placefix.facts.placement.unregistered import unregistered

        return unregistered(self)

    def initial_states(self) -> Iterator[Stray]:
        """Hidden states of the CPU that a method of a module makes for its callers."""
        from placefix.facts.placement.states import initial_states

        return initial_states(self)

    def made_anew(self) -> Iterator[MadeAnew]:
        """Layers with parameters that a module makes at each call."""
        from placefix.facts.placement.anew import made_anew

        return made_anew(self)

    @cached_property
    def makes_tensors(self) -> bool:
        """Whether the file has tensors of its own making: without one, none of them can stand in the wrong place."""
        return holds(self.source.text.encode("ascii", "replace"), HAS_OWN_TENSOR)

    @cached_property
    def framework(self) -> str:
        """The framework that places things by itself in this file, or an empty string."""
        for name in sorted(self.tree.imported):
            found = api.FRAMEWORKS.get(name.partition(".")[0])
            if found is not None:
                return found
        return ""

    def span(self, node: ast.AST | Stmt) -> Span:
        """Span of an expression or statement."""
        return self.source.span(node.node if isinstance(node, Stmt) else node)

    def text(self, node: ast.AST | Stmt) -> str:
        """Source text of an expression or statement."""
        return self.source.segment(self.span(node))

    def device_text(self, stmt: Stmt) -> str:
        """Text of a device expression that is valid at `stmt`, "" if none is in reach."""
        from placefix.facts.devices.choice import device_at

        reach = device_at(self, stmt)
        return reach.text if reach is not None else ""

    def device_below(self, stmt: Stmt) -> tuple[str, Stmt] | None:
        """(name, definition) of a device that is defined further down and may move above `stmt`."""
        definition = self._later_device(stmt)
        return (self.reorder.order.pure_definition(definition), definition) if definition is not None else None

    # --- wraps ----------------------------------------------------------------------------

    def _keyword(self, call: ast.expr, name: str) -> ast.expr | None:
        if isinstance(call, ast.Call):
            for keyword in call.keywords:
                if keyword.arg == name:
                    return keyword.value
        return None

    def device_ids(self, wrap: Event) -> ast.expr | None:
        """The device_ids that a wrap is given, None without them."""
        call = wrap.node
        found = self._keyword(call, "device_ids")
        if found is None and isinstance(call, ast.Call) and len(call.args) > 1:
            found = call.args[1]
        return None if isinstance(found, ast.Constant) and found.value is None else found

    def misplaced_wraps(self, kind: str) -> Iterator[MisplacedWrap]:
        """Wraps ("ddp" or "dp") whose module is placed only afterwards, to something other than the CPU."""
        if self.framework:
            return
        for wrap in self.reorder.wraps():
            if (
                (wrap.event.what == api.DDP) != (kind == "ddp")
                or wrap.placement is None
                or wrap.placement.place is None
            ):
                continue
            device = wrap.placement.place.device
            if device is None or device.is_cpu:
                continue
            ids = self.device_ids(wrap.event)
            first = ids.elts[0] if isinstance(ids, (ast.List, ast.Tuple)) and ids.elts else None
            index = first.value if isinstance(first, ast.Constant) else 0 if ids is None else None
            if kind == "dp" and device.index is not None and index is not None and device.index != index:
                continue  # a mismatch of devices, not of order
            if kind == "ddp" and wrap.elsewhere and not ids:
                continue
            guarded = any(
                isinstance(s.node, ast.If) and "device_count" in self.text(s.node.test)
                for s in wrap.event.stmt.ancestors()
            )
            yield MisplacedWrap(
                wrap,
                self.span(wrap.event.node),
                first is not None,
                wrap.elsewhere,
                device.kind in ("flag", "other") and not guarded and self._called_bare(wrap),
                wrap.event.place is not None and wrap.event.place.kind == "host",
            )

    @cached_property
    def only_nccl(self) -> bool:
        """Whether every process group of the file is one of NCCL, by a literal."""
        found = []
        for call, stmt in self.devices.index.calls:
            if self.tree.qualname(call.func, stmt.scope) == "torch.distributed.init_process_group":
                backend = self._keyword(call, "backend") or (call.args[0] if call.args else None)
                found.append(isinstance(backend, ast.Constant) and backend.value == "nccl")
        return bool(found) and all(found)

    def _called_bare(self, wrap: Wrap) -> bool:
        """Whether the module is also run without its wrapper: only then did a program run to the end
        that wrapped a module, kept it on the CPU and had a GPU in sight."""
        root = wrap.event.obj.root()
        conditional = any(isinstance(s.node, (ast.If, ast.Try)) for s in wrap.event.stmt.ancestors())
        return any(
            e.kind == "call"
            and e.order > wrap.event.order
            and e.obj.root() is root
            and (e.obj.kind != "wrapper" or (e.obj.maybe and not conditional))
            for e in self.flow.events
        )

    def unplaced_wraps(self) -> Iterator[Wrap]:
        """DataParallel wraps of modules made in this file that are called and never placed."""
        if self.framework:
            return
        events = self.flow.events
        if not any(
            e.kind == "place" and e.place is not None and e.place.device is not None and not e.place.device.is_cpu
            for e in events
        ) and (
            "cuda" not in self.source.text
            and "device" not in self.source.text.replace("device_ids", "").replace("device_count", "")
        ):
            return
        for wrap in self.reorder.wraps():
            if wrap.placement is not None or wrap.event.what != api.DATA_PARALLEL:
                continue
            ids = self.device_ids(wrap.event)
            if isinstance(ids, (ast.List, ast.Tuple)) and len(ids.elts) == 1:
                continue  # with one id the constructor moves the module
            root = wrap.event.obj.root()
            if self._placed_with_another(wrap.event) or not (
                root.items if root.loss else self.stays.has_parameters(root)
            ):
                continue
            called = [e for e in events if e.kind == "call" and e.obj.root() is root]
            if (
                not root.proven
                or root.base is not None
                or not called
                or wrap.event.place is None
                or wrap.event.place.kind != "host"
            ):
                continue
            if all(e.place is not None and e.place.kind == "host" for e in called):
                yield wrap

    def _placed_with_another(self, wrap: Event) -> bool:
        """Whether a wrap is made in the code of a class that is, or may be, a module: what places that places its parts."""
        for frame in wrap.stack:
            scope: Scope | None = frame.stmt.scope
            while scope is not None and scope.kind != "class":
                scope = scope.parent
            if scope is not None and ((info := self.class_info(scope)).is_module or not info.closed):
                return True
        return False

    def half_placed_wraps(self) -> Iterator[HalfPlaced]:
        """DataParallel wraps of modules that are placed only where they are not wrapped."""
        from placefix.facts.placement.apart import half_placed

        return iter(()) if self.framework else half_placed(self)

    def place_argument(self, wrap: Wrap) -> Repair:
        """Write the placement into the wrap's argument, with a device that is in reach there."""
        from placefix.facts.placement.reorder import Repair

        arg = wrap.event.arg_node
        if arg is None:
            return Repair(why_not="the wrapped module is not an argument of its own")
        stmt = wrap.event.stmt
        edits: list[Move | Replace] = []
        ids = self.device_ids(wrap.event)
        first = ids.elts[0] if isinstance(ids, (ast.List, ast.Tuple)) and ids.elts else None
        if isinstance(first, ast.Constant) and first.value != 0:
            return Repair(why_not=f"its device_ids start with {first.value!r}: the module belongs there")
        text = self.device_text(stmt)
        if not text:
            below = self.device_below(stmt)
            if below is None:
                return Repair(why_not="no device is defined where the module is wrapped")
            text, definition = below
            edits.append(Move((self.span(definition),), self.span(stmt)))
        code = self.text(arg)
        simple = isinstance(arg, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))
        edits.append(Replace(self.span(arg), f"{code if simple else f'({code})'}.to({text})", code))
        return Repair(tuple(edits))

    def _later_device(self, stmt: Stmt) -> Stmt | None:
        """A pure device definition further down in the same suite that may move up to `stmt`."""
        from placefix.facts.program.accesses import clash, names

        across = [stmt]
        for later in stmt.suite.stmts[stmt.index + 1 :]:
            name = self.reorder.order.pure_definition(later)
            value = later.node.value if isinstance(later.node, ast.Assign) else None
            if name and value is not None and self.is_device(value, later):
                read = names(later.node)[0]
                if all(
                    not clash(names(s.node)[1], read) and name not in names(s.node)[0] | names(s.node)[1]
                    for s in across
                ):
                    return later
            across.append(later)
        return None

    def is_device(self, value: ast.expr, stmt: Stmt) -> bool:
        """Whether an expression is a device that may be the accelerator."""
        if isinstance(value, ast.Call):
            return self.tree.qualname(value.func, stmt.scope) == "torch.device"
        if isinstance(value, ast.IfExp):
            words = [p.value for p in walk(value) if isinstance(p, ast.Constant) and isinstance(p.value, str)]
            return any(w.startswith("cuda") for w in words) and "cpu" in words
        return False

    # --- optimizers -----------------------------------------------------------------------

    def early_optimizers(self) -> Iterator[Optimizer]:
        """Optimizers built before one of their modules is placed."""
        if not self.framework:
            yield from self.reorder.optimizers()

    def optimizer_repair(self, found: Optimizer) -> Repair:
        """The smaller legal move, or why there is none."""
        from placefix.facts.placement.reorder import Repair

        if found.elsewhere:
            return Repair(
                why_not=f"the module is placed in another function ({self.source.row_name(found.placements[0].node.lineno)})"
            )
        if found.rebuilt:
            return Repair(
                why_not=f"this optimizer is dead: {self.source.row_name(found.rebuilt)} builds it anew before any use"
            )
        return self.reorder.optimizer_after_placement(found)

    def early_optimizer_effect(self, found: Optimizer) -> tuple[Severity, str]:
        """How bad the old order is for this class of optimizer, and the sentence that says so."""
        obj: Obj = found.event.obj
        if found.others:
            some = (
                sorted(n.rpartition(".")[2] for n in {obj.name, *found.others} & api.EAGER_STATE)
                if not found.state_moved
                else []
            )
            if some:
                what = (
                    "makes its state when it is built, and its first step fails"
                    if len(some) == 1
                    else "make their state when they are built, and their first step fails"
                )
                return (
                    Severity.WARNING,
                    f"the optimizer is built before the module is placed; {' and '.join(some)} {what}",
                )
            return (
                Severity.STYLE,
                "the optimizer is built before the module is placed; this works on CPU, CUDA, MPS and XPU",
            )
        short = obj.name.rpartition(".")[2]
        if obj.name in api.EAGER_STATE and not found.state_moved:
            return (
                Severity.ERROR,
                f"{short} makes its state when it is built: built before the placement it stays on the CPU and the first step fails",
            )
        if obj.name == api.ZERO:
            return (
                Severity.WARNING,
                "ZeroRedundancyOptimizer remembers the device of the parameters it is given, and the module is placed later",
            )
        if found.event.what == "fused" and self.settings.target_torch < (2, 5):
            return (
                Severity.WARNING,
                f"{short}(fused=True) checks the device of its parameters when it is built (before torch 2.5), and the module is placed later",
            )
        if not obj.proven:
            return (
                Severity.WARNING,
                f"{short or 'the optimizer'} is built before the module is placed; what its constructor keeps of the parameters is not known",
            )
        if short == "Dynamic" or not short:
            return (
                Severity.WARNING,
                "the optimizer is built before the module is placed; some classes (Adagrad) then fail at the first step",
            )
        if obj.name == api.OPTIMIZER:
            short = "the optimizer"
        return Severity.STYLE, f"{short} is built before the module is placed; this works on CPU, CUDA, MPS and XPU"
