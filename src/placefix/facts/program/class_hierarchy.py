"""Classes of a file and of its repository by name: their bases, their subclasses, the attributes of their instances.

A name denotes every class of that name, in any file, so the result is never too small.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts.program.ast_names import dotted
from placefix.facts.program.tree import Tree
from placefix.parsing import parse_quietly
from placefix.source import Source, SourceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from placefix.facts.program.repository import Home
    from placefix.facts.program.tree import Scope

_MAX_SIZE = 400_000  # bytes of a file that is still parsed
_MAX_NAMES = 60  # of one family
CLASS_HEADER = r"^[ \t]*class[ \t]+\w+[ \t]*(?:\([^:]*)?"
UNKNOWN = "?"  # a base that is no name
MODULE, TENSOR = "torch.nn.Module", "torch.Tensor"
# The public attributes of every module of torch, and the special methods that code uses of one.
MODULE_ATTRIBUTES = frozenset(
    ("__call__", "T_destination", "add_module", "apply", "bfloat16", "buffers", "call_super_init", "children", "compile", "cpu", "cuda",
     "double", "dump_patches", "eval", "extra_repr", "float", "forward", "get_buffer", "get_extra_state", "get_parameter", "get_submodule",
     "half", "ipu", "load_state_dict", "modules", "mtia", "named_buffers", "named_children", "named_modules", "named_parameters",
     "parameters", "register_backward_hook", "register_buffer", "register_forward_hook", "register_forward_pre_hook",
     "register_full_backward_hook", "register_full_backward_pre_hook", "register_load_state_dict_post_hook",
     "register_load_state_dict_pre_hook", "register_module", "register_parameter", "register_state_dict_post_hook",
     "register_state_dict_pre_hook", "requires_grad_", "set_extra_state", "set_submodule", "share_memory", "state_dict", "to", "to_empty",
     "train", "training", "type", "xpu", "zero_grad")
)  # fmt: skip
# Attributes of modules that tensors do not have.
_NO_TENSOR = frozenset(
    ("__call__", "forward", "train", "eval", "children", "state_dict", "load_state_dict", "parameters", "named_parameters", "modules",
     "named_modules", "buffers", "named_buffers", "zero_grad", "add_module", "register_buffer", "register_parameter")
)  # fmt: skip
_PLAIN_BASES = frozenset(("object", "ABC", "Generic", "Protocol"))


class ClassStatement(NamedTuple):
    """A class statement.

    bases: their names, MODULE and TENSOR for those of torch, UNKNOWN for another expression. plain: whether calling it makes an instance of it, and nothing else.
    own: the attributes that it gives its instances itself, None if they have every attribute (`__getattr__`).
    """

    name: str
    bases: tuple[str, ...]
    plain: bool
    own: frozenset[str] | None


class Answers(NamedTuple):
    """The attributes of the instances of a class or of its subclasses.

    known: all of them, None if not all are known. never: attributes that they certainly do not have.
    """

    known: frozenset[str] | None
    never: frozenset[str] = frozenset()


class Families:
    """The classes of one file and, with its home, of its repository."""

    def __init__(self, tree: Tree, home: Home | None) -> None:
        self._own = classes_in(tree)
        self._home = home

    def answers(self, name: str) -> Answers:
        """The possible attributes of instances of a class of that name."""
        heirs = self._closure({name}, lambda one: {cls.name for cls in self._deriving(one)})
        family = self._closure(heirs, self._bases) if heirs is not None else None
        if family is None or UNKNOWN in family:
            return Answers(None)
        found: set[str] = {"__init__", "__class__", "__dict__"}
        for one in family:
            classes = self._named(one)
            for cls in classes:
                if cls.own is None:
                    return Answers(None)
                found |= cls.own
            if one == MODULE:
                found |= MODULE_ATTRIBUTES
            elif one != TENSOR and not classes and one not in _PLAIN_BASES:
                return Answers(None)
        if TENSOR in family:
            return Answers(None, frozenset() if MODULE in family else _NO_TENSOR - found)
        return Answers(frozenset(found))

    def may_derive(self, name: str, others: Iterable[str]) -> bool:
        """Whether an instance of a class of that name may be an instance of one of these."""
        family = self._closure({name}, self._bases)
        if family is None or UNKNOWN in family or not family.isdisjoint(others):
            return True
        return not all(cls.plain for one in family for cls in self._named(one))

    def may_inherit(self, cls: Scope, attribute: str) -> bool:
        """Whether a class of a name that a base of `cls` has gives its instances an attribute."""
        family = self._closure(set(_bases(cls)), self._bases) or set()
        return any(cls.own is not None and attribute in cls.own for one in family for cls in self._named(one))

    def _closure(self, names: set[str], step: Callable[[str], set[str]]) -> set[str] | None:
        """The names, and all that a step leads to; None where these are too many."""
        found, new = set(names), set(names)
        while new:
            new = {other for one in new for other in step(one)} - found
            found |= new
            if len(found) > _MAX_NAMES:
                return None
        return found

    def _bases(self, name: str) -> set[str]:
        return {base for cls in self._named(name) for base in cls.bases}

    def _named(self, name: str) -> Iterable[ClassStatement]:
        return self._found(name, rf"^[ \t]*class[ \t]+\b{name}\b", lambda cls: cls.name == name)

    def _deriving(self, name: str) -> Iterable[ClassStatement]:
        return self._found(name, rf"\([^:]*\b{name}\b", lambda cls: name in cls.bases)

    def _found(self, name: str, pattern: str, wanted: Callable[[ClassStatement], bool]) -> Iterable[ClassStatement]:
        found = [cls for cls in self._own if wanted(cls)]
        home = self._home
        if home is None or not (name.isascii() and name.isidentifier()):
            return found
        others = (cls for file in home.holding(pattern, within=CLASS_HEADER) for cls in _classes_of(home, file))
        return {*found, *filter(wanted, others)}


def _classes_of(home: Home, file: str) -> tuple[ClassStatement, ...]:
    """The classes of a file of the repository, parsed once in a run."""

    def found() -> tuple[ClassStatement, ...]:
        """The classes of the file, parsed for this and released."""
        tree = parsed(home, file)
        if tree is None:
            return ()
        classes = classes_in(tree)
        tree.release()
        return classes

    return home.project.remembered(("classes", file), found)


def parsed(home: Home, file: str) -> Tree | None:
    """The tree of a file of the repository, for its classes alone; the caller releases it. None if it cannot be read or parsed."""
    data = home.project.files.read(file)
    if data is None or len(data) > _MAX_SIZE:
        return None
    try:
        source = Source.from_bytes(data, file)
        return Tree(source, parse_quietly(source.text))
    except (SourceError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def classes_in(tree: Tree) -> tuple[ClassStatement, ...]:
    """The classes of one file."""
    return tuple(_described(scope) for scope in tree.scopes.values() if scope.is_class)


def _described(cls: Scope) -> ClassStatement:
    node = cls.node
    assert isinstance(node, ast.ClassDef)
    whole = not cls.bindings.keys().isdisjoint(("__getattr__", "__getattribute__"))
    plain = not (node.decorator_list or node.keywords or "__new__" in cls.bindings)
    return ClassStatement(cls.name, tuple(_bases(cls)), plain, None if whole else frozenset(_own(cls)))


def _bases(cls: Scope) -> Iterator[str]:
    node = cls.node
    for base in node.bases if isinstance(node, ast.ClassDef) else ():
        name = cls.tree.qualname(base, cls.parent) if cls.parent is not None else None
        plain = base.value if isinstance(base, ast.Subscript) else base  # Generic[T]
        last = dotted(plain).rpartition(".")[2]
        if name == TENSOR:
            yield TENSOR
        else:
            yield MODULE if last == "Module" and _is_torchs(name) else last or UNKNOWN


def _is_torchs(name: str | None) -> bool:
    return name is None or name.startswith("torch.")


def _own(cls: Scope) -> Iterator[str]:
    yield from cls.bindings
    for node in cls.nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            yield node.attr
