"""Why the code of a class or function, which would fail with tensors on a device, may never get any.

These are reasons for a warning in place of an error; each result is a row of `facts.premises`, None if there is no doubt.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from functools import cached_property
from os.path import dirname, join
from typing import TYPE_CHECKING

from placefix import byte_patterns
from placefix.facts import premises
from placefix.facts import torch_api as api
from placefix.facts.interpret.provenance import Provenance
from placefix.facts.naming import names_test
from placefix.facts.program.ast_names import argument_value, dotted, is_literal, keyword_value, parameters
from placefix.facts.program.class_hierarchy import MODULE_ATTRIBUTES
from placefix.facts.program.device_values import move_destination
from placefix.facts.program.repository import IMPORTS_BY_NAME
from placefix.facts.program.tree import dominates

if TYPE_CHECKING:
    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.repository import Home
    from placefix.facts.program.tree import Scope, Stmt
    from placefix.facts.wording import Doubt

SAYS_WHERE = re.compile(
    r"\.cuda\s*\(|\bdevice\b|\.to\s*\((?!\s*(?:torch\.\w+\s*\)|[\w.]*\bdtype\b|[\"']meta[\"']\s*\)))"
)
# Code that reaches the names of a file without spelling them.
_BY_NAME = frozenset({"globals", "locals", "vars", "__subclasses__", "__dict__", "getmembers"})
_WORD = re.compile(r"\w+")
_OPERANDS = 8  # names that are followed for one argument


def doubt_of_class(context: AnalysisContext, cls: Scope | None) -> Doubt | None:
    """Of the code of a class: it is used by nothing of its repository, or by code alone that places nothing; or it cannot run."""
    if cls is not None and cls.name == context.source.unseen_class:
        return premises.CLASS_NOT_IN_TEXT
    if cls is None:
        return None
    return (
        doubt_of_use(context, cls) or _local(context, cls) or _in_tests(context, cls) or doubt_of_forward(context, cls)
    )


class Mentions:
    """Where the words of one file are: offsets in its text, and the function around an offset."""

    def __init__(self, context: AnalysisContext) -> None:
        self._context = context
        self._tree = context.tree
        self._text = context.source.text

    def outside(self, word: str, scope: Scope) -> list[int]:
        """The offsets of a word that are not in the definition of a scope."""
        start, end = self._tree.extent(scope)
        return [offset for offset in self._offsets.get(word, ()) if not start <= offset < end]

    def function_around(self, offset: int) -> Scope | None:
        """The function around an offset, which may be in a decorator: the outermost one, or the method of a class in a function."""
        number = bisect_right(self._starts, offset) - 1
        scope = self._functions[number] if number >= 0 else None
        while scope is not None and not (self._is_outermost(scope) and offset < self._tree.extent(scope)[1]):
            scope = scope.parent
        return scope

    @cached_property
    def _offsets(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for word in _WORD.finditer(self._text):
            found.setdefault(word[0], []).append(word.start())
        return found

    @cached_property
    def _functions(self) -> list[Scope]:
        found = (scope for scope in self._tree.scopes.values() if self._is_outermost(scope))
        return sorted(found, key=self._start)

    @cached_property
    def _starts(self) -> list[int]:
        return [self._start(scope) for scope in self._functions]

    def _start(self, scope: Scope) -> int:
        decorators = getattr(scope.node, "decorator_list", ())
        return min([self._tree.extent(scope)[0], *(self._context.span(d).start for d in decorators)])

    @staticmethod
    def _is_outermost(scope: Scope) -> bool:
        return scope.is_function and (scope.parent is None or not scope.parent.is_function)


# --- a class that nothing uses -------------------------------------------------------------------


def doubt_of_use(context: AnalysisContext, cls: Scope) -> Doubt | None:
    """A class of modules of torch's alone that no other file, and nothing else in its own, names."""
    home, node = context.home, cls.node
    if home is None or cls.parent is not context.tree.root or not isinstance(node, ast.ClassDef):
        return None
    registered = node.decorator_list or node.keywords
    if registered or not all((context.tree.qualname(b, cls.parent) or "").startswith("torch.") for b in node.bases):
        return None  # a decorator or the base may use the class
    mentions = context.get(Mentions)
    if not cls.name.isascii() or any(mentions.outside(word, cls) for word in (cls.name, *_BY_NAME)):
        return None
    if _others(home, rf"{byte_patterns.word(cls.name)}\b"):
        return None
    stem = byte_patterns.module_stem(home.path)
    whole = (
        rf"{byte_patterns.word(stem)}[ \t]+import[ \t]*\(?[ \t]*\*",
        rf"{byte_patterns.word('import')}\b[^\n(]*(?:\([^)]*)?\b{stem}\b",
        rf"{stem}(?<=[\"'./]{stem})(?:\.py)?[\"']",
    )
    if not stem or not _others(home, r"\bimport\b") or any(_others(home, way) for way in whole):
        return None
    if home.project.files.holding(_folder(home), IMPORTS_BY_NAME):
        return None
    return premises.CLASS_NOT_USED(cls=cls.name)


