"""Names that a text reads and binds nowhere, as pasted code does, and the role that their use shows.

A customary import (`nn`, `F`, `np`) is the module that everybody imports under that name. A name that is wrapped by DataParallel is a module,
one that a loop takes batches from and that is called a loader is one. None of this is proven: a finding that rests on it has a premise
(`premises.NOT_BOUND`). Nothing is assumed where a star import, `exec` or another cell's magic may bind the names; but a customary import has its
usual meaning where star imports of the repository show that, whatever others bind.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from placefix import torch_model
from placefix.facts import torch_api as api
from placefix.facts.naming import (
    mentions_host_loader,
    mentions_modules,
    names_class,
    names_criterion,
    names_device,
    names_device_or_number,
)
from placefix.facts.program.ast_names import chain_root, under_methods
from placefix.facts.program.scopes import read_above_bindings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from placefix.facts.program.tree import Scope, Tree

Role = Literal["import", "module", "loss", "loader", "device", "class", ""]

# Code that may bind any name while it runs has one of these words; a text is searched much faster for a string than for a word.
_BINDERS = ("exec", "globals", "locals", "builtins", "get_ipython")
_BINDS_ANYTHING = re.compile(rf"\b(?:{'|'.join(_BINDERS)}|__builtins__)\b")
_OF_A_MODULE = frozenset(("__name__", "__file__", "__doc__", "__spec__", "__package__", "__loader__", "__path__"))
_FROM_THE_NAME = api.MODULE_EVIDENCE - {"load_state_dict"}
# Functions whose items are those of their argument, or hold them.
_GOES_THROUGH = frozenset(("enumerate", "tqdm", "zip", "iter", "trange", "islice"))
_WORDS: dict[str, str] = {"module": "a module", "loss": "a loss", "loader": "a loader", "device": "a device"}


class FreeNames:
    """The free names of one file. relied_on: whether the analysis has taken one of them for something."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self.relied_on = False
        self._starred: dict[str, bool] = {}

    def release(self) -> None:
        """Break the reference cycle with the tree."""
        self.__dict__.clear()

    @cached_property
    def _closed(self) -> bool:
        """Whether the text shows all that binds its names."""
        text = self._tree.source.text
        if any(binder in text for binder in _BINDERS) and _BINDS_ANYTHING.search(text):
            return False
        return not any(scope.star_import for scope in self._tree.scopes.values())

    @cached_property
    def free(self) -> frozenset[str]:
        """The names that the text reads and binds in no scope."""
        if not self._closed:
            return frozenset()
        bound = set().union(*(scope.bindings for scope in self._tree.scopes.values()))
        read: set[str] = set()
        for node in self._tree.root.nodes:
            if isinstance(node, ast.Name):
                (read if isinstance(node.ctx, ast.Load) else bound).add(node.id)
            elif isinstance(node, ast.arg):
                bound.add(node.arg)
        return frozenset(n for n in read - bound - _OF_A_MODULE if not hasattr(builtins, n))

    @cached_property
    def above(self) -> frozenset[str]:
        """The names that the module level reads above each statement that binds them, or in it: ``model = DataParallel(model)``."""
        if not self._closed:
            return frozenset()
        root = self._tree.root
        names = (n for n in read_above_bindings(self._tree.module) if n in root.bindings)
        return frozenset(n for n in names if not root.imports.get(n) and self._bound_by_assignments(n, root))

    @staticmethod
    def _bound_by_assignments(name: str, root: Scope) -> bool:
        return all(isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) for node in root.bindings[name])

    def denotes(self, name: str) -> str | None:
        """The canonical name of the customary import that a name means, None if the text binds it or may do so."""
        full = api.CUSTOMARY_IMPORTS.get(name)
        if self._tree.stars:
            return full if self._is_starred(name) else None
        if full is None or name not in self.free:
            return None
        self.relied_on = True
        return full

    def _is_starred(self, name: str) -> bool:
        """Whether only star imports of the module level bind a customary name, and one of them gives it its usual meaning."""
        if name not in self._starred:
            tree = self._tree
            bound = any(name in scope.bindings for scope in tree.scopes.values())
            home = tree.home if tree.root.star_import and not bound else None
            self._starred[name] = home is not None and home.starred(tree, name) == api.CUSTOMARY_IMPORTS[name]
        return self._starred[name]

    def role(self, name: str) -> Role:
        """The role of a free name by its use; "" if that does not show it."""
        role = self._roles.get(name, "")
        if role:
            self.relied_on = True
        return role

    @cached_property
    def assumed(self) -> dict[str, str]:
        """The free names with an assumed meaning, each with the meaning."""
        classes = {c.func.id: role for c, role in self.made.items() if isinstance(c.func, ast.Name)}
        found = {}
        for name, role in sorted(self._roles.items()):
            if role == "import":
                found[name] = api.CUSTOMARY_IMPORTS[name]
            elif role in _WORDS:
                found[name] = _WORDS[role]
            elif name in classes:
                found[name] = f"a class of {'losses' if classes[name] == 'loss' else 'modules'}"
        if self._tree.source.unseen_class:
            text = self._tree.source.text
            found |= {f"self.{attr}": layer for attr, layer in api.CUSTOMARY_LAYERS.items() if f"self.{attr}(" in text}
        return found

    # --- roles ----------------------------------------------------------------------------------

    @cached_property
    def _roles(self) -> dict[str, Role]:
        losses = {n for n in self._known if names_criterion(n) and any(len(c.args) > 1 for c in self._called[n])}
        fed = {n for n, calls in self._called.items() if any(self._results(c) & self._compared(losses) for c in calls)}
        roles = {name: self._role(name, losses, fed) for name in self._known}
        return {name: role for name, role in roles.items() if role is not None}

    def _role(self, name: str, losses: set[str], fed: set[str]) -> Role | None:
        """The role of one name; None if its use shows nothing. losses: the names called as one; fed: those with a result that a loss gets."""
        if name in self.free and name in api.CUSTOMARY_IMPORTS:
            return "import"
        if names_device(name) or (names_device_or_number(name) and name in self._moved_to):
            return "device"
        if name in self._wrapped or name in self._asked:
            return "module"
        if name in self._iterated and mentions_host_loader(name):
            return "loader"
        if name in losses:
            return "loss"
        calls = self._called[name]
        if not calls:
            return None
        if names_class(name):
            return "class"
        return "module" if name in fed or (mentions_modules(name) and any(c.args or c.keywords for c in calls)) else ""

    @cached_property
    def _known(self) -> frozenset[str]:
        return self.free | self.above

    @cached_property
    def _calls(self) -> list[ast.Call]:
        return [node for node in self._tree.root.nodes if isinstance(node, ast.Call)]

    @cached_property
    def _called(self) -> dict[str, list[ast.Call]]:
        """The calls of names."""
        found: dict[str, list[ast.Call]] = defaultdict(list)
        for call in self._calls:
            if isinstance(call.func, ast.Name):
                found[call.func.id].append(call)
        return found

    @cached_property
    def _wrapped(self) -> frozenset[str]:
        """The names that DataParallel and its like wrap."""
        return frozenset(_names(arg for call in self._calls if self._wraps(call) for arg in call.args[:1]))

    def _wraps(self, call: ast.Call) -> bool:
        return self._tree.qualname(call.func, self._tree.root) in api.WRAPPERS

    @cached_property
    def _asked(self) -> frozenset[str]:
        """The names on which a method is called that only modules have."""
        funcs = [c.func for c in self._calls if isinstance(c.func, ast.Attribute)]
        return frozenset(_names(f.value for f in funcs if f.attr in _FROM_THE_NAME))

    @cached_property
    def _moved_to(self) -> frozenset[str]:
        """The names that moves and factories are given as the device."""
        given = (c.args for c in self._calls if isinstance(c.func, ast.Attribute) and c.func.attr in ("to", "cuda"))
        keywords = (k.value for c in self._calls for k in c.keywords if k.arg == "device")
        return frozenset((*_names(arg for args in given for arg in args[:1]), *_names(keywords)))

    @cached_property
    def _placed(self) -> frozenset[str]:
        """The names on which a method is called that places."""
        funcs = [c.func for c in self._calls if isinstance(c.func, ast.Attribute)]
        return frozenset(_names(f.value for f in funcs if f.attr in ("to", "cuda")))

    @cached_property
    def _iterated(self) -> frozenset[str]:
        """The names that loops go through."""
        return frozenset(
            _names(p for node in self._tree.root.nodes if isinstance(node, ast.For) for p in _gone_through(node.iter))
        )

    @cached_property
    def _targets(self) -> dict[ast.expr, set[str]]:
        """The names that the value of an assignment is bound to, by the value."""
        found: dict[ast.expr, set[str]] = {}
        for node in self._tree.root.nodes:
            if isinstance(node, ast.Assign):
                found[node.value] = {t.id for t in node.targets if isinstance(t, ast.Name)}
        return found

    @cached_property
    def _computed(self) -> dict[ast.expr, set[str]]:
        """The names that are bound to what methods make of an expression: ``y`` of ``y = net(x).view(-1)``."""
        return {chain_root(value): names for value, names in self._targets.items()}

    def _results(self, call: ast.Call) -> set[str]:
        return self._computed.get(call, set())

    def _compared(self, losses: set[str]) -> frozenset[str]:
        """The names that a loss gets as its first argument."""
        known = (c for c in self._calls if c.args and self._is_loss(c, losses))
        return frozenset(_names(c.args[0] for c in known))

    def _is_loss(self, call: ast.Call, losses: set[str]) -> bool:
        if isinstance(call.func, ast.Name) and call.func.id in losses:
            return True
        return torch_model.is_loss(self._tree.qualname(call.func, self._tree.root))

    # --- instances of free classes --------------------------------------------------------------

    @cached_property
    def made(self) -> dict[ast.Call, Role]:
        """The calls of free classes whose results are modules, or losses, by the use of these."""
        found: dict[ast.Call, Role] = {}
        classes = [call for name in self._known if self._roles.get(name) == "class" for call in self._called[name]]
        if not classes:
            return found
        wrapped = {_moved(arg) for call in self._calls if self._wraps(call) for arg in call.args[:1]}
        held: dict[ast.expr, set[str]] = defaultdict(set)
        placed = set()
        for value, names in self._targets.items():
            inner = _moved(value)
            held[inner] |= names
            if inner is not value:
                placed |= names
        for call in classes:
            assert isinstance(call.func, ast.Name)
            if call.func.id.endswith(("Loss", "Criterion")):
                found[call] = "loss"
            elif call in wrapped or any(self._is_module(n, n in placed) for n in held[call]):
                found[call] = "module"
        return found

    def _is_module(self, name: str, placed: bool) -> bool:
        """Whether the use of a name shows a module. placed: it is bound to a moved value."""
        if name in self._wrapped or name in self._asked:
            return True
        return bool(self._called[name]) and (placed or name in self._placed or mentions_modules(name))


def _names(nodes: Iterable[ast.expr]) -> Iterator[str]:
    return (node.id for node in nodes if isinstance(node, ast.Name))


def _moved(value: ast.expr) -> ast.expr:
    """The innermost receiver of moves and changes of type: ``Net()`` in ``Net().to(device)``."""
    return under_methods(value, ("to", "cuda", "train", "eval"))


def _gone_through(node: ast.expr) -> Iterator[ast.expr]:
    """The iterables from which a loop over an expression takes its items."""
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        for arg in node.args if name in _GOES_THROUGH else ():
            yield from _gone_through(arg)
    else:
        yield node
