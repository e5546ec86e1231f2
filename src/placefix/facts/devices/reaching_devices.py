"""The device expression in reach of a statement.

A device expression is a name or attribute that already means "CUDA if it is to be used,
else the CPU" at that statement: its definitions are known, one of them reaches the statement on
every path, and nothing in between rebinds it.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from placefix.facts.devices.captured_functions import CapturedFunctions
from placefix.facts.devices.constructor_arguments import ConstructorArguments, is_set_first
from placefix.facts.devices.device_meanings import DeviceMeanings
from placefix.facts.devices.execution import Execution
from placefix.facts.naming import (
    last,
    mentions_device_number,
    names_device,
    names_device_parameter,
    names_plain_device,
    names_settings,
)
from placefix.facts.program.arguments import self_name
from placefix.facts.program.ast_names import defaults, dotted, is_literal, item, keyword_value, parameters
from placefix.facts.program.conditions import AVAILABLE
from placefix.facts.program.device_values import Device, condition
from placefix.facts.program.enclosing_scopes import bound_by, inner_scopes
from placefix.facts.program.statement_forms import is_main_guard
from placefix.facts.program.tree import Scope, Stmt, common, dominates

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.expression_index import AttributeWrite


_NO_DEVICES = (
    ast.Constant, ast.Compare, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp, ast.Lambda,
)  # fmt: skip


class Reach(NamedTuple):
    """A device expression that may be written at a statement.

    text: its spelling; meaning: the device it denotes; used: whether code near the statement
    places something on it already; stmt: its definition, None for a parameter; near: whether it
    belongs to the function or object, not to the module around.
    """

    text: str
    meaning: Device
    used: bool = False
    stmt: Stmt | None = None
    near: bool = True

    @property
    def agnostic(self) -> bool:
        """Whether it is known to be CUDA under a test and the CPU otherwise."""
        return self.meaning.is_conditional


class ReachingDevices(DeviceMeanings):
    """Finds the device expressions that may be written at a statement."""

    def __init__(self, context: AnalysisContext) -> None:
        super().__init__(context.tree, context.home, index=context.index, accelerator=context.accelerator)
        self.context = context
        self.execution = context.get(Execution)
        self.captured = context.get(CapturedFunctions)
        self._local: dict[Scope, list[tuple[Stmt, Reach]]] = {}
        self._device_names: dict[Scope, list[str]] = {}

    # --- the device in reach --------------------------------------------------------------

    def at(self, stmt: Stmt, key: tuple[object, ...] | None = None) -> Reach | None:
        """The best device expression in reach of `stmt`; with `key`, one that answers that very question."""
        best: Reach | None = None
        for reach in self.candidates(stmt):
            if key is not None:
                if reach.meaning.key in (key, ("and", key, AVAILABLE), ("and", AVAILABLE, key)):
                    return reach  # where the answer is yes and there is no CUDA, the guarded code raised
                continue
            if best is None or (self._rank(reach) < self._rank(best)):
                best = reach
        return best

    def answering(self, test: ast.expr, positive: bool, scope: Scope, stmt: Stmt) -> Reach | None:
        """The device in scope of `stmt` that is CUDA exactly when a test in `scope` is true (or, not positive, false)."""
        read = self.tests.read(test, scope)
        return None if read is None else self.at(stmt, condition(read, positive))

    def unproven(self, stmt: Stmt) -> str:
        """A device of the function or object around `stmt` that `candidates` cannot vouch for, or an empty string."""
        known = {reach.text for reach in self.candidates(stmt)}
        scope: Scope | None = stmt.scope
        while scope is not None and scope.is_function:
            for name in self._plain_names(scope):
                if name not in known and not self._declared_below(name, stmt):
                    return name
            me = self_name(scope)
            for text in self._device_texts if me else ():
                if (
                    text.startswith(me + ".")
                    and text.count(".") == 1
                    and text not in known
                    and names_plain_device(text.partition(".")[2])
                ):
                    if any(s.scope.parent is scope.parent for _, s in self.index.read(text)) or any(
                        w.stmt.scope.parent is scope.parent for w in self.index.writes.get(text, ())
                    ):
                        return text
            scope = scope.parent
        return ""

    def _plain_names(self, scope: Scope) -> list[str]:
        """The names of a function that devices plainly have."""
        found = self._device_names.get(scope)
        if found is None:
            found = self._device_names[scope] = [name for name in scope.bindings if names_plain_device(name)]
        return found

    def _declared_below(self, name: str, stmt: Stmt) -> bool:
        """Whether the function around `stmt` declares a name global further down only: Python forbids the name above that."""
        scope = stmt.scope
        if name not in scope.globals:
            return False
        declared = (n.lineno for n in self.tree.root.bindings.get(name, ()) if isinstance(n, ast.Global))
        last = getattr(scope.node, "end_lineno", 0)
        return any(stmt.node.lineno < line <= last for line in declared)

    def is_bound_below(self, device: str, stmt: Stmt) -> bool:
        """Whether a device that is `unproven` at a statement is bound in its function, and only further down."""
        scope: Scope | None = stmt.scope
        while scope is not None and scope.is_function and device not in scope.bindings:
            scope = scope.parent
        nodes = scope.bindings.get(device, ()) if scope is stmt.scope else ()
        return (
            bool(nodes) and all(getattr(node, "lineno", 0) > stmt.node.lineno for node in nodes) and not stmt.in_loop()
        )

    def of_a_block(self, name: str, stmt: Stmt) -> bool:
        """Whether a local of the function around `stmt` is irrelevant there: it is bound in blocks that do not contain
        `stmt`, to the CPU or to the device of a tensor, and read only there after that. In an arm of `stmt`
        itself it is the CPU."""
        scope = stmt.scope
        writes = self.index.values(scope, name)
        binders = self.index.binding(scope, name)
        if not scope.is_function or not writes or not len(writes) == len(binders) == len(scope.bindings.get(name, ())):
            return False
        around = {a for a in stmt.ancestors() if a is not stmt}
        for write in writes:
            meaning = self.meaning(write.value, scope) if write.value is not None else None
            kinds = ("cpu",) if stmt in write.stmt.ancestors() else ("cpu", "tensor")
            if meaning is None or meaning.kind not in kinds or write.stmt.parent is None or write.stmt.parent in around:
                return False
        read = [
            s
            for node, s in self.index.read(name)
            if s.scope.within(scope) and isinstance(getattr(node, "ctx", None), ast.Load)
        ]
        return all(s.scope is scope and any(dominates(b, s) for b in binders) for s in read)

    def is_bound(self, text: str, stmt: Stmt) -> bool:
        """Whether `text` (a name of an enclosing function, an attribute) is named exactly like a device, and is bound
        at every run of `stmt`."""
        if not names_plain_device(last(text)):
            return False
        root = text.partition(".")[0]
        owner = stmt.scope.lookup(root)
        if owner is None or owner is not stmt.scope or "." in text or not owner.is_function:
            return owner is not None
        return root in parameters(owner.function.args) or any(
            dominates(bound, stmt) for bound in self.index.binding(owner, root)
        )

    @staticmethod
    def _rank(reach: Reach) -> int:
        return 0 if reach.agnostic or reach.used else 1 if reach.meaning.kind in ("cuda", "other") else 2

    def candidates(self, stmt: Stmt) -> Iterator[Reach]:
        """Every device expression in reach, the nearest first."""
        for scope, reach in self._reaching(stmt):
            root = reach.text.partition(".")[0]
            if self._is_seen(root, scope, stmt) and not self._declared_below(root, stmt):
                yield reach

    def _is_seen(self, name: str, scope: Scope, stmt: Stmt) -> bool:
        """Whether a name of `scope` means the same everywhere in the header of `stmt`: no function, lambda or comprehension in
        between binds it, and none is directly in the body of a class that binds it."""
        if stmt.scope.lookup(name) is not scope.lookup(name):
            return False
        return not any(scope.is_class or name in bound_by(binder) for binder, _ in inner_scopes(stmt.node))

    def _reaching(self, stmt: Stmt) -> Iterator[tuple[Scope, Reach]]:
        scope: Scope | None = stmt.scope
        point = stmt
        nearest = True
        while scope is not None:
            if not scope.is_class or nearest:
                yield from ((scope, reach) for reach in self._names_in(scope, point, nearest))
            if scope.is_function:
                yield from ((scope, reach) for reach in self._attributes(scope, point, nearest))
                if self.captured.is_scripted(scope):
                    return
            if scope.parent is not None:
                point = self.tree.stmts[scope.node]  # type: ignore[index]
            nearest = False
            scope = scope.parent

    def _names_in(self, scope: Scope, point: Stmt, nearest: bool) -> Iterator[Reach]:
        if scope.is_function:
            yield from self._parameters(scope, point, nearest)
        for after, reach in self._definitions(scope):
            if self._runs_before(after, point, scope):
                yield reach._replace(used=self.used_in(reach.text, scope), near=scope.is_function)
        if scope.is_root:
            yield from self._imported(scope, point)
            yield from self._unbound()

    def _unbound(self) -> Iterator[Reach]:
        """Devices that nothing in the text binds: they are known wherever it reads them."""
        for name in self._unbound_names:
            yield Reach(name, Device("other", name), used=True, near=False)

    @cached_property
    def _unbound_names(self) -> list[str]:
        root = self.tree.root
        read = (
            [n for n in self.index.names_read(names_plain_device) if root.lookup(n) is None] if self.tree.assume else []
        )
        return [n for n in read if n in self.tree.free_names.free and self.tree.free_names.role(n) == "device"]

    def _imported(self, root: Scope, point: Stmt) -> Iterator[Reach]:
        """Devices of other files, under the names by which this one imports them."""
        for text in self._imported_texts:
            name, _, rest = text.partition(".")
            used = text in self._device_arguments
            if point.scope.lookup(name) is not root:
                continue
            if rest and (not used or text in self.index.writes):
                continue  # whoever writes config.device may do so in any file: one that this file does not use is left alone
            if not all(self._runs_before(s, point, root) for s in self.index.binding(root, name)):
                continue
            full = self.tree.import_of(name, root)
            meaning = self.elsewhere(f"{full}.{rest}" if full and rest else full)
            if meaning is None and used and not rest:
                meaning = Device("other")
            if meaning is not None and not meaning.is_cpu and (used or meaning.is_conditional):
                yield Reach(text, meaning._replace(text=text), used=used, near=False)

    @cached_property
    def _imported_texts(self) -> list[str]:
        """The names of the module level's imports, and attributes of them, that are names of devices."""
        imports = self.tree.root.imports
        texts = (*imports, *(t for t in self._device_texts if t.partition(".")[0] in imports))
        return [text for text in texts if names_device(text.rpartition(".")[2])]

    def _runs_before(self, after: Stmt, point: Stmt, scope: Scope) -> bool:
        if point.scope is not scope:
            return False
        if dominates(after, point):
            return True
        if not isinstance(point.node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) or not scope.is_root:
            return False
        # code of a function: the name is looked up when it is called
        around = [a for a in after.ancestors() if a is not after]
        if any(not is_main_guard(a) and not isinstance(a.node, (ast.Try, ast.With)) for a in around):
            return False
        if around and not self._reads_already(point, after):
            return False  # whoever imports the file has no such name
        return not self.execution.called_before(point, after)

    def _reads_already(self, definition: Stmt, after: Stmt) -> bool:
        """Whether the function or class reads, before any edit, a name that `after` binds."""
        root = self.tree.root
        names = [
            n for n, stmts in self.index.binders.get(root, {}).items() if any(after in b.ancestors() for b in stmts)
        ]
        inside = {s for s in self.tree.scopes.values() if s.within(self.tree.scopes.get(definition.node))}
        return any(s.scope in inside and s.scope.lookup(n) is root for n in names for _, s in self.index.read(n))

    def _parameters(self, scope: Scope, point: Stmt, nearest: bool) -> Iterator[Reach]:
        node = scope.function.args
        given = defaults(node)
        for name, argument in parameters(node).items():
            annotated = (
                argument.annotation is not None
                and self.tree.qualname(argument.annotation, scope.parent or scope) == "torch.device"
            )
            if not annotated and not names_device_parameter(name):
                continue
            default = given.get(name)
            rebinders = self.index.binding(scope, name)
            if is_literal(default, None) and not rebinders:
                yield Reach(name, Device("none"))  # .to(None) stays where it is
                continue
            if rebinders and (not nearest or not all(self._settled(r, point) for r in rebinders)):
                continue
            meaning = Device("other")
            if len(rebinders) == 1:
                write = self.index.values(scope, name)
                value = write[0].value if write else None
                if value is not None and not rebinders[0].parent:
                    meaning = self.meaning(value, scope) or meaning
                    if meaning.is_of_tensor:
                        meaning = Device("other")
            yield Reach(name, meaning, used=annotated or self.used_in(name, scope))

    @staticmethod
    def _settled(rebinder: Stmt, point: Stmt) -> bool:
        pair = common(rebinder, point)
        return pair is not None and pair[0].index < pair[1].index and not rebinder.in_loop()

    def _definitions(self, scope: Scope) -> list[tuple[Stmt, Reach]]:
        """(statement that must have run, device) for every name of the scope that is known to be a device."""
        found = self._local.get(scope)
        if found is not None:
            return found
        self._local[scope] = found = []
        for name, stmts in self.index.binders.get(scope, {}).items():
            bound = self._bound_device(scope, name, stmts)
            if bound is not None:
                after, meaning = bound
                found.append((after, Reach(name, meaning._replace(text=name), stmt=after)))
        found.sort(key=lambda item: not names_device(item[1].text))
        return found

    def _bound_device(self, scope: Scope, name: str, stmts: Sequence[Stmt]) -> tuple[Stmt, Device] | None:
        """The device that a name of the scope denotes, and what must have run; None if it may be none."""
        writes = self.index.values(scope, name)
        bound = len(scope.bindings.get(name, ()))
        if scope.declares(name) or not writes or not len(writes) == len(stmts) == bound:
            return None  # also: a parameter, or bound in another way as well
        named = names_device(name)
        meanings = self._meanings_of(writes, scope)
        if named and len(writes) == 1 and meanings[0][1] is None:
            meanings = [(writes[0].stmt, self._unknown(name, writes[0]))]
        if not _may_be_device(meanings, named=named) or any(_is_number(w.value) for w in writes):
            return None
        after, meaning = self._joined(meanings)
        if after is None or meaning.kind in ("tensor", "cpu", "accelerator"):
            return None
        return (after, meaning) if named or self._is_placed_on(name, scope, writes) else None

    def _meanings_of(self, writes: Sequence[AttributeWrite], scope: Scope) -> list[tuple[Stmt, Device | None]]:
        """The statements that bind a name or attribute, each with its device."""
        return [(w.stmt, self.meaning(w.value, scope) if w.value is not None else None) for w in writes]

    def _joined(self, meanings: Sequence[tuple[Stmt, Device | None]]) -> tuple[Stmt | None, Device]:
        """The device of one or several bindings, and what must have run."""
        if len(meanings) == 1:
            return meanings[0][0], meanings[0][1] or Device("other")
        return self._arms(meanings)

    def _unknown(self, name: str, write: AttributeWrite) -> Device | None:
        """The device that a name like ``device`` denotes if its value is not known to be a device. A constant or a collection
        is none, nor is ``train_dev`` that nothing is placed on: a development set."""
        node = write.stmt.node
        if not isinstance(node, (ast.Assign, ast.AnnAssign)) or isinstance(write.value, _NO_DEVICES):
            return None
        if name.lower().endswith("_dev") and name not in self._device_arguments:
            return None
        text = self.tree.source.code(write.value) if write.value is not None else ""
        return Device("index") if mentions_device_number(text) else Device("other")

    def _is_placed_on(self, name: str, scope: Scope, writes: Sequence[AttributeWrite]) -> bool:
        """Whether a name that is not named like a device is used as one (`cuda0 = torch.device("cuda")`)."""
        return name in self._device_arguments or any(
            isinstance(w.value, ast.Call) and self.tree.qualname(w.value.func, scope) == "torch.device" for w in writes
        )

    def _attributes(self, scope: Scope, point: Stmt, nearest: bool) -> Iterator[Reach]:
        """``self.device`` in a method, ``args.device`` where args is in scope."""
        first = self_name(scope)
        for text in self._device_texts:
            root, _, rest = text.partition(".")
            if first and root == first:
                reach = self._self_device(text, rest, scope, point, nearest)
            elif names_settings(rest.rpartition(".")[0] or root) and (nearest or point.scope.lookup(root) is scope):
                reach = self._config_device(text, root, scope, point)
            else:
                reach = None
            if reach is not None:
                yield reach

    def _self_device(self, text: str, rest: str, scope: Scope, point: Stmt, nearest: bool) -> Reach | None:
        if "." in rest and not names_settings(rest.split(".")[-2]):
            return None
        cls = scope.parent
        assert cls is not None
        writes = [w for w in self.index.writes.get(text, ()) if w.stmt.scope.parent is cls]
        used = self.used_in(text, cls)
        if not writes:
            # a property, or set by a base class or from outside; or a part of an argument of the constructor
            known = used or rest in cls.functions or self._arguments.is_kept(text, scope)
            return Reach(text, Device("other"), used=True) if known else None
        if any(is_literal(w.value, None) for w in writes):
            return None
        if len({w.stmt.scope for w in writes}) != 1:
            return None
        home = writes[0].stmt.scope
        after, meaning = self._joined(self._meanings_of(writes, home))
        if after is None or meaning.kind in ("cpu", "accelerator"):
            return None
        is_set = nearest and dominates(after, point) if home is scope else is_set_first(self.index, scope, home, after)
        if not is_set:
            return None
        if meaning.is_of_tensor:
            meaning = Device("other")
        return Reach(text, meaning._replace(text=text), used=used, stmt=after)

    def _is_bound_for(self, name: str, owner: Scope, scope: Scope) -> bool:
        """Whether a function may read a name of the module level: it is bound there when the function runs, or the function reads it already."""
        if not owner.is_root or scope.is_root:
            return True
        outermost = scope
        while outermost.parent is not None and outermost.parent is not owner:
            outermost = outermost.parent
        point = self.tree.stmts[outermost.node]  # type: ignore[index]
        return any(self._runs_before(bound, point, owner) for bound in self.index.binding(owner, name))

    def _config_device(self, text: str, root: str, scope: Scope, point: Stmt) -> Reach | None:
        owner = scope.lookup(root)
        if owner is None or owner.is_class or not self._is_bound_for(root, owner, scope):
            return None
        writes = self.index.writes.get(text, ())
        used = text in self._device_arguments
        near = owner.is_function
        if not writes and root in owner.imports:
            full = self.tree.import_of(root, owner)
            if full is not None and self.elsewhere(full + text.removeprefix(root)) is not None:
                return None  # `_imported` knows more
        if not writes:
            return Reach(text, Device("other"), used=True, near=near) if used else None
        meaning = self._attribute_meaning(text, 0) or Device("other")
        if meaning.kind in ("cpu", "tensor", "accelerator"):
            return None
        here = [w.stmt for w in writes if w.stmt.scope is point.scope]
        if here and not all(self._settled(s, point) for s in here):
            return None
        if not here and not used and not meaning.is_conditional:
            return None
        return Reach(text, meaning._replace(text=text), used=used, stmt=writes[0].stmt, near=near)

    @cached_property
    def _arguments(self) -> ConstructorArguments:
        return ConstructorArguments(self.index, self._device_arguments)

    @cached_property
    def _device_texts(self) -> list[str]:
        written = [t for t in self.index.writes if "." in t and names_device(t.rpartition(".")[2])]
        read = (text for text, _, _ in self.index.attributes(names_device))
        return list(dict.fromkeys((*written, *read, *self._arguments.parts)))

    @cached_property
    def _device_arguments(self) -> dict[str, set[Scope]]:
        """Dotted texts and items that are the device argument of a move or a factory, with the scopes where they are."""
        found: dict[str, set[Scope]] = {}
        given = [(keyword_value(c, "device", "map_location"), s) for c, s in self.index.calls_with_device]
        moves = [(c, s) for c, s in self.index.called("to", "cuda") if isinstance(c.func, ast.Attribute)]
        for expr, stmt in (*given, *((c.args[0], s) for c, s in moves if c.args)):
            text = dotted(expr) or item(expr) if expr is not None else ""
            if text:
                found.setdefault(text, set()).add(stmt.scope)
        return found

    def is_device_argument(self, text: str) -> bool:
        """Whether `text` is the device argument of a move, a factory or a load anywhere."""
        return text in self._device_arguments

    def used_in(self, text: str, scope: Scope) -> bool:
        """Whether code in `scope` (or in a scope inside it) places things on `text`."""
        return any(user.within(scope) for user in self._device_arguments.get(text, ()))


def _may_be_device(meanings: Sequence[tuple[Stmt, Device | None]], *, named: bool) -> bool:
    """Whether the values of a name may be devices, and not only the CPU; `named`: it is named like one."""
    known = [meaning for _, meaning in meanings if meaning is not None]
    if not known or (len(known) == len(meanings) and all(meaning.is_cpu for meaning in known)):
        return False
    return named or any(meaning.is_cuda_or_conditional for meaning in known)


def _is_number(value: ast.expr | None) -> bool:
    """Whether a value is a constant, and no name of a device."""
    return isinstance(value, ast.Constant) and not isinstance(value.value, str)