def _others(home: Home, text: str) -> set[str]:
    """The other files of the repository, and of the folder with the file's outermost package, that contain a text: of a repository
    with very many files not all are searched."""
    return {*home.holding(text), *home.project.files.holding(_folder(home), text)} - {home.path}


def _folder(home: Home) -> str:
    """The folder that contains the file's outermost package; the file's folder if it is in no package."""
    folder = dirname(home.path)
    while home.project.files.is_file(join(folder, "__init__.py")) and dirname(folder) != folder:
        folder = dirname(folder)
    return folder


def _outside(context: AnalysisContext, scope: Scope) -> str:
    """The text of the file but for that of a scope."""
    start, end = context.tree.extent(scope)
    text = context.source.text
    return text[:start] + "\n" + text[end:]


# --- a class that only tests use -----------------------------------------------------------------


def _in_tests(context: AnalysisContext, cls: Scope) -> Doubt | None:
    """A class of the module level that only tests of its file use: these did not fail. No doubt if one of them,
    or a helper of the file that they call, mentions a device: that one may fail."""
    if cls.parent is not context.tree.root:
        return None
    users = _users(context, cls)
    if not users or not all(names_test(user.name) for user in users):
        return None
    texts = [context.tree.text(user) for user in users]
    words = {word for text in texts for word in _WORD.findall(text)}
    helpers = [context.tree.text(helper) for name, helper in context.tree.root.functions.items() if name in words]
    if any(SAYS_WHERE.search(text) for text in (*texts, *helpers)):
        return None
    return premises.ONLY_TESTS_USE(cls=cls.name)


# --- a class whose forward cannot run -----------------------------------------------------------


def doubt_of_forward(context: AnalysisContext, cls: Scope) -> Doubt | None:
    """A class of modules whose ``forward`` reads, on every path, an attribute that nothing sets."""
    forward, node = cls.functions.get("forward"), cls.node
    if forward is None or not isinstance(node, ast.ClassDef) or "__getattr__" in cls.bindings:
        return None
    bases = [context.tree.qualname(base, cls.parent) for base in node.bases if cls.parent is not None]
    me = next(iter(parameters(forward.function.args)), "")
    if bases != ["torch.nn.Module"] or not me:
        return None
    for stmt in forward.body.stmts:
        if isinstance(stmt.node, (ast.Return, ast.Raise)) or stmt.suites:
            return None  # later code may not be reached
        for part in ast.walk(stmt.node):
            if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Load) and dotted(part.value) == me:
                if _is_missing(context, cls, part.attr):
                    return premises.FORWARD_READS_UNSET(module=me, attribute=part.attr)
    return None


def _is_missing(context: AnalysisContext, cls: Scope, attr: str) -> bool:
    """Whether no code gives the modules of a class an attribute: the class, one that derives from it, or whoever has such a module."""
    if attr.startswith("_") or attr in MODULE_ATTRIBUTES or attr in cls.bindings:
        return False
    inner = context.tree.text(cls)
    if re.search(rf"\.{attr}\b[^=\n]*=(?!=)|[\"']{attr}[\"']", inner) or "setattr" in inner:
        return False
    if not _BY_NAME.isdisjoint(_WORD.findall(inner)):
        return False
    derives = rf"{byte_patterns.word('class')}[ \t]+\w+[ \t]*\([^:]*\b{cls.name}\b"
    sets = rf"\.{attr}(?<!\bself\.{attr})[ \t]*=(?!=)", rf"setattr[^\n]*\b{attr}\b"
    outside = _outside(context, cls)
    if any(re.search(way, outside) for way in (derives, *sets)):
        return False
    return context.home is None or not any(_others(context.home, way) for way in (derives, *sets))


# --- a class that is local to a function ---------------------------------------------------------


def _local(context: AnalysisContext, cls: Scope) -> Doubt | None:
    """A class defined in a function, where neither that function nor its users in the repository place anything."""
    function = cls.parent
    if function is None or not function.is_function:
        return None
    inner = context.tree.text(function)
    if len(re.findall(rf"\b{cls.name}\b", inner)) < 2 + context.tree.text(cls).count(f"super({cls.name}"):
        return None  # it is not used
    users = _users(context, function)
    if users is None or (not users and _leaves(function)):
        return None
    texts = [inner, *(context.tree.text(user) for user in users)]
    called: set[Scope] = set()
    for text in texts:
        if SAYS_WHERE.search(text):
            return None
        for name, helper in context.tree.root.functions.items():
            if helper not in called and re.search(rf"\b{name}\s*\(", text):
                called.add(helper)
                texts.append(context.tree.text(helper))
        for name in context.tree.root.imports:
            if _is_own_function(context, name, text):
                return None  # another file's code may place its arguments
    return premises.USERS_PLACE_NOTHING(cls=cls.name)


def _users(context: AnalysisContext, function: Scope) -> list[Scope] | None:
    """The functions of the file that name a function or class; None where other code does, too."""
    mentions, name = context.get(Mentions), function.name
    users = [mentions.function_around(offset) for offset in mentions.outside(name, function)]
    if None in users:
        return None
    home = context.home
    if home is not None and (not name.isascii() or _others(home, rf"{byte_patterns.word(name)}\b")):
        return None
    return [user for user in dict.fromkeys(users) if user is not None]


