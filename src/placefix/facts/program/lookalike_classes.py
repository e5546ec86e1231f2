"""Classes of the repository that define ``.cuda()`` or ``.to()``: a call on an instance of one is no move of torch's.

A value that is not proven to be a tensor or a module of torch may be an instance of one: of a class that has all attributes that
the code uses, and whose method returns something if the code uses the result.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts.program.ast_names import dotted, is_literal
from placefix.facts.program.callees import takes_any_device
from placefix.facts.program.class_hierarchy import Families, parsed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from placefix.facts.program.repository import Home
    from placefix.facts.program.tree import Scope, Tree

# How a method of that name is defined, in the bytes of a file; the pattern starts with a word, which is found fast.
_DEFINED = r"def(?<=[ \t]def)[ \t]+{}[ \t]*\("
_MAX_DEPTH = 8
_OPERATORS = frozenset(
    f"__{name}__" for name in ("add", "sub", "mul", "truediv", "matmul", "pow", "mod", "radd", "rsub", "rmul")
)
OPERAND = "+"  # in a set of attributes: the use as an operand


class Lookalike(NamedTuple):
    """A class that defines a method of that name.

    name; file: the absolute path of its file. answers: the attributes that its instances have, None where they may have any but those
    that they `never` have. gives: whether the method gives something; itself: nothing but the instance.
    """

    name: str
    file: str
    gives: bool
    itself: bool
    answers: frozenset[str] | None = None
    never: frozenset[str] = frozenset()

    def may_be(self, asked: Collection[str], result: Collection[str] | None) -> bool:
        """Whether an object with the attributes `asked` may be an instance of it.

        result: the attributes that are used of the result of the move, None if it is not used.
        """
        if result is not None and not self.gives:
            return False
        asked = {*asked, *result} if result is not None and self.itself else asked
        if self.answers is None:
            return self.never.isdisjoint(asked)
        return all(a in self.answers or (a == OPERAND and bool(self.answers & _OPERATORS)) for a in asked)


def lookalikes(families: Families, tree: Tree, home: Home | None, method: str) -> tuple[Lookalike, ...]:
    """The lookalikes in a file and in its repository, by the file's text and by that of the other files.

    method: cuda, for classes that no usable ``to`` goes with; or to, for those whose own does not take any device.
    """
    found = [*_in_tree(tree, method, home.path if home is not None else "")]
    if home is not None:
        found += (one for file in home.sharing(_DEFINED.format(method)) for one in _in_file(home, file, method))
    return tuple(
        one._replace(answers=known, never=never) for one in found for known, never in [families.answers(one.name)]
    )


def _in_file(home: Home, file: str, method: str) -> tuple[Lookalike, ...]:
    """Those of another file: parsed once in a run, whatever it imports."""

    def found() -> tuple[Lookalike, ...]:
        """The lookalikes of the file, parsed for this and released."""
        tree = parsed(home, file)
        if tree is None:
            return ()
        similar = tuple(_in_tree(tree, method, file))
        tree.release()
        return similar

    return home.project.remembered(("lookalikes", file, method), found)


def _in_tree(tree: Tree, method: str, file: str) -> Iterator[Lookalike]:
    if f"def {method}" not in tree.source.text:
        return
    for scope in tree.scopes.values():
        own = _method(scope, method) if scope.is_class else None
        if own is not None and not _is_property(own):
            to = _method(scope, "to")
            if (to is None or not _usable(to)) and (method != "cuda" or _method(scope, "_apply") is None):
                yield Lookalike(scope.name, file, _gives(own), _gives_itself(own))


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
    return any(not is_literal(value, None) for value in _returned(function))


def _returned(function: Scope) -> Iterator[ast.expr]:
    """The values of its return statements, without those that have none."""
    for stmt in function.tree.stmts.values():
        if stmt.scope is function and isinstance(stmt.node, ast.Return) and stmt.node.value is not None:
            yield stmt.node.value


def _gives_itself(method: Scope) -> bool:
    """Whether a method can only give the instance that it is called on."""
    arguments = method.function.args
    first = next((a.arg for a in (*arguments.posonlyargs, *arguments.args)), None)
    if first is None or len(method.bindings.get(first, ())) != 1 or any(map(_is_generator, method.nodes)):
        return False
    return all(isinstance(value, ast.Name) and value.id == first for value in _returned(method))


def _is_generator(node: ast.AST) -> bool:
    return isinstance(node, (ast.Yield, ast.YieldFrom, ast.AsyncFunctionDef))


def _is_property(method: Scope) -> bool:
    """Whether the name is a property of the instance."""
    return any(dotted(d).rpartition(".")[2] in ("property", "cached_property") for d in method.function.decorator_list)
