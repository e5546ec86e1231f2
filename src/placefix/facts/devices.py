"""The device expression in reach of a statement, and where to define one if there is none.

A device expression is a name or attribute that already means "CUDA if it is to be used,
else the CPU" at that statement: its definitions are known, one of them reaches the statement on
every path, and nothing in between rebinds it (SEMANTICS C5).
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.diagnostic import Insert, Move
from placefix.facts import torch_api as api
from placefix.facts.guards import AVAILABLE, Test, Tests, is_main_guard, self_class
from placefix.facts.index import Index
from placefix.facts.names import dotted
from placefix.facts.tree import Scope, Stmt, common, dominates

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from placefix.diagnostic import Edit
    from placefix.facts import Facts
    from placefix.facts.index import AttributeWrite

_DEVICE = re.compile(r"^(?!_?(to|get|set|move|num|n|is|on|per|has|use|same|multi|send|put)_)_?(\w+_)?(device|dev)_?$", re.IGNORECASE)
_CONFIG = re.compile(
    r"^_?(args?|opts?|options|cfg|config|conf|hparams?|hps?|params?|flags|settings?|configs|train_?(args|cfg|config|opt)|\w*_(args|cfg|config|opt))$",
    re.IGNORECASE,
)
_PLAIN_DEVICE = re.compile(r"^_?(torch_?)?(device|dev)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a device expression denotes.

    kind: flag (CUDA under `test`, else the CPU), cuda (literally), cpu, index (a given GPU),
    tensor (where something lies), other (a device, which one is not known), none (may be None).
    test and positive: the question a flag device answers, and which answer means CUDA;
    wide: where there is no CUDA it may be another accelerator.
    """

    kind: str
    index: int | None = None
    test: Test | None = None
    positive: bool = True
    text: str = ""
    wide: bool = False

    @property
    def key(self) -> tuple[object, ...] | None:
        """Equal for devices that are CUDA under the same condition."""
        if self.kind != "flag":
            return None
        return AVAILABLE if self.test is None else condition(self.test, self.positive)


AVAILABLE_DEVICE = Meaning("flag")


def condition(test: Test, positive: bool) -> tuple[object, ...]:
    """The key of "`test` is true" (or, not positive, false)."""
    return test.key if positive != test.negated else ("not", test.key)


@dataclass(frozen=True, slots=True)
class Reach:
    """A device expression that may be written at a statement.

    text: how to write it; meaning: what it denotes; used: whether code beside the statement
    places things on it already; stmt: what defines it, None for a parameter; near: whether it
    belongs to the function or object, not to the module around.
    """

    text: str
    meaning: Meaning
    used: bool = False
    stmt: Stmt | None = None
    near: bool = True

    @property
    def agnostic(self) -> bool:
        """Whether it is known to be CUDA under a test and the CPU otherwise."""
        return self.meaning.kind == "flag"