def _leaves(function: Scope) -> bool:
    """Whether a function returns, yields or stores its values."""
    for node in function.nodes:
        if isinstance(node, (ast.Yield, ast.YieldFrom, ast.Global, ast.Nonlocal)):
            return True
        if isinstance(node, ast.Return) and node.value is not None and _owner(function, node):
            return True
        if isinstance(node, ast.Assign) and any(
            isinstance(t, (ast.Attribute, ast.Subscript)) and _owner(function, node) for t in node.targets
        ):
            return True
    return False


def _owner(function: Scope, node: ast.stmt) -> bool:
    """Whether a statement is one of the function itself, and of no function or class in it."""
    stmt = function.tree.stmts.get(node)
    return stmt is not None and stmt.scope is function


def _is_own_function(context: AnalysisContext, name: str, text: str) -> bool:
    """Whether code calls, by a name of the file, something imported from another file of the repository."""
    if context.home is None or not re.search(rf"\b{name}\s*[.(]", text):
        return False
    return any(context.home.has(full) for full in context.tree.root.imports[name])


# --- a function whose arguments were moved to the CPU --------------------------------------------


def doubt_of_callers(context: AnalysisContext, function: Scope, argument: str) -> Doubt | None:
    """For a function that needs an argument on the CPU: each call in the file passes a value that was moved there, or made there, or moves
    the result: ``positions(x).to(device)``."""
    if not function.is_function or function.name == "forward":
        return None
    named = list(parameters(function.function.args))
    if argument not in named:
        return None
    number = named.index(argument) - (named[0] in ("self", "cls"))
    calls = context.index.called(function.name)
    moves = (move for name in ("to", "cuda") for move, _ in context.index.called(name) if move_destination(move))
    moved = {move.func.value for move in moves if isinstance(move.func, ast.Attribute)}
    if calls and all(call in moved for call, _ in calls):
        return premises.CALLERS_MOVE_RESULT(function=function.name)
    for call, stmt in calls:
        handed = argument_value(call, number, argument)
        made = handed is not None and context.get(Provenance).is_made_on_host(handed, stmt.scope, called=True)
        if handed is None or not (made or _Origin(context, stmt).on_host(handed, stmt)):
            return None
    return premises.CALLERS_COPY_TO_CPU(function=function.name, parameter=argument) if calls else None


class _Origin:
    """The values that the names of one function were made from."""

    def __init__(self, context: AnalysisContext, stmt: Stmt) -> None:
        self.context = context
        self.index = context.index
        self.scope = stmt.scope
        self._followed: list[tuple[str, Stmt]] = []

    def on_host(self, value: ast.expr, stmt: Stmt) -> bool:
        """Whether a tensor was taken to the CPU, or comes of an operation with one that was: that refuses unlike devices."""
        if isinstance(value, ast.Name):
            return self._named(value.id, stmt)
        if isinstance(value, ast.Subscript):
            return self.on_host(value.value, stmt)
        if isinstance(value, ast.BinOp):
            return self.on_host(value.left, stmt) or self.on_host(value.right, stmt)
        if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute):
            return False
        if (self.context.tree.qualname(value.func, self.scope) or "").startswith("torch."):
            first = value.args[0] if value.args else None
            parts = first.elts if isinstance(first, (ast.List, ast.Tuple)) else value.args[:1]
            placed = keyword_value(value, "device", "out") is not None
            return not placed and any(self.on_host(part, stmt) for part in parts)
        if value.func.attr == "cpu":
            return True
        if value.func.attr == "to":
            return bool(value.args) and is_literal(value.args[0], "cpu")
        return value.func.attr not in api.PLACING and self.on_host(value.func.value, stmt)

    def _named(self, name: str, stmt: Stmt) -> bool:
        """Whether all possible values of a name at a statement were moved to the CPU, by its bindings before it."""
        if (name, stmt) in self._followed or len(self._followed) >= _OPERANDS:
            return False
        self._followed.append((name, stmt))
        line = stmt.node.lineno
        writes = [w for w in self.index.values(self.scope, name) if w.stmt.node.lineno < line]
        sure = [n for n, w in enumerate(writes) if dominates(w.stmt, stmt)]
        if not sure:
            return False
        values = writes[sure[-1] :]
        if len(values) == 1 and isinstance(values[0].value, ast.List) and not values[0].value.elts:
            return self._appended(name)
        return all(w.value is not None and self.on_host(w.value, w.stmt) for w in values)

    def _appended(self, name: str) -> bool:
        """Whether all that is put into an empty list was."""
        puts = [
            (call, stmt)
            for call, stmt in self.index.called("append", "extend", "insert")
            if stmt.scope is self.scope and isinstance(call.func, ast.Attribute) and dotted(call.func.value) == name
        ]
        return bool(puts) and all(len(call.args) == 1 and self.on_host(call.args[0], stmt) for call, stmt in puts)
