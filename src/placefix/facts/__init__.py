"""Facts: what the analysis knows about one file. Rules ask; they never walk syntax.

`Facts` is a facade over rooms that build on each other: the statement tree (`program`), the device-flow
analysis (`interpret`), order and movability (`placement`), the devices in reach (`devices`), code that
names CUDA (`cuda`).
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from placefix.diagnostic import Span, holds
from placefix.facts import torch_api as api
from placefix.facts.program.tree import Stmt, Tree
from placefix.lazy import pattern
from placefix.spelling import HAS_OWN_TENSOR, LOOPS_OVER_DATA, TRAINS

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator

    from placefix.facts.cuda.amp import Amp
    from placefix.facts.cuda.cudaonly import CudaOnly
    from placefix.facts.cuda.guarded_uses import GuardedUses
    from placefix.facts.cuda.intents import Intents
    from placefix.facts.cuda.kept import Kept
    from placefix.facts.cuda.loads import Loads
    from placefix.facts.cuda.meets import Meets
    from placefix.facts.cuda.nearby_device import NearbyDevice
    from placefix.facts.cuda.needs import Needs
    from placefix.facts.cuda.parameters import MovedParameter
    from placefix.facts.cuda.refusals import Refusals
    from placefix.facts.cuda.respell import Respell
    from placefix.facts.cuda.sites import Cuda
    from placefix.facts.cuda.tensortypes import TensorTypes
    from placefix.facts.cuda.unguard import Unguard
    from placefix.facts.cuda.uses import Uses
    from placefix.facts.devices.choice import Devices
    from placefix.facts.interpret.flow import Flow
    from placefix.facts.interpret.stores import Stores
    from placefix.facts.interpret.values import ClassInfo
    from placefix.facts.placement.anew import MadeAnew
    from placefix.facts.placement.batches import Batches
    from placefix.facts.placement.conflicts import Conflicts
    from placefix.facts.placement.destinations import Destinations
    from placefix.facts.placement.discarded import Discarded
    from placefix.facts.placement.doubts import Doubts
    from placefix.facts.placement.fellows import Fellows
    from placefix.facts.placement.host_tensors import HostTensors
    from placefix.facts.placement.misplaced import Misplaced
    from placefix.facts.placement.optimizers import Optimizers
    from placefix.facts.placement.partners import Partners
    from placefix.facts.placement.reorder import Reorder
    from placefix.facts.placement.stays import Stays
    from placefix.facts.placement.strays import Stray, Strays
    from placefix.facts.placement.twin_loops import TwinLoops
    from placefix.facts.placement.twins import Twins
    from placefix.facts.placement.unplaced import Unplaced
    from placefix.facts.placement.unregistered import Unregistered
    from placefix.facts.placement.wrapped import Wrapped
    from placefix.facts.placement.wraps import Wraps
    from placefix.facts.program.project import Home
    from placefix.facts.program.tree import Scope
    from placefix.settings import Settings
    from placefix.source import Source

__all__ = ["Facts"]

_LOOPS_OVER_DATA = pattern(LOOPS_OVER_DATA)
_GIVEN = frozenset(("source", "home", "module", "settings"))


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
    def nearby_device(self) -> NearbyDevice:
        """The device that the lines beside a use of CUDA name."""
        from placefix.facts.cuda.nearby_device import NearbyDevice

        return NearbyDevice(self)

    @cached_property
    def guarded_uses(self) -> GuardedUses:
        """Uses of CUDA under a test that stays, beside lines that name a device."""
        from placefix.facts.cuda.guarded_uses import GuardedUses

        return GuardedUses(self)

    @cached_property
    def uses(self) -> Uses:
        """The uses of CUDA, as far as the choice of a device asks about them."""
        from placefix.facts.cuda.uses import Uses

        return Uses(self)

    @cached_property
    def wraps(self) -> Wraps:
        """Wraps by DataParallel and DistributedDataParallel."""
        from placefix.facts.placement.wraps import Wraps

        return Wraps(self)

    @cached_property
    def optimizers(self) -> Optimizers:
        """Optimizers that are built before their modules are placed."""
        from placefix.facts.placement.optimizers import Optimizers

        return Optimizers(self)

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
        from placefix.facts.cuda.parameters import moved_parameters

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
