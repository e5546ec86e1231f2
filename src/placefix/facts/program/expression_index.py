"""One walk over the expressions of a file: calls, tests, names and assignments, each with its statement.

The statement tree has no expressions. Analyses of device spellings need a few
kinds of them, each with its statement, so they are collected once.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from placefix.facts.program.assignments import leaf_targets
from placefix.facts.program.ast_names import argument_values, dotted, is_name, item
from placefix.facts.program.ast_walk import CHILDREN, LOOPS, header, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from placefix.facts.program.tree import Scope, Stmt, Tree

# Builtins that give the names of the code around, or run a text that may read them.
_NAME_LISTS = ("locals", "vars", "dir", "globals")
_TEXT_RUNNERS = ("eval", "exec")
_CHANGES_ITEMS = frozenset(("update", "pop", "popitem", "setdefault", "clear"))


class AttributeWrite(NamedTuple):
    """`text = value` for a dotted target such as ``args.cuda`` or ``self.device``; value None when unpacked."""

    text: str
    value: ast.expr | None
    stmt: Stmt


class _Expressions:
    """The expressions in statements by kind, each kind in the order of the statements."""

    def __init__(self, own: Iterable[tuple[Stmt, list[Any]]]) -> None:
        """own: statements, each with its expressions, the last first; the lists are emptied."""
        self.calls: list[tuple[ast.Call, Stmt]] = []
        self.calls_with_device: list[tuple[ast.Call, Stmt]] = []
        self.conditionals: list[tuple[ast.IfExp, Stmt]] = []
        self.operands: list[tuple[ast.expr, Stmt]] = []
        self.changed: list[tuple[str, Stmt]] = []  # dotted texts of objects with items set by a method
        # names and chains of attributes over one: by that name; and the chains alone, as they come
        self.reads: defaultdict[str, list[tuple[Any, Stmt]]] = defaultdict(list)
        self.chains: list[tuple[ast.Attribute, Stmt]] = []
        self.calling: defaultdict[str, list[int]] = defaultdict(list)  # the last part of a name -> the calls' numbers
        self._collect(own)

    def _collect(self, own: Iterable[tuple[Stmt, list[Any]]]) -> None:
        """One loop for all, as a call for each statement would cost half as much as the walk."""
        reads, chains = self.reads, self.chains
        children_of = CHILDREN.get
        for stmt, expressions in own:
            stack = expressions
            while stack:
                node = stack.pop()
                kind = node.__class__
                if kind is ast.Name:
                    reads[node.id].append((node, stmt))
                elif kind is ast.Constant:
                    pass
                elif kind is ast.Attribute:
                    owner = node.value
                    while owner.__class__ is ast.Attribute:
                        owner = owner.value
                    if owner.__class__ is ast.Name:
                        place = node, stmt
                        reads[owner.id].append(place)
                        chains.append(place)
                    else:
                        stack.append(owner)
                elif kind is ast.Call:
                    self._call(node, stmt)
                    stack.append(node.func)
                    stack += node.args
                    stack += [keyword.value for keyword in node.keywords]
                else:
                    if kind is ast.IfExp:
                        self.conditionals.append((node, stmt))
                    elif kind is ast.BinOp and not _formats(node):
                        self.operands += ((node.left, stmt), (node.right, stmt))
                    for field in children_of(kind, ()):  # strings and singletons of patterns have none
                        value = getattr(node, field)
                        if value.__class__ is list:
                            stack += value
                        elif value is not None:
                            stack.append(value)

    def _call(self, node: ast.Call, stmt: Stmt) -> None:
        """Collect a call."""
        func = node.func
        if isinstance(func, ast.Attribute):
            self.calling[func.attr].append(len(self.calls))
            if func.attr in _CHANGES_ITEMS:
                self.changed.append((dotted(func.value), stmt))
        elif isinstance(func, ast.Name):
            self.calling[func.id].append(len(self.calls))
        self.calls.append((node, stmt))
        for keyword in node.keywords:
            if keyword.arg == "device" or keyword.arg == "map_location":
                self.calls_with_device.append((node, stmt))


class Index:
    """The expressions of one file that the device questions are about.

    Bindings are read at once; the expressions are walked when the first of them is looked up, which
    takes twice as long again.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self.writes: dict[str, list[AttributeWrite]] = {}
        self._items: dict[str, list[AttributeWrite]] = {}
        self.binders: dict[Scope, dict[str, list[Stmt]]] = {}  # name -> statements that bind it, per scope
        self._reads: dict[str, _Reads] = {}
        self._values: dict[str, dict[Scope, list[AttributeWrite]]] = {}
        self._walked: list[tuple[Stmt, list[Any]]] = []  # expressions that are still to be walked
        binds_inside = ":=" in tree.source.text
        for stmt in tree.stmts.values():
            own = self._own(stmt)
            if own:
                self._walked.append((stmt, own))
                if binds_inside:
                    self._bound_inside(own, stmt)

    def _bound_inside(self, own: Iterable[ast.AST], stmt: Stmt) -> None:
        """Record the names that the expressions of a statement bind."""
        for part in own:
            for node in walk(part):
                if isinstance(node, ast.NamedExpr):
                    self._bound(node.target.id, stmt)

    @cached_property
    def _expressions(self) -> _Expressions:
        """The expressions of the file by kind."""
        own, self._walked = self._walked, []
        return _Expressions(own)

    @cached_property
    def calls(self) -> list[tuple[ast.Call, Stmt]]:
        """Every call, with the innermost statement around it."""
        return self._expressions.calls

    @cached_property
    def calls_with_device(self) -> list[tuple[ast.Call, Stmt]]:
        """The calls with a device as a keyword."""
        return self._expressions.calls_with_device

    @cached_property
    def conditionals(self) -> list[tuple[ast.IfExp, Stmt]]:
        """Every conditional expression."""
        return self._expressions.conditionals

    @cached_property
    def operands(self) -> list[tuple[ast.expr, Stmt]]:
        """Both sides of every operation that does not make a string."""
        return self._expressions.operands

    @cached_property
    def items(self) -> dict[str, list[AttributeWrite]]:
        """`writes`, of items under literal keys; of those that are not known under ``[*]``."""
        for text, stmt in self._expressions.changed:
            self._item(f"{text}.[*]", None, stmt)
        return self._items

    def _own(self, stmt: Stmt) -> list[Any]:
        """The expressions of a statement, the last first; records the names that it binds."""
        expressions = _STATEMENTS.get(stmt.node.__class__)
        return expressions(self, stmt.node, stmt) if expressions is not None else header(stmt.node)[::-1]

    def _of_expression(self, node: ast.Expr, stmt: Stmt) -> list[Any]:
        return [node.value] if node.value.__class__ is not ast.Constant else []

    def _of_assignment(self, node: ast.Assign, stmt: Stmt) -> list[Any]:
        for target in node.targets:
            self._target(target, node.value, stmt)
        return [node.value, *reversed(node.targets)]

    def _of_annotated(self, node: ast.AnnAssign, stmt: Stmt) -> list[Any]:
        self._target(node.target, node.value, stmt)
        return header(node)[::-1]

    def _of_augmented(self, node: ast.AugAssign, stmt: Stmt) -> list[Any]:
        self._target(node.target, node.value, stmt, augmented=True)
        return header(node)[::-1]

    def _of_return(self, node: ast.Return, stmt: Stmt) -> list[Any]:
        return [node.value] if node.value is not None else []

    def _of_if(self, node: ast.If, stmt: Stmt) -> list[Any]:
        return [node.test]

    def _of_for(self, node: ast.For | ast.AsyncFor, stmt: Stmt) -> list[Any]:
        self._target(node.target, None, stmt)
        return header(node)[::-1]

    def _of_with(self, node: ast.With | ast.AsyncWith, stmt: Stmt) -> list[Any]:
        for entered in node.items:
            if entered.optional_vars is not None:
                self._target(entered.optional_vars, None, stmt)
        return header(node)[::-1]

    def _of_import(self, node: ast.Import | ast.ImportFrom, stmt: Stmt) -> list[Any]:
        for alias in node.names:
            self._bound(alias.asname or alias.name.partition(".")[0], stmt)
        return []

    def _of_definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, stmt: Stmt) -> list[Any]:
        self._bound(node.name, stmt)
        return header(node)[::-1]

    def _of_delete(self, node: ast.Delete, stmt: Stmt) -> list[Any]:
        for target in node.targets:
            self._target(target, None, stmt, augmented=True)
        return header(node)[::-1]

    def _of_nothing(self, node: ast.stmt, stmt: Stmt) -> list[Any]:
        return []

    @cached_property
    def named(self) -> list[tuple[ast.Call, Stmt, str | None]]:
        """`calls`, with the qualified name of the called function if it is imported."""
        qualname = self._tree.qualname
        return [(call, stmt, qualname(call.func, stmt.suite.scope)) for call, stmt in self.calls]

    def called(self, *names: str) -> list[tuple[ast.Call, Stmt]]:
        """The calls of a function whose name ends with one of these, in the text or in its import."""
        calling = self._expressions.calling
        texts = {text for name in names for text in (name, *self._renamed.get(name, ()))}
        return [
            self.calls[number]
            for number in sorted({number for text in texts if text in calling for number in calling[text]})
        ]

    def calls_with_argument(self, text: str) -> Sequence[tuple[ast.Call, Stmt]]:
        """Those of `calls` that get a name or dotted text as an argument."""
        return self._calls_by_argument.get(text, ())

    @cached_property
    def _calls_by_argument(self) -> dict[str, list[tuple[ast.Call, Stmt]]]:
        found: dict[str, list[tuple[ast.Call, Stmt]]] = {}
        for call, stmt in self.calls:
            for text in set(map(dotted, argument_values(call))):
                found.setdefault(text, []).append((call, stmt))
        return found

    @cached_property
    def _renamed(self) -> dict[str, list[str]]:
        """The last part of an import's name -> the other names under which it is imported here."""
        found: dict[str, list[str]] = {}
        for scope in self._tree.scopes.values():
            for name, origins in scope.imports.items():
                for origin in origins:
                    last = origin.rpartition(".")[2]
                    if last != name:
                        found.setdefault(last, []).append(name)
        return found

    @cached_property
    def texts(self) -> dict[str, list[tuple[ast.expr, Stmt]]]:
        """Dotted text -> its reads: ``a.b.c`` reads a.b.c, a.b and a. For a single text use `read`."""
        texts: dict[str, list[tuple[ast.expr, Stmt]]] = {}
        for root, places in self._expressions.reads.items():
            for node, stmt in places:
                pairs = [(root, node)]
                if node.__class__ is not ast.Name:
                    chain = _chain(node)
                    text = root
                    pairs = [(root, chain[-1].value)]
                    for part in reversed(chain):
                        text = f"{text}.{part.attr}"
                        pairs.append((text, part))
                for text, expr in reversed(pairs):
                    texts.setdefault(text, []).append((expr, stmt))
        return texts

    def attributes(self, wanted: Callable[[str], object]) -> Iterator[tuple[str, ast.Attribute, Stmt]]:
        """Where attributes are read of names and of chains of names, if their own name is `wanted`: text, node, statement."""
        known: dict[str, object] = {}
        for node, stmt in self._expressions.chains:
            part: Any = node
            while part.__class__ is ast.Attribute:
                attr = part.attr
                if attr not in known:
                    known[attr] = wanted(attr)
                if known[attr]:
                    yield dotted(part), part, stmt
                part = part.value

    def names_read(self, wanted: Callable[[str], object]) -> list[str]:
        """The names that are read whose text is `wanted`."""
        return [name for name in self._expressions.reads if wanted(name)]

    def attribute_reads(self, text: str) -> Sequence[tuple[str, Stmt]]:
        """The attributes that are read of a name or of a dotted text, and in which statement."""
        return self._of(text).attributes.get(text, ())

    def read(self, text: str) -> Sequence[tuple[ast.expr, Stmt]]:
        """Where a name or a dotted text is read, also as the start of a longer one."""
        return self._of(text).read.get(text, ())

    def _of(self, text: str) -> _Reads:
        """The reads of all that begins with the same name as `text`."""
        root = text.partition(".")[0]
        if root not in self._reads:
            self._reads[root] = _Reads(root, self._expressions.reads.get(root, ()))
        return self._reads[root]

    def _target(self, target: Any, value: ast.expr | None, stmt: Stmt, *, augmented: bool = False) -> None:
        kind = target.__class__
        if kind is ast.Name:
            text = target.id
            self._bound(text, stmt)
        elif kind is ast.Attribute:
            text = dotted(target)
            if not text:
                return
        elif kind is ast.Tuple or kind is ast.List:
            for element, part in leaf_targets(target, value):
                self._target(element, part, stmt, augmented=augmented)
            return
        elif kind is ast.Subscript:
            self._item(item(target) or f"{dotted(target.value)}.[*]", None if augmented else value, stmt)
            return
        else:
            return
        write = AttributeWrite(text, None if augmented else value, stmt)
        found = self.writes.get(text)
        if found is None:
            self.writes[text] = [write]
        else:
            found.append(write)

    def _bound(self, name: str, stmt: Stmt) -> None:
        scope = stmt.suite.scope
        if scope.declares(name):
            scope = scope.lookup(name) or scope
        names = self.binders.get(scope)
        if names is None:
            names = self.binders[scope] = {}
        found = names.get(name)
        if found is None:
            names[name] = [stmt]
        else:
            found.append(stmt)

    def binding(self, scope: Scope, name: str) -> list[Stmt]:
        """The statements of `scope` itself that bind `name` (parameters are no statements)."""
        return self.binders.get(scope, {}).get(name, [])

    def loads(self, name: str, scope: Scope) -> list[ast.Name]:
        """The places that read a name of a scope."""
        named = ((node, stmt) for node, stmt in self.read(name) if isinstance(node, ast.Name))
        return [node for node, stmt in named if isinstance(node.ctx, ast.Load) and stmt.scope.lookup(name) is scope]

    @cached_property
    def name_lists(self) -> list[tuple[ast.Call, Scope]]:
        """The calls that take the names of a scope, each with the scope: ``locals()``, ``vars()``, ``dir()``, ``globals()``."""
        calls = ((call, stmt) for call, stmt in self._builtin_calls(*_NAME_LISTS) if not call.args)
        root = self._tree.root
        return [(call, root if is_name(call.func, "globals") else stmt.suite.scope) for call, stmt in calls]

    def may_read_by_text(self, scope: Scope) -> bool:
        """Whether names of a scope may be read where they are not written out: ``locals()``, ``eval(text)``."""
        runners = [stmt.suite.scope for _, stmt in self._builtin_calls(*_TEXT_RUNNERS)]
        readers = (*runners, *(listed for _, listed in self.name_lists))
        return scope in readers or (scope.is_root and bool(runners))

    def _builtin_calls(self, *names: str) -> list[tuple[ast.Call, Stmt]]:
        """The calls of builtins; ``model.eval()`` is none of `eval`."""
        return [
            (call, stmt)
            for call, stmt in self.called(*names)
            if isinstance(call.func, ast.Name) and stmt.suite.scope.lookup(call.func.id) is None
        ]

    def may_change(self, text: str, first: Stmt, last: Stmt) -> bool:
        """Whether a statement of the function of `last` that may run after `first` and before `last` binds the name that the
        dotted `text` begins with, or assigns a part of it: ``device = None`` between ``m.to(device)`` and `last`."""
        root, *rest = text.split(".")
        owner = last.scope.lookup(root)
        stmts = list(self.binding(owner, root)) if owner is not None else []
        for part in rest:
            root += f".{part}"
            stmts += [write.stmt for write in self.written(root)]
        loops = {a for a in last.ancestors() if isinstance(a.node, LOOPS)}
        loops.difference_update(first.ancestors())
        return any(
            first.number < stmt.number < last.number or not loops.isdisjoint(stmt.ancestors())
            for stmt in stmts
            if stmt.suite.scope is last.scope
        )

    def _item(self, text: str, value: ast.expr | None, stmt: Stmt) -> None:
        self._items.setdefault(text, []).append(AttributeWrite(text, value, stmt))

    def written(self, text: str) -> Sequence[AttributeWrite]:
        """The assignments to a name, a dotted text or an item (`names.item`), anywhere in the file; for an item
        also calls that may set any item of its owner."""
        owner, bracket, _ = text.partition(".[")
        if not bracket:
            return self.writes.get(text, ())
        return [*self.items.get(text, ()), *self.items.get(f"{owner}.[*]", ())]

    def values(self, scope: Scope, text: str) -> Sequence[AttributeWrite]:
        """The assignments to the name or dotted `text` in `scope`."""
        found = self._values.get(text)
        if found is None:
            found = self._values[text] = {}
            for write in self.writes.get(text, ()):
                found.setdefault(write.stmt.suite.scope, []).append(write)
        return found.get(scope, ())

    def only_value(self, scope: Scope, name: str) -> ast.expr | None:
        """The value of a name that one assignment in `scope` binds, and nothing else does; None for other names."""
        writes = self.values(scope, name)
        return writes[0].value if len(writes) == len(scope.bindings.get(name, ())) == 1 else None