class Devices:
    """Devices of one file. Ask `at` first and `definition` where it answers None."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.tree = facts.tree
        self.index = Index(facts.tree)
        self.tests = Tests(facts.tree, self.index)
        self._local: dict[Scope, list[tuple[Stmt, Reach]]] = {}

    # --- what an expression denotes -----------------------------------------------------

    def meaning(self, expr: ast.expr, scope: Scope, depth: int = 0) -> Meaning | None:
        """What `expr` denotes as a device in `scope`, or None when it is none."""
        if depth > 4:
            return None
        if isinstance(expr, ast.Constant):
            return self._word(expr.value)
        if isinstance(expr, ast.Call):
            return self._call(expr, scope, depth)
        if isinstance(expr, ast.IfExp):
            return self._either(expr.test, self.meaning(expr.body, scope, depth + 1), self.meaning(expr.orelse, scope, depth + 1), scope)
        if isinstance(expr, ast.JoinedStr):
            first = expr.values[0] if expr.values else None
            return Meaning("index") if isinstance(first, ast.Constant) and str(first.value).startswith("cuda") else None
        if isinstance(expr, ast.BinOp):
            left = self.meaning(expr.left, scope, depth + 1)
            return Meaning("index") if left is not None and left.kind in ("cuda", "index") else None
        if isinstance(expr, ast.BoolOp) and isinstance(expr.op, ast.Or):
            parts = [self.meaning(v, scope, depth + 1) for v in expr.values]
            if parts[0] is not None and parts[0].kind == "accelerator" and parts[-1] is not None and parts[-1].kind == "cpu":
                return AVAILABLE_DEVICE
            return Meaning("other") if all(p is not None for p in parts) else None
        if isinstance(expr, (ast.Name, ast.Attribute)):
            return self._named(expr, scope, depth)
        return None

    def _word(self, value: object) -> Meaning | None:
        if not isinstance(value, str):
            return None
        head, _, tail = value.partition(":")
        if head == "cuda":
            return Meaning("cuda", int(tail) if tail.isdigit() else None) if not tail or tail.isdigit() else Meaning("index")
        if head == "cpu":
            return Meaning("cpu")
        return Meaning("other") if head in ("mps", "xpu", "npu", "hpu", "xla", "mlu", "meta") else None

    def _call(self, expr: ast.Call, scope: Scope, depth: int) -> Meaning | None:
        name = self.tree.qualname(expr.func, scope) or ""
        if name == "torch.device":
            if not expr.args:
                return Meaning("other")
            first = self.meaning(expr.args[0], scope, depth + 1)
            if len(expr.args) > 1 or any(k.arg == "index" for k in expr.keywords):
                return Meaning("cpu") if first is not None and first.kind == "cpu" else Meaning("index")
            return first if first is not None else Meaning("other")
        if name in ("torch.accelerator.current_accelerator",):
            return Meaning("accelerator")
        if name == "torch.cuda.current_device":
            return Meaning("index")
        func = expr.func
        if isinstance(func, ast.Attribute) and func.attr == "format" and isinstance(func.value, ast.Constant):
            return Meaning("index") if str(func.value.value).startswith("cuda") else None
        if isinstance(func, ast.Name) and not expr.args and not expr.keywords:
            owner = scope.lookup(func.id)
            if owner is not None and len(owner.bindings.get(func.id, ())) == 1 and func.id in owner.functions:
                return self._returned(owner.functions[func.id], depth)
        return None

    def _returned(self, function: Scope, depth: int) -> Meaning | None:
        """What a function of the file without arguments returns."""
        found: list[tuple[Stmt, Meaning | None]] = []
        for stmt in self._stmts(function):
            if isinstance(stmt.node, ast.Return):
                value = stmt.node.value
                found.append((stmt, self.meaning(value, function, depth + 1) if value is not None else None))
        if len(found) == 1:
            return found[0][1]
        if len(found) == 2:
            # if test: return cuda [else:] return cpu
            (one, first), (_, second) = found
            parent = one.parent
            if parent is not None and isinstance(parent.node, ast.If) and one.suite is parent.suites[0] and parent.suite is function.body:
                return self._either(parent.node.test, first, second, function)
        return None

    @cached_property
    def _by_scope(self) -> dict[Scope, list[Stmt]]:
        found: dict[Scope, list[Stmt]] = {}
        for stmt in self.tree.stmts.values():
            found.setdefault(stmt.scope, []).append(stmt)
        return found

    def _stmts(self, scope: Scope) -> list[Stmt]:
        return self._by_scope.get(scope, [])

    def _either(self, test: ast.expr, then: Meaning | None, other: Meaning | None, scope: Scope) -> Meaning | None:
        if then is None or other is None:
            return None
        read = self.tests.read(test, scope)
        if then.kind == "cuda" and other.kind in ("cpu", "other") and read is not None:
            # "other" below "cpu": cuda, else mps, else cpu
            return Meaning("flag", then.index, None if read.available and not read.negated else read, True, wide=other.kind == "other")
        if then.kind == "cpu" and other.kind == "cuda" and read is not None:
            return Meaning("flag", other.index, read, False)
        if then.kind == "other" and other.kind == "flag":
            return replace(other, wide=True)  # mps first, then cuda, then cpu
        if {then.kind, other.kind} == {"index", "cpu"} or "index" in (then.kind, other.kind):
            return Meaning("index")
        if then.kind == other.kind:
            return then
        return Meaning("other")

    def _named(self, expr: ast.Name | ast.Attribute, scope: Scope, depth: int) -> Meaning | None:
        text = dotted(expr)
        if not text:
            if isinstance(expr, ast.Attribute) and expr.attr == "device":
                return Meaning("tensor")
            return None
        if isinstance(expr, ast.Name):
            owner = scope.lookup(expr.id)
            if owner is None:
                return Meaning("other") if _DEVICE.match(expr.id) else None
            writes = self.index.values(owner, expr.id)
            if len(owner.bindings.get(expr.id, ())) == 1 and len(writes) == 1 and writes[0].value is not None:
                return self.meaning(writes[0].value, owner, depth + 1)
            return Meaning("other") if _DEVICE.match(expr.id) else None
        root, _, rest = text.partition(".")
        last = rest.rpartition(".")[2]
        if not _DEVICE.match(last):
            return None
        found = self._attribute_meaning(text, depth)
        if found is not None:
            return found
        return Meaning("other") if root == "self" or _CONFIG.match(text.split(".")[-2]) else Meaning("tensor")

    def _attribute_meaning(self, text: str, depth: int) -> Meaning | None:
        writes = self.index.writes.get(text, ())
        meanings = [self.meaning(w.value, w.stmt.scope, depth + 1) if w.value is not None else None for w in writes]
        if not meanings:
            return None
        if all(m == meanings[0] for m in meanings):
            return meanings[0] or Meaning("other")
        return self._arms([(w.stmt, m) for w, m in zip(writes, meanings, strict=True)])[1]

    def _arms(self, bound: Sequence[tuple[Stmt, Meaning | None]]) -> tuple[Stmt | None, Meaning]:
        """Several definitions of one name: exclusive arms of one `if`, or a default and an override."""
        unknown = Meaning("other")
        if len(bound) != 2 or any(m is None for _, m in bound):
            return None, unknown
        (a, one), (b, two) = bound
        assert one is not None and two is not None
        if one == two:
            return a, one
        for owner in a.ancestors():
            if isinstance(owner.node, ast.If) and b in self._inside(owner) and a.suite is owner.suites[0] and len(owner.suites) == 2:
                if b.suite is owner.suites[1]:
                    return owner, self._either(owner.node.test, one, two, owner.scope) or unknown
        parent = b.parent
        if parent is not None and isinstance(parent.node, ast.If) and b.suite is parent.suites[0] and len(parent.suites) == 1 and dominates(a, parent):
            return parent, self._either(parent.node.test, two, one, parent.scope) or unknown
        return None, unknown

    @staticmethod
    def _inside(owner: Stmt) -> set[Stmt]:
        return {s for suite in owner.suites for s in suite.stmts}

    # --- the device in reach --------------------------------------------------------------

    def at(self, stmt: Stmt, key: tuple[object, ...] | None = None) -> Reach | None:
        """The best device expression in reach of `stmt`; with `key`, one that answers that very question."""
        best: Reach | None = None
        for reach in self.candidates(stmt):
            if key is not None:
                if reach.meaning.key == key:
                    return reach
                continue
            if best is None or (self._rank(reach) < self._rank(best)):
                best = reach
        return best

    def unproven(self, stmt: Stmt) -> str:
        """A device of the function or object around `stmt` that `candidates` cannot vouch for, or an empty string."""
        known = {reach.text for reach in self.candidates(stmt)}
        scope: Scope | None = stmt.scope
        while scope is not None and scope.kind == "function":
            for name in scope.bindings:
                if name not in known and _PLAIN_DEVICE.match(name):
                    return name
            me = self.self_name(scope)
            for text in self._device_texts if me else ():
                if text.startswith(me + ".") and text.count(".") == 1 and text not in known and _PLAIN_DEVICE.match(text.partition(".")[2]):
                    if any(s.scope.parent is scope.parent for _, s in self.index.texts.get(text, ())) or any(
                        w.stmt.scope.parent is scope.parent for w in self.index.writes.get(text, ())
                    ):
                        return text
            scope = scope.parent
        return ""

    @staticmethod
    def _rank(reach: Reach) -> int:
        return 0 if reach.agnostic or reach.used else 1 if reach.meaning.kind in ("cuda", "other") else 2

    def candidates(self, stmt: Stmt) -> Iterator[Reach]:
        """Every device expression in reach, the nearest first."""
        scope: Scope | None = stmt.scope
        point = stmt
        nearest = True
        while scope is not None:
            if scope.kind != "class" or nearest:
                yield from self._names_in(scope, point, nearest)
            if scope.kind == "function":
                yield from self._attributes(scope, point, nearest)
            if scope.parent is not None:
                point = self.tree.stmts[scope.node]  # type: ignore[index]
            nearest = False
            scope = scope.parent

    def _names_in(self, scope: Scope, point: Stmt, nearest: bool) -> Iterator[Reach]:
        if scope.kind == "function":
            yield from self._parameters(scope, point, nearest)
        for after, reach in self._definitions(scope):
            if self._runs_before(after, point, scope):
                yield replace(reach, used=self.used_in(reach.text, scope), near=scope.kind == "function")
        if scope.kind == "module":
            for name in scope.imports:
                if _DEVICE.match(name) and name in self._device_arguments and not self._shadowed(name, point):
                    yield Reach(name, Meaning("other"), used=True, near=False)

    def _shadowed(self, name: str, point: Stmt) -> bool:
        owner = point.scope.lookup(name)
        return owner is not self.tree.root

    def _runs_before(self, after: Stmt, point: Stmt, scope: Scope) -> bool:
        if point.scope is not scope:
            return False
        if dominates(after, point):
            return True
        if not isinstance(point.node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) or scope.kind != "module":
            return False
        # code of a function: the name is looked up when it is called
        around = [a for a in after.ancestors() if a is not after]
        if any(not is_main_guard(a) and not isinstance(a.node, (ast.Try, ast.With)) for a in around):
            return False
        if around and not self._reads_already(point, after):
            return False  # whoever imports the file has no such name
        return not self.called_before(point, after)

    def _reads_already(self, definition: Stmt, after: Stmt) -> bool:
        """Whether the function or class reads what `after` binds as it stands."""
        root = self.tree.root
        names = [n for n, stmts in self.index.binders.get(root, {}).items() if any(after in b.ancestors() for b in stmts)]
        inside = {s for s in self.tree.scopes.values() if self._within(s, self.tree.scopes.get(definition.node))}
        return any(s.scope in inside for n in names for _, s in self.index.texts.get(n, ()))

    @staticmethod
    def _within(scope: Scope, home: Scope | None) -> bool:
        inner: Scope | None = scope
        while inner is not None:
            if inner is home:
                return True
            inner = inner.parent
        return False

    def _parameters(self, scope: Scope, point: Stmt, nearest: bool) -> Iterator[Reach]:
        node = scope.function.args
        positional = [*node.posonlyargs, *node.args]
        defaults: dict[str, ast.expr | None] = {a.arg: d for a, d in zip(reversed(positional), reversed(node.defaults), strict=False)}
        defaults.update({a.arg: d for a, d in zip(node.kwonlyargs, node.kw_defaults, strict=True)})
        for argument in (*positional, *node.kwonlyargs):
            name = argument.arg
            annotated = argument.annotation is not None and self.tree.qualname(argument.annotation, scope.parent or scope) == "torch.device"
            if not annotated and not re.match(r"^_?(torch_?|target_|model_)?(device|dev)$", name, re.IGNORECASE):
                continue
            default = defaults.get(name)
            rebinders = self.index.binding(scope, name)
            if isinstance(default, ast.Constant) and default.value is None and not rebinders:
                yield Reach(name, Meaning("none"))  # .to(None) stays where it is (A13)
                continue
            if rebinders and (not nearest or not all(self._settled(r, point) for r in rebinders)):
                continue
            meaning = Meaning("other")
            if len(rebinders) == 1:
                write = self.index.values(scope, name)
                value = write[0].value if write else None
                if value is not None and not rebinders[0].parent:
                    meaning = self.meaning(value, scope) or meaning
                    if meaning.kind == "tensor":
                        meaning = Meaning("other")
            yield Reach(name, meaning, used=annotated or self.used_in(name, scope))

    @staticmethod
    def _settled(rebinder: Stmt, point: Stmt) -> bool:
        pair = common(rebinder, point)
        return pair is not None and pair[0].index < pair[1].index and not rebinder.in_loop()

    def _definitions(self, scope: Scope) -> list[tuple[Stmt, Reach]]:
        """(what must have run, device) for every name of the scope that is known to be a device."""
        found = self._local.get(scope)
        if found is not None:
            return found
        self._local[scope] = found = []
        for name, stmts in self.index.binders.get(scope, {}).items():
            if name in scope.globals or not (writes := self.index.values(scope, name)) or len(writes) != len(stmts):
                continue
            if len(scope.bindings.get(name, ())) != len(stmts):
                continue  # a parameter, or bound in another way as well
            meanings: list[tuple[Stmt, Meaning | None]] = [
                (w.stmt, self.meaning(w.value, scope) if w.value is not None else None) for w in writes
            ]
            known = [m for _, m in meanings if m is not None]
            if not known and len(writes) == 1 and _DEVICE.match(name):
                unknown = self._unknown(writes[0])
                if unknown is not None:
                    known, meanings = [unknown], [(writes[0].stmt, unknown)]
            if not known or (not _DEVICE.match(name) and not any(m.kind in ("flag", "cuda") for m in known)):
                continue
            if all(m is not None and m.kind == "cpu" for _, m in meanings):
                continue
            after, meaning = (writes[0].stmt, known[0]) if len(writes) == 1 else self._arms(meanings)
            if after is None or any(isinstance(w.value, ast.Constant) and not isinstance(w.value.value, str) for w in writes):
                continue
            if meaning.kind in ("tensor", "cpu", "accelerator") or (not _DEVICE.match(name) and not self._is_device_name(name, scope, writes)):
                continue
            found.append((after, Reach(name, replace(meaning, text=name), stmt=after)))
        found.sort(key=lambda item: not _DEVICE.match(item[1].text))
        return found

    def _unknown(self, write: AttributeWrite) -> Meaning | None:
        """What a name like ``device`` denotes that is bound to something not known to be a device."""
        node = write.stmt.node
        if not isinstance(node, (ast.Assign, ast.AnnAssign)) or isinstance(write.value, ast.Constant):
            return None
        text = self.tree.source.code(write.value) if write.value is not None else ""
        return Meaning("index") if re.search(r"rank|gpu|\bint\(|device_ids?\b|current_device", text, re.IGNORECASE) else Meaning("other")

    def _is_device_name(self, name: str, scope: Scope, writes: Sequence[AttributeWrite]) -> bool:
        """Whether a name that does not say so is used as a device (`cuda0 = torch.device("cuda")`)."""
        return name in self._device_arguments or any(
            isinstance(w.value, ast.Call) and self.tree.qualname(w.value.func, scope) == "torch.device" for w in writes
        )

    def _attributes(self, scope: Scope, point: Stmt, nearest: bool) -> Iterator[Reach]:
        """``self.device`` in a method, ``args.device`` where args is in scope."""
        first = self.self_name(scope)
        for text in self._device_texts:
            root, _, rest = text.partition(".")
            if first and root == first:
                reach = self._self_device(text, rest, scope, point, nearest)
            elif _CONFIG.match(rest.rpartition(".")[0] or root) and (nearest or point.scope.lookup(root) is scope):
                reach = self._config_device(text, root, scope, point)
            else:
                reach = None
            if reach is not None:
                yield reach

    def self_name(self, scope: Scope) -> str:
        """What a method calls its instance; empty for functions, static and class methods."""
        if scope.parent is None or scope.parent.kind != "class":
            return ""
        arguments = scope.function.args
        names = [*arguments.posonlyargs, *arguments.args]
        decorators = {dotted(d) for d in scope.function.decorator_list}
        return names[0].arg if names and not decorators & {"staticmethod", "classmethod"} else ""

    def _self_device(self, text: str, rest: str, scope: Scope, point: Stmt, nearest: bool) -> Reach | None:
        if "." in rest and not _CONFIG.match(rest.split(".")[-2]):
            return None
        cls = scope.parent
        assert cls is not None
        writes = [w for w in self.index.writes.get(text, ()) if w.stmt.scope.parent is cls]
        used = self.used_in(text, cls)
        if not writes:
            # a property, or set by a base class or from outside
            own = rest in cls.functions or rest in cls.bindings
            return Reach(text, Meaning("other"), used=True) if used or (own and rest in cls.functions) else None
        if any(isinstance(w.value, ast.Constant) and w.value.value is None for w in writes):
            return None
        if len({w.stmt.scope for w in writes}) != 1:
            return None
        home = writes[0].stmt.scope
        meanings = [(w.stmt, self.meaning(w.value, home) if w.value is not None else None) for w in writes]
        after, meaning = (writes[0].stmt, meanings[0][1] or Meaning("other")) if len(writes) == 1 else self._arms(meanings)
        if after is None or meaning.kind in ("cpu", "accelerator"):
            return None
        if meaning.kind == "tensor":
            meaning = Meaning("other")
        if home is scope:
            if not nearest or not dominates(after, point):
                return None
        elif home.name not in ("__init__", "__post_init__", "setup") or after.parent is not None or self._called_in_init(scope, home, after):
            return None
        return Reach(text, replace(meaning, text=text), used=used, stmt=after)

    def _called_in_init(self, method: Scope, init: Scope, after: Stmt) -> bool:
        """Whether `__init__` calls the method (by name) before it sets the attribute."""
        for _, stmt in self.index.texts.get(f"self.{method.name}", ()):
            if stmt.scope is init and not dominates(after, stmt):
                return True
        return False

    def _config_device(self, text: str, root: str, scope: Scope, point: Stmt) -> Reach | None:
        owner = scope.lookup(root)
        if owner is None or (owner.kind == "class"):
            return None
        writes = self.index.writes.get(text, ())
        used = text in self._device_arguments
        near = owner.kind == "function"
        if not writes:
            return Reach(text, Meaning("other"), used=True, near=near) if used else None
        meaning = self._attribute_meaning(text, 0) or Meaning("other")
        if meaning.kind in ("cpu", "tensor", "accelerator"):
            return None
        here = [w.stmt for w in writes if w.stmt.scope is point.scope]
        if here and not all(self._settled(s, point) for s in here):
            return None
        if not here and not used and meaning.kind != "flag":
            return None
        return Reach(text, replace(meaning, text=text), used=used, stmt=writes[0].stmt, near=near)

    @cached_property
    def _device_texts(self) -> list[str]:
        found = dict.fromkeys((*self.index.writes, *self.index.texts))
        return [t for t in found if "." in t and _DEVICE.match(t.rpartition(".")[2])]

    @cached_property
    def _device_arguments(self) -> dict[str, set[Scope]]:
        """Dotted texts that stand as the device of a move or a factory, with the scopes they do so in."""
        found: dict[str, set[Scope]] = {}
        for call, stmt in self.index.calls:
            exprs = [k.value for k in call.keywords if k.arg in ("device", "map_location")]
            if isinstance(call.func, ast.Attribute) and call.func.attr in ("to", "cuda") and call.args:
                exprs.append(call.args[0])
            for expr in exprs:
                text = dotted(expr)
                if text:
                    found.setdefault(text, set()).add(stmt.scope)
        return found

    def is_device_argument(self, text: str) -> bool:
        """Whether `text` stands somewhere as the device of a move, a factory or a load."""
        return text in self._device_arguments

    def used_in(self, text: str, scope: Scope) -> bool:
        """Whether code in `scope` (or in a scope inside it) places things on `text`."""
        for user in self._device_arguments.get(text, ()):
            inner: Scope | None = user
            while inner is not None:
                if inner is scope:
                    return True
                inner = inner.parent
        return False

    # --- what runs when -------------------------------------------------------------------

    @cached_property
    def script(self) -> bool:
        """Whether the file has an entry point or module-level code that does something."""
        for stmt in self.tree.root.body.stmts:
            node = stmt.node
            if is_main_guard(stmt) or isinstance(node, (ast.For, ast.While, ast.With, ast.AugAssign)):
                return True
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                name = self.tree.qualname(node.value.func, self.tree.root) or dotted(node.value.func)
                if not re.match(r"^(sys|warnings|logging|logger|os|matplotlib|plt|torch\.(set_|manual_seed|backends|multiprocessing))\b", name):
                    return True
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
                if any(self._works(part) for part in ast.walk(node.value) if isinstance(part, ast.Call)):
                    return True
        return False

    def _works(self, call: ast.Call) -> bool:
        name = self.tree.qualname(call.func, self.tree.root)
        if name is not None:
            return name.endswith(("ArgumentParser", "parse_args")) or api.is_module_constructor(name) or api.is_optimizer(name) or name in api.LOADERS
        if isinstance(call.func, ast.Attribute):
            return call.func.attr in ("parse_args", "cuda", "to", "parameters")
        if isinstance(call.func, ast.Name):
            return call.func.id in self.tree.root.classes
        return False

    @cached_property
    def _mentions(self) -> dict[str, set[str]]:
        """Top-level function or class -> the top-level functions and classes its code names."""
        root = self.tree.root
        known = root.functions.keys() | root.classes.keys()
        found: dict[str, set[str]] = {}
        for name in known:
            for _, stmt in self.index.texts.get(name, ()):
                top = self._top(stmt)
                if top is not None:
                    found.setdefault(top.name, set()).add(name)
        return found

    def _top(self, stmt: Stmt) -> Scope | None:
        """The top-level function or class around a statement."""
        scope, inner = stmt.scope, None
        while scope.parent is not None:
            inner = scope
            scope = scope.parent
        return inner

    def called_before(self, definition: Stmt, point: Stmt) -> bool:
        """Whether module-level code may run the function or class `definition` before `point`."""
        top = definition
        while top.scope.parent is not None:
            top = self.tree.stmts[top.scope.node]  # type: ignore[index]
        wanted = getattr(top.node, "name", "")
        early: set[str] = set()
        for name in self.tree.root.functions.keys() | self.tree.root.classes.keys():
            for node, stmt in self.index.texts.get(name, ()):
                if stmt.scope is self.tree.root and not dominates(point, stmt) and stmt is not point:
                    pair = common(point, stmt)
                    if pair is not None and pair[1].index > pair[0].index:
                        continue
                    del node
                    early.add(name)
                    break
        reached, todo = set(early), list(early)
        while todo:
            for name in self._mentions.get(todo.pop(), ()):
                if name not in reached:
                    reached.add(name)
                    todo.append(name)
        return wanted in reached

    # --- a definition where there is none -----------------------------------------------------

    def flag_at(self, stmt: Stmt) -> tuple[Test, bool] | None:
        """The flag that governs CUDA at `stmt`: the function's own before the script's, the one that is
        asked most; None where there is none, or where availability is asked more."""
        best: tuple[Test, bool] | None = None
        weight = 0
        bare = sum(placing for (test, positive), (_, placing) in self._flags.items() if not test.roots and condition(test, positive) == AVAILABLE)
        for (test, positive), (count, placing) in self._flags.items():
            if not all(stmt.scope.lookup(name) is owner for name, owner in test.roots):
                continue
            if test.roots and condition(test, positive) == AVAILABLE:
                placing += bare  # the script's name for availability stands for it everywhere
            score = 100 * placing + (count if test.roots else 0)
            if any(owner is stmt.scope and owner.kind == "function" for _, owner in test.roots):
                score += 100_000
            if score > weight:
                best, weight = (test, positive), score
        return best if best is not None and best[0].roots else None

    def key_at(self, stmt: Stmt) -> tuple[object, ...]:
        """The key of the question that a new device at `stmt` answers."""
        flag = self.flag_at(stmt)
        return AVAILABLE if flag is None else condition(*flag)

    @cached_property
    def _flags(self) -> dict[tuple[Test, bool], tuple[int, int]]:
        """The CUDA questions of the file: how often each is asked, how often to place."""
        seen: dict[tuple[object, ...], tuple[Test, bool]] = {}  # by condition and names
        found: dict[tuple[Test, bool], tuple[int, int]] = {}

        def count(test: Test, positive: bool, placing: bool) -> None:
            slot = seen.setdefault((condition(test, positive), test.roots), (test, positive))
            a, b = found.get(slot, (0, 0))
            found[slot] = (a + 1, b + placing)

        for stmt in self.tree.stmts.values():
            if isinstance(stmt.node, ast.If):
                read = self.tests.read(stmt.node.test, stmt.scope)
                if read is not None:
                    then = any(_places(s.node) for s in stmt.suites[0].stmts)
                    other = len(stmt.suites) > 1 and any(_places(s.node) for s in stmt.suites[1].stmts)
                    if then or other or re.search(r"\bcuda\.", self.facts.text(stmt)):
                        count(read, then or not other, then or other)
        for node, stmt in self.index.conditionals:
            read = self.tests.read(node.test, stmt.scope)
            if read is not None and (_places(node.body) or _places(node.orelse)):
                count(read, _places(node.body), True)
        return found

    def definition(
        self, stmts: Iterable[Stmt], flag: tuple[Test, bool] | None = None, *, any_flag: bool = True
    ) -> tuple[str, tuple[Edit, ...]] | None:
        """The name of a device and the edits that define it for all of `stmts`, or None if none serves them all.

        `flag`: the test the device must honour; by default the script's own, else availability.
        """
        wanted = list(dict.fromkeys(stmts))
        if not wanted:
            return None
        if flag is None and any_flag:
            flag = self.flag_at(wanted[0])
        shared = self._on_self(wanted, flag) or self._hoisted(wanted)
        if shared is not None:
            return shared
        spot = self._spot(wanted, flag)
        if spot is None and flag is not None and any_flag:
            flag = None
            spot = self._spot(wanted, None)
        if spot is None:
            return None
        anchor, where, apart = spot
        name = self._name(wanted, anchor.scope)
        if name is None:
            return None
        torch, imports = self._torch(anchor)
        text = f"{name} = {self._text(torch, flag)}"
        if apart:
            text = f"\n{text}\n"
        return name, (*imports, Insert(self.facts.span(anchor), text, where))

    def _on_self(self, stmts: Sequence[Stmt], flag: tuple[Test, bool] | None) -> tuple[str, tuple[Insert, ...]] | None:
        """``self.device``, beside the flag of the object that several methods ask."""
        if flag is None or len(flag[0].reads) != 1 or len(flag[0].roots) != 1:
            return None
        text, (me, method) = flag[0].reads[0], flag[0].roots[0]
        cls = self_class(method, me)
        attribute = self.facts.settings.device_name
        new = f"{me}.{attribute}"
        if cls is None or text.count(".") != 1 or self.index.writes.get(new) or self.index.texts.get(new) or attribute in cls.bindings:
            return None
        writes = [w.stmt for w in self.index.writes.get(text, ()) if w.stmt.scope.parent is cls]
        if len(writes) != 1 or writes[0].parent is not None or writes[0].scope.name != "__init__":
            return None
        if "__slots__" in cls.bindings or any(b not in ("torch.nn.Module", "builtins.object", "object") for b in self._foreign_bases(cls)):
            return None
        users = {s.guard.stmt.scope for s in self.facts.cuda.sites if s.guard is not None and s.guard.test is not None and s.guard.test.reads == (text,)}
        if len([u for u in users if u.parent is cls]) < 2:
            return None
        for stmt in stmts:
            if stmt.scope.parent is not cls or self.self_name(stmt.scope) != me:
                return None
            if stmt.scope is writes[0].scope:
                if not dominates(writes[0], stmt):
                    return None
            elif self._called_in_init(stmt.scope, writes[0].scope, writes[0]):
                return None
        torch, imports = self._torch(writes[0])
        return new, (*imports, Insert(self.facts.span(writes[0]), f"{new} = {self._text(torch, flag)}", "after"))

    def _hoisted(self, stmts: Sequence[Stmt]) -> tuple[str, tuple[Edit, ...]] | None:
        """The scope's own definition, moved up to its new first use: it stands below it in the same suite."""
        scope = stmts[0].scope
        if any(s.scope is not scope for s in stmts):
            return None
        for after, reach in self._definitions(scope):
            if not reach.agnostic or not isinstance(after.node, (ast.Assign, ast.AnnAssign)) or not _DEVICE.match(reach.text):
                continue
            above = [pair[0] for s in stmts if (pair := common(s, after)) is not None and pair[1] is after and pair[0].index < after.index]
            if len(above) != len(stmts):
                continue
            first = min(above, key=lambda s: s.index)
            reads = [n.id for n in ast.walk(after.node.value) if isinstance(n, ast.Name)] if after.node.value is not None else []
            binders = [b for n in reads for owner in (scope.lookup(n),) if owner is scope for b in self.index.binding(owner, n)]
            tests = [w.stmt for t in (reach.meaning.test.reads if reach.meaning.test is not None else ()) if "." in t for w in self.index.writes.get(t, ())]
            if all(dominates(b, first) for b in (*binders, *tests, *self._env_writes)):
                return reach.text, (Move((self.facts.span(after),), self.facts.span(first)),)
        return None

    def _foreign_bases(self, cls: Scope) -> tuple[str, ...]:
        """The bases of a class that are not of the file, with those of its local bases."""
        found = self.facts.flow.class_info(cls).bases
        return tuple("object" if b == "?" and _only_object(cls) else b for b in found)

    def _text(self, torch: str, flag: tuple[Test, bool] | None) -> str:
        settings = self.facts.settings
        if flag is None:
            if settings.device_idiom == "accelerator" and settings.target_torch >= (2, 7):
                return f'{torch}.accelerator.current_accelerator(check_available=True) or {torch}.device("cpu")'
            return f'{torch}.device("cuda" if {torch}.cuda.is_available() else "cpu")'
        test, positive = flag
        text = test.text if "\n" not in test.text else f"({test.text})"
        return f'{torch}.device("cuda" if {text} else "cpu")' if positive else f'{torch}.device("cpu" if {text} else "cuda")'

    def _torch(self, anchor: Stmt) -> tuple[str, tuple[Insert, ...]]:
        """How to write torch at `anchor`, and the import it takes where there is none."""
        root = self.tree.root
        for scope in (anchor.scope, root):
            for name, names in scope.imports.items():
                if names == {"torch"} and (len(scope.bindings[name]) == 1 or name == "torch") and anchor.scope.lookup(name) is scope:
                    return name, ()
        first = next(
            (
                s
                for s in root.body.stmts
                if (isinstance(s.node, ast.ImportFrom) and (s.node.module or "").partition(".")[0] == "torch" and not s.node.level)
                or (isinstance(s.node, ast.Import) and any(a.name.startswith("torch.") for a in s.node.names))
            ),
            None,
        )
        if first is None:
            head = self._after_imports()
            plain = [s for s in root.body.stmts if isinstance(s.node, ast.Import) and head is not None and s.index <= head.index]
            if plain:
                return "torch", (Insert(self.facts.span(plain[-1]), "import torch", "after"),)
            first = next(s for s in root.body.stmts if not _docstring(s) and not _future(s))
        return "torch", (Insert(self.facts.span(first), "import torch"),)

    def torch_name(self, stmt: Stmt) -> str | None:
        """How torch is named at `stmt`, None where it is not imported as a whole."""
        name, imports = self._torch(stmt)
        return None if imports else name

    def settled(self, test: Test, since: Stmt | None, until: Stmt) -> bool:
        """Whether nothing sets what `test` reads between the statements `since` and `until`."""
        for name, owner in test.roots:
            writers = list(self.index.binding(owner, name))
            for text in test.reads:
                if text.partition(".")[0] == name and "." in text:
                    cls = self_class(owner, name)
                    writers += [
                        w.stmt for w in self.index.writes.get(text, ())
                        if w.stmt.scope.lookup(name) is owner or (cls is not None and w.stmt.scope.parent is cls)
                    ]
            for writer in writers:
                if since is None or since.scope is not writer.scope:
                    if writer.scope is until.scope or writer.scope.kind != "module":
                        return False
                elif not dominates(writer, since):
                    pair = common(writer, since)
                    if pair is None or pair[0].index > pair[1].index or pair[0] is pair[1]:
                        return False
        return True

    def flag_before(self, stmt: Stmt) -> tuple[Test, bool] | None:
        """The script's own flag if it is settled before `stmt` of the same scope."""
        flag = self.flag_at(stmt)
        if flag is None:
            return None
        writers = self._writers(flag, stmt.scope)
        if writers is None or not all(dominates(w, stmt) for w in writers):
            return None
        return flag if all(owner is stmt.scope or owner.kind == "module" for _, owner in flag[0].roots) else None

    def _name(self, stmts: Sequence[Stmt], home: Scope) -> str | None:
        base = self.facts.settings.device_name
        for name in (base, base.upper(), base + "_"):
            if all(self._free(name, s, home) for s in stmts):
                return name
        return None

    def _free(self, name: str, stmt: Stmt, home: Scope) -> bool:
        """Whether a new `name` in `home` means nothing else anywhere on the way to `stmt`."""
        if name in home.bindings:
            return False
        if home.lookup(name) is not None and (home.kind == "module" or not self._may_hide(name, home)):
            return False
        scope: Scope | None = stmt.scope
        while scope is not None and scope is not home:
            if name in scope.bindings:
                return False
            scope = scope.parent
        # a name that is read but bound nowhere here comes from elsewhere
        return not any(s.scope.lookup(name) is None for _, s in self.index.texts.get(name, ()))

    def _may_hide(self, name: str, home: Scope) -> bool:
        """Whether a function may have a device of its own under the name of the module's: it does not read that."""
        module = any(reach.text == name for _, reach in self._definitions(self.tree.root))
        return module and home.lookup(name) is self.tree.root and not any(
            self._within(s.scope, home) for _, s in self.index.texts.get(name, ())
        )

    def _spot(self, stmts: Sequence[Stmt], flag: tuple[Test, bool] | None) -> tuple[Stmt, str, bool] | None:
        """(statement, before/after, with blank lines around) for a definition that reaches all of `stmts`."""
        home = self._deepest([owner for _, owner in flag[0].roots]) if flag is not None else None
        if home is None or home.kind == "module":
            spot = self._module_spot(stmts, flag)
            if spot is not None or any(s.scope.kind != "function" for s in stmts):
                return spot
            homes = {s.scope for s in stmts}
            if len(homes) != 1:
                return None
            home = homes.pop()
        return self._function_spot(home, stmts, flag) if home.kind == "function" else None

    def _deepest(self, owners: Sequence[Scope]) -> Scope | None:
        """The innermost of scopes that lie on one chain."""
        best: Scope | None = None
        for owner in owners:
            inner: Scope | None = owner
            depth = 0
            while inner is not None:
                depth += 1
                inner = inner.parent
            if best is None or depth > self._depth(best):
                best = owner
        return best

    @staticmethod
    def _depth(scope: Scope) -> int:
        depth, inner = 0, scope.parent
        while inner is not None:
            depth, inner = depth + 1, inner.parent
        return depth + 1

    def _writers(self, flag: tuple[Test, bool] | None, home: Scope) -> list[Stmt] | None:
        """The statements that set what the flag reads; None when some stand elsewhere than in `home`."""
        if flag is None:
            return []
        found: list[Stmt] = []
        for name, owner in flag[0].roots:
            found += [s for s in self.index.binding(owner, name) if owner is home]
        for text in flag[0].reads:
            if "." not in text:
                continue
            root = text.partition(".")[0]
            for write in self.index.writes.get(text, ()):
                scope = write.stmt.scope
                if scope is home:
                    found.append(write.stmt)
                elif scope.lookup(root) is home.lookup(root):
                    return None
        return found

    def _module_spot(self, stmts: Sequence[Stmt], flag: tuple[Test, bool] | None) -> tuple[Stmt, str, bool] | None:
        root = self.tree.root
        if flag is None and not self.script and not any(s.scope is root for s in stmts):
            return None
        if any(s.scope is not root for s in self._env_writes):
            return None
        writers = self._writers(flag, root)
        if writers is None:
            return None
        late = [*writers, *self._env_writes]
        if not late:
            inside = self._in_main_guard(stmts)
            if inside is not None:
                return inside, "before", False
            anchor = self._after_imports()
            if anchor is None:
                return self._before_first(stmts)
            return (anchor, "after", True) if self._serves(anchor, stmts) else None
        # lift to the suite they share: the module, or the main guard's
        last = late[0]
        for stmt in late[1:]:
            pair = common(last, stmt) or (self._lifted(last), self._lifted(stmt))
            last = max(pair, key=lambda s: s.index)
        if last.parent is not None and not is_main_guard(last.parent):
            last = self._lifted(last)
        imports = self._after_imports()
        if imports is not None and last.suite is imports.suite and last.index <= imports.index:
            return (imports, "after", True) if self._serves(imports, stmts) else None
        return (last, "after", False) if self._serves(last, stmts) else None

    def _lifted(self, stmt: Stmt) -> Stmt:
        """The statement of the module's (or the main guard's) suite around `stmt`."""
        for ancestor in stmt.ancestors():
            if ancestor.parent is None or is_main_guard(ancestor.parent):
                return ancestor
        return stmt

    def _in_main_guard(self, stmts: Sequence[Stmt]) -> Stmt | None:
        """The first use inside ``if __name__ == "__main__":`` when there are no others."""
        root = self.tree.root
        wanted = [*stmts, *(s.stmt for s in self.facts.cuda.sites if s.form != "definition")]
        if any(s.scope is not root for s in wanted):
            return None
        lifted = [self._lifted(s) for s in wanted]
        first = min(lifted, key=lambda s: s.index)
        if first.parent is None or any(s.suite is not first.suite for s in lifted):
            return None
        return first

    def _serves(self, anchor: Stmt, stmts: Iterable[Stmt]) -> bool:
        """Whether code right after `anchor` runs before all of `stmts`."""
        for stmt in stmts:
            if stmt.scope is anchor.scope:
                if not dominates(anchor, stmt):
                    return False
            elif anchor.parent is not None and not self._reads_already(self._lifted_to_top(stmt), anchor):
                return False  # whoever imports the file has no such name
            elif self.called_before(stmt, anchor):
                return False
        return True

    def _lifted_to_top(self, stmt: Stmt) -> Stmt:
        """The top-level function or class around a statement."""
        while stmt.scope.parent is not None:
            stmt = self.tree.stmts[stmt.scope.node]  # type: ignore[index]
        return stmt

    def _before_first(self, stmts: Sequence[Stmt]) -> tuple[Stmt, str, bool] | None:
        first = next((s for s in self.tree.root.body.stmts if not _docstring(s) and not _future(s)), None)
        return (first, "before", False) if first is not None and all(s.scope is not self.tree.root or s is not first for s in stmts) else None

    def _after_imports(self) -> Stmt | None:
        """The last statement of the imports at the head of the file, torch's among them."""
        last: Stmt | None = None
        others = 0
        torch = False
        for stmt in self.tree.root.body.stmts:
            node = stmt.node
            if isinstance(node, (ast.Import, ast.ImportFrom)) or (isinstance(node, ast.Try) and _imports_only(stmt)):
                if last is not None and others > 3 and torch:
                    break
                last, others = stmt, 0
                torch = torch or "torch" in self.facts.text(stmt)
            elif torch and isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.For, ast.While, ast.With)):
                break
            else:
                others += 1
        return last

    @cached_property
    def _env_writes(self) -> list[Stmt]:
        """Statements that choose the visible GPUs: CUDA must not be asked before them."""
        if "CUDA_VISIBLE_DEVICES" not in self.tree.source.text:
            return []
        found = []
        for stmt in self.tree.stmts.values():
            node = stmt.node
            if isinstance(node, (ast.Assign, ast.Expr, ast.AugAssign)) and "CUDA_VISIBLE_DEVICES" in self.facts.text(stmt):
                if isinstance(node, ast.Expr) and (isinstance(node.value, ast.Constant) or not re.search(r"environ|putenv", self.facts.text(stmt))):
                    continue
                if isinstance(node, ast.Assign) and not any("CUDA_VISIBLE" in self.tree.source.code(t) for t in node.targets):
                    continue
                found.append(stmt)
        return found

    def _function_spot(self, home: Scope, stmts: Sequence[Stmt], flag: tuple[Test, bool] | None) -> tuple[Stmt, str, bool] | None:
        """Before the first use in the function, out of its loops, where the flag is known."""
        writers = self._writers(flag, home)
        lifted = [self._lifted_to(home, s) for s in (*stmts, *self._companions(home, flag))]
        if writers is None or any(s is None for s in lifted):
            return None
        writers += [s for s in self._env_writes if s.scope is home]
        anchor = first = lifted[0]
        assert anchor is not None and first is not None
        for stmt in lifted[1:]:
            assert stmt is not None
            pair = common(anchor, stmt)
            assert pair is not None
            anchor = min(pair, key=lambda s: s.index)
        for owner in list(anchor.ancestors()):
            if isinstance(owner.node, (ast.For, ast.While, ast.AsyncFor)) and owner is not anchor:
                if any(owner in w.ancestors() for w in writers):
                    break
                anchor = owner
        while anchor.parent is not None and self.facts.source.text.startswith("elif", self.facts.span(anchor).start):
            anchor = anchor.parent
        for writer in writers:
            pair = common(writer, anchor)
            if pair is None or pair[0].index >= pair[1].index:
                return None
        return anchor, "before", False

    def _lifted_to(self, home: Scope, stmt: Stmt) -> Stmt | None:
        """The statement of `home` that holds `stmt`, which may stand in a function inside."""
        while stmt.scope is not home:
            if stmt.scope.parent is None:
                return None
            stmt = self.tree.stmts[stmt.scope.node]  # type: ignore[index]
        return stmt

    def _companions(self, home: Scope, flag: tuple[Test, bool] | None) -> list[Stmt]:
        """The other hard-coded uses in a function that the same definition will serve."""
        key = AVAILABLE if flag is None else condition(*flag)
        found = []
        for site in self.facts.cuda.sites:
            if site.form == "definition" or not self._within(site.stmt.scope, home):
                continue
            guard = site.guard
            if guard is None:
                if self.key_at(site.stmt) == key:
                    found.append(site.stmt)
            elif guard.test is not None and condition(guard.test, guard.positive) == key:
                found.append(guard.stmt)
        return found


