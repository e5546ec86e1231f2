"""Classes of the repository with a ``.cuda()`` or ``.to()`` of their own, for which no move of torch's may stand.

What nothing shows to be a tensor or a module of torch may be an instance of one: of a class that can answer all that the code
asks of it, and whose method gives something where the code uses what it gives.
"""

from __future__ import annotations

import ast
import re
import warnings
from typing import TYPE_CHECKING

from placefix.facts import torch_api as api
from placefix.facts.program.callees import takes_any_device
from placefix.facts.program.children import walk
from placefix.facts.program.names import dotted
from placefix.facts.program.tree import Tree
from placefix.lazy import NamedTuple
from placefix.source import Source, SourceError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from placefix.facts.program.project import Home
    from placefix.facts.program.tree import Scope

# How a method of that name is defined, in the bytes of a file.
_DEFINED = r"^[ \t]+(?:async[ \t]+)?def[ \t]+{}[ \t]*\("
_MAX_SIZE = 400_000  # bytes of a file that is still parsed
_MAX_DEPTH = 8
# What every module of torch answers beside `api.MODULE_EVIDENCE`.
_MODULE = api.MODULE_EVIDENCE | frozenset(
    ("__call__", "forward", "train", "eval", "training", "to", "cpu", "cuda", "float", "half", "double", "bfloat16", "type", "apply",
     "state_dict", "children", "buffers", "named_buffers", "zero_grad", "requires_grad_", "share_memory", "register_buffer",
     "register_parameter", "add_module", "get_submodule", "extra_repr", "register_forward_hook", "register_forward_pre_hook")
)  # fmt: skip
_PLAIN_BASES = frozenset(("object", "ABC", "Generic", "Protocol"))
_OPERATORS = frozenset(
    f"__{name}__" for name in ("add", "sub", "mul", "truediv", "matmul", "pow", "mod", "radd", "rsub", "rmul")
)
OPERAND = "+"  # what an operand is asked


class Lookalike(NamedTuple):
    """A class with a method of that name of its own.

    name; file: the absolute path of its file. answers: the attributes that its instances have, None where they may have any.
    gives: whether the method gives something.
    """

    name: str
    file: str
    answers: frozenset[str] | None
    gives: bool

    def may_be(self, asked: Collection[str], *, used: bool) -> bool:
        """Whether something may be an instance of it that is `asked` for these attributes; `used`: what the move gives is."""
        if used and not self.gives:
            return False
        return self.answers is None or all(
            a in self.answers or (a == OPERAND and bool(self.answers & _OPERATORS)) for a in asked
        )


def lookalikes(tree: Tree, home: Home | None, method: str) -> tuple[Lookalike, ...]:
    """Those of a file and of its repository, by the file's own text and by what the others hold.

    method: cuda, for classes that no usable ``to`` goes with; or to, for those whose own does not take any device.
    """
    own = tuple(_in_tree(tree, method, home.path if home is not None else ""))
    if home is None:
        return own
    own = tuple(one._replace(answers=None) if _derived_elsewhere(home, one) else one for one in own)
    found = (one for file in home.sharing(_DEFINED.format(method)) for one in _in_file(home, file, method))
    return (*own, *found)


def _in_file(home: Home, file: str, method: str) -> tuple[Lookalike, ...]:
    """Those of another file: parsed once in a run, whatever it imports."""
    return home.project.remembered(("lookalikes", file, method), lambda: _parsed(home, file, method))


def _parsed(home: Home, file: str, method: str) -> tuple[Lookalike, ...]:
    data = home.project.files.read(file)
    if data is None or len(data) > _MAX_SIZE:
        return ()
    try:
        source = Source.from_bytes(data, file)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = Tree(source, ast.parse(source.text))
    except (SourceError, SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    found = tuple(_in_tree(tree, method, file))
    tree.release()
    return tuple(one._replace(answers=None) if _derived_elsewhere(home, one) else one for one in found)


def _derived_elsewhere(home: Home, found: Lookalike) -> bool:
    """Whether a class of another file may derive from it, and answer more."""
    deriving = home.holding(rf"^[ \t]*class[ \t]+\w+[ \t]*\([^)]*\b{re.escape(found.name)}\b")
    return found.name.isascii() and any(file != found.file for file in deriving)


def _in_tree(tree: Tree, method: str, file: str) -> Iterator[Lookalike]:
    if f"def {method}" not in tree.source.text:
        return
    for scope in tree.scopes.values():
        own = _method(scope, method) if scope.kind == "class" else None
        if own is not None:
            to = _method(scope, "to")
            if (to is None or not _usable(to)) and (method != "cuda" or _method(scope, "_apply") is None):
                yield Lookalike(scope.name, file, _answers(scope), _gives(own))


def _bases(cls: Scope) -> Iterator[tuple[ast.expr, Scope | None]]:
    """The bases of a class, each with its scope where it is one of the file."""
    node = cls.node
    for base in node.bases if isinstance(node, ast.ClassDef) else ():
        owner = cls.parent.lookup(base.id) if isinstance(base, ast.Name) and cls.parent is not None else None
        local = owner.classes.get(base.id) if owner is not None and isinstance(base, ast.Name) else None
        yield base, local if local is not cls else None


def _method(cls: Scope, name: str, depth: int = 0) -> Scope | None:
    """The method of a class, its own or one that it has from another class of the file."""
    if name in cls.functions:
        return cls.functions[name]
    for _, base in _bases(cls):
        found = _method(base, name, depth + 1) if base is not None and depth < _MAX_DEPTH else None
        if found is not None:
            return found
    return None


def _usable(to: Scope) -> bool:
    """Whether a class's own ``to`` takes any device, and gives something."""
    arguments = to.function.args
    names = [a.arg for a in (*arguments.posonlyargs, *arguments.args)][1:]
    if not _gives(to):
        return False
    return takes_any_device(to, names[0], None) if names else arguments.vararg is not None


def _gives(function: Scope) -> bool:
    """Whether a function may give something else than None."""
    returned = (
        s.node.value for s in function.tree.stmts.values() if s.scope is function and isinstance(s.node, ast.Return)
    )
    return any(v is not None and not (isinstance(v, ast.Constant) and v.value is None) for v in returned)


def _answers(cls: Scope, depth: int = 0) -> frozenset[str] | None:
    """The attributes that instances of a class have, None where they may have any."""
    if "__getattr__" in cls.bindings or "__getattribute__" in cls.bindings or depth > _MAX_DEPTH:
        return None
    found = {*cls.bindings, "__init__", "__class__", "__dict__"}
    for node in walk(cls.node):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            found.add(node.attr)
    for base, local in _bases(cls):
        last = dotted(base).rpartition(".")[2]
        more = (
            _answers(local, depth + 1) if local is not None else _MODULE if last == "Module" else frozenset()
            if last in _PLAIN_BASES else None
        )  # fmt: skip
        if more is None:
            return None
        found |= more
    return frozenset(found)
