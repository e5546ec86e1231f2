"""Who may call the functions of a file: other files of its repository, and other programs if it belongs to a library."""

from __future__ import annotations

import ast
from functools import partial
from os.path import basename, dirname, join
from typing import TYPE_CHECKING

from placefix.byte_patterns import matches, module_stem, word
from placefix.facts.naming import names_test
from placefix.facts.program.ast_names import last_name
from placefix.facts.program.ast_walk import header, walk
from placefix.reachability import reachable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.facts.program.repository import Home
    from placefix.facts.program.tree import Scope, Tree

# A line of a script: an entry point, or options.
_SCRIPT = (r"^if[ \t]+__name__", word("ArgumentParser") + r"\(")
_SETS_DEVICE = r"set_default_(?:tensor_type\([^)\n]*cuda|device\((?!['\"]cpu))"
_IMPORT = r"^[ \t]*(?:from|import)\b[^\n(]*(?:\([^)]*)?"
_PACKAGE = "__init__.py"
MAX_CALLERS = 3  # files that are read for the callers of one function
_MAX_CHARACTERS = 60_000  # of each


def _is_in_package(home: Home) -> bool:
    """Whether a file is in the folder of a package."""
    return home.project.files.is_file(join(dirname(home.path), _PACKAGE))


def has_script_beside(home: Home) -> bool:
    """Whether a script is in the folder from which a file, or its package, is imported."""
    folder, files = dirname(home.path), home.project.files
    while files.is_file(join(folder, _PACKAGE)) and dirname(folder) != folder:
        folder = dirname(folder)
    scripts = (script for line in _SCRIPT for script in home.holding(line))
    return any(dirname(script) == folder and basename(script) != "setup.py" for script in scripts)


def defaults_to_device(tree: Tree) -> bool:
    """Whether factories may yield tensors of a device, as the file says, or a script of the repository that imports it."""
    home = tree.home
    if tree.has_default_device or home is None:
        return tree.has_default_device
    return home.project.remembered(("default-device", home.path), lambda: _is_run_on_device(home))


def _is_run_on_device(home: Home) -> bool:
    """Whether a script that imports a file, directly or through others, makes a device the default."""
    setting = [file for file in home.holding(_SETS_DEVICE) if not names_test(module_stem(file))]
    if not setting or (_is_in_package(home) and not has_script_beside(home)):
        return False  # users of a library may choose none
    return not reachable([home.path], partial(home.importers, computed=False)).isdisjoint(setting)


def references(home: Home, name: str) -> dict[ast.expr, Scope]:
    """The expressions of other files that denote a function or class of the module level of a file, each with its scope; none if some
    may not be known, or are in too many files."""
    if not name.isascii() or (_is_in_package(home) and not has_script_beside(home)):
        return {}  # users of a library call its functions as well
    files = _files_reading(home, name)
    trees = [home.project.tree(file) for file in files] if len(files) <= MAX_CALLERS else []
    if not all(tree is not None and len(tree.source.text) <= _MAX_CHARACTERS for tree in trees):
        return {}
    return {node: scope for tree in trees if tree is not None for node, scope in _references_in(tree, home.path, name)}


def _files_reading(home: Home, name: str) -> list[str]:
    """The other files of the repository that may read a name of the module level of a file."""
    found = {*home.holding(rf"\b{name}\b", within=_IMPORT)} - {home.path}
    attribute = rf"\.{name}\b"
    if any(basename(file) == _PACKAGE for file in found):  # it exports the name
        found.update(home.holding(attribute))
    else:
        read = home.project.files.read
        found.update(file for file in home.importers(home.path) if matches(attribute, read(file) or b""))
    return sorted(found - {home.path})


def _references_in(tree: Tree, path: str, name: str) -> Iterator[tuple[ast.expr, Scope]]:
    """The expressions of a file that denote a function or class of the module level of the file at `path`, each with its scope."""
    for node, scope in _mentions(tree).get(name, ()):
        full = tree.qualname(node, scope)
        found = tree.home.find(full) if full is not None and tree.home is not None else None
        there = found.tree.home if found is not None else None
        if found is not None and found.scope is not None and there is not None and there.path == path:
            yield node, scope


def _mentions(tree: Tree) -> dict[str, list[tuple[ast.expr, Scope]]]:
    """The names and attributes in a file, each with its scope, by the last name; found out once."""
    if not tree.mentions:
        scopes = {
            part: stmt.scope
            for stmt in tree.stmts.values()
            for own in header(stmt.node)
            for part in walk(own)
            if isinstance(part, (ast.Name, ast.Attribute))
        }
        for part in (part for top in tree.module.body for part in walk(top) if part in scopes):
            tree.mentions.setdefault(last_name(part), []).append((part, scopes[part]))
    return tree.mentions
