"""The records of one run of the interpreter."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ast

    from placefix.facts.interpret.values import Event, Obj, Place
    from placefix.facts.program.tree import Scope, Stmt


class Recordings:
    """The records of a run, which the rules read."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.touches: dict[Stmt, list[tuple[Obj, str]]] = defaultdict(list)
        self.uses: dict[Obj, list[tuple[str, ast.expr]]] = defaultdict(list)
        self.binds: dict[Obj, tuple[str, Stmt]] = {}  # element or tensor -> the name and statement that bind it
        self.on_host: dict[tuple[str, Stmt], bool] = {}  # such a pair -> whether it binds a tensor of the CPU each time
        self.values: dict[ast.expr, list[Obj]] = defaultdict(list)  # receivers of moves and casts, per context
        self.lay: dict[ast.expr, list[Place]] = defaultdict(list)  # where those lay before they were moved
        self.owners: dict[ast.expr, list[Obj]] = defaultdict(list)  # whose attribute is read; see `has_wrappers`
        self.containers: set[ast.expr] = set()  # arguments that hold tensors and are none
        self.held: set[Obj] = set()  # modules in a list or dict, or part of another: whoever moves that moves them
        self.filled: dict[Obj, bool] = {}  # modules given weights after they were made -> whether all are on the CPU
        self.moves_abroad: dict[
            Event, tuple[ast.expr, Stmt]
        ] = {}  # moves by code of other files -> the call, its statement
        # modules that code of another file makes -> that, at the call that leads there
        self.brought: dict[Obj, Event] = {}
        self.made_here: set[Obj] = set()  # Parameters of tensors that are known to be on the CPU
        self.own_made: set[Obj] = set()  # the modules and tensors that code of the file makes
        self.makes_on_host = False  # whether code of any file makes a tensor on the CPU
        # classes of modules, and the arguments of their constructors (by position or keyword) that are tensors not known to be on the CPU
        self.placed_arguments: set[tuple[Scope, int | str]] = set()
        self.outputs: set[Obj] = set()  # results of modules
        self.returned: set[Obj] = set()  # items of results of modules, which need not be tensors
        self.left: set[Obj] = set()  # modules that were given a new part after they were placed
        self.outsiders: dict[Obj, list[Place]] = {}  # modules that nothing in the file makes -> where it places them
        self.turned: list[tuple[Obj, Obj]] = []  # the unknown values that turned out to be modules
        self.switched: set[Obj] = set()  # unknown values with a call of train() or eval(), as modules too
        self.guessed: set[ast.expr] = set()  # calls of such where nothing above has placed them
        self.ambient = False  # inside a context in which tensors may be made on another device
        self.entering: Obj | None = None  # the ExitStack that holds such a context
        self.ambient_activations: set[int] = set()  # activations that yield inside such a context
        self.device_contexts: set[Obj] = set()  # the results of their calls, by contextlib.contextmanager
        self.flags = False  # whether some value is known to be the answer whether there is CUDA