def _places(node: ast.AST) -> bool:
    return any(isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr in ("cuda", "to") for n in ast.walk(node))


def _only_object(cls: Scope) -> bool:
    bases = getattr(cls.node, "bases", [])
    return all(isinstance(b, ast.Name) and b.id == "object" for b in bases)


def _docstring(stmt: Stmt) -> bool:
    node = stmt.node
    return stmt.index == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _future(stmt: Stmt) -> bool:
    return isinstance(stmt.node, ast.ImportFrom) and stmt.node.module == "__future__"


def _imports_only(stmt: Stmt) -> bool:
    return all(isinstance(s.node, (ast.Import, ast.ImportFrom, ast.Assign, ast.Pass)) for suite in stmt.suites for s in suite.stmts) and any(
        isinstance(s.node, (ast.Import, ast.ImportFrom)) for suite in stmt.suites for s in suite.stmts
    )


def device_at(facts: Facts, stmt: Stmt) -> Reach | None:
    """The device expression in reach of `stmt` that code may be moved onto, or None."""
    reach = facts.devices.at(stmt)
    return reach if reach is not None and (reach.agnostic or reach.used or reach.meaning.kind == "other") else None


def definition(facts: Facts, stmts: Sequence[Stmt]) -> tuple[str, tuple[Edit, ...]] | None:
    """A device for all of `stmts`: its name and the edits that define it; None if no place serves them all."""
    return facts.devices.definition(stmts)