class _Reads:
    """Where one name is read, alone and with attributes, by dotted text in the order of the statements."""

    def __init__(self, root: str, places: Iterable[tuple[Any, Stmt]]) -> None:
        self.read: defaultdict[str, list[tuple[ast.expr, Stmt]]] = defaultdict(list)
        self.attributes: defaultdict[str, list[tuple[str, Stmt]]] = defaultdict(list)  # the attributes right behind it
        for node, stmt in places:
            chain = _chain(node)
            text = root
            self.read[text].append((chain[-1].value if chain else node, stmt))
            for part in reversed(chain):
                self.attributes[text].append((part.attr, stmt))
                text = f"{text}.{part.attr}"
                self.read[text].append((part, stmt))


def _formats(node: Any) -> bool:
    """Whether an operation puts values into a string: ``"%s" % x``."""
    left = node.left
    return node.op.__class__ is ast.Mod and (
        left.__class__ is ast.JoinedStr or (left.__class__ is ast.Constant and left.value.__class__ is str)
    )


def _chain(node: Any) -> list[Any]:
    """The attributes of ``a.b.c``, the last first."""
    chain: list[Any] = []
    while node.__class__ is ast.Attribute:
        chain.append(node)
        node = node.value
    return chain


# The method for the expressions of a statement, by its class.
_STATEMENTS: dict[type[ast.stmt], Callable[[Index, Any, Stmt], list[Any]]] = {
    ast.Expr: Index._of_expression,
    ast.Assign: Index._of_assignment,
    ast.AnnAssign: Index._of_annotated,
    ast.AugAssign: Index._of_augmented,
    ast.Return: Index._of_return,
    ast.If: Index._of_if,
    ast.For: Index._of_for,
    ast.AsyncFor: Index._of_for,
    ast.With: Index._of_with,
    ast.AsyncWith: Index._of_with,
    ast.Import: Index._of_import,
    ast.ImportFrom: Index._of_import,
    ast.FunctionDef: Index._of_definition,
    ast.AsyncFunctionDef: Index._of_definition,
    ast.ClassDef: Index._of_definition,
    ast.Delete: Index._of_delete,
    ast.Global: Index._of_nothing,
    ast.Nonlocal: Index._of_nothing,
    ast.Pass: Index._of_nothing,
}
