"""Tensors that a function treats alike and moves to a device, but for one.

If one statement unpacks two tensors, or two statements make them with the same text, and one is moved and the other is
not, and they are used together later, the other was forgotten: unless it is on the device already, which the file need not show.
"""

from __future__ import annotations

import ast
import re
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from placefix import torch_model
from placefix.diagnostic import Insert
from placefix.facts import premises, reasons
from placefix.facts.finding import Finding
from placefix.facts.interpret.flow import Flow
from placefix.facts.interpret.forward_parameters import forward_argument
from placefix.facts.naming import mentions_modules, names_lengths
from placefix.facts.program.ast_names import argument_values, dotted, is_name, may_give, parameters
from placefix.facts.program.ast_walk import header, walk
from placefix.facts.program.device_values import move_destination
from placefix.prefilter.source_patterns import MOVES_TO_NAMED
from placefix.rules.tensors.creations import depends_on_place, factory_call, is_moved
from placefix.rules.tensors.sibling_evidence import DeviceTests, SiblingEvidence
from placefix.rules.tensors.tensor_moves import moved, scatters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Edit
    from placefix.facts.context import AnalysisContext
    from placefix.facts.program.expression_index import AttributeWrite, Index
    from placefix.facts.program.tree import Scope, Stmt
    from placefix.facts.wording import Doubt

_MOVES = re.compile(MOVES_TO_NAMED)


class _Move(NamedTuple):
    """``x = x.to(device)``, or ``x = f(y).to(device)``: the text of the device (".cuda()"), the call, the moved expression."""

    device: str
    write: AttributeWrite
    moved: ast.expr


class SiblingTensors:
    """Answers for one file."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self._shapes: dict[tuple[str, Scope], list[tuple[object, str]]] = {}
        self._likes: dict[Scope, dict[object, list[tuple[int, str]]]] = {}

    def forgotten(self) -> Iterator[Finding]:
        """Unmoved tensors that meet moved ones, in functions that move similar tensors."""
        text = self.context.source.text
        if not _MOVES.search(text) or scatters(self.context):
            return
        for scope, moves in self._moved.items():
            if scope.is_class or self.context.get(DeviceTests).are_in(scope, choices=False):
                continue
            for name in [n for n in self._names(scope) if n not in moves]:
                found = self._forgotten(name, scope, moves)
                if found is not None:
                    yield found

    @cached_property
    def index(self) -> Index:
        """The expressions of the file."""
        return self.context.index

    @cached_property
    def _moved(self) -> dict[Scope, dict[str, _Move]]:
        """Assignments that move their value to a device, by scope and name."""
        found: dict[Scope, dict[str, _Move]] = {}
        for text, writes in self.index.writes.items():
            for write in writes if "." not in text else ():
                move = _move(write)
                if move is not None:
                    found.setdefault(write.stmt.scope, {})[text] = move
        return found

    def _names(self, scope: Scope) -> list[str]:
        given = list(parameters(scope.function.args)) if scope.is_function else []
        return list(dict.fromkeys((*given, *self.index.binders.get(scope, ()))))

    def _forgotten(self, name: str, scope: Scope, moves: dict[str, _Move]) -> Finding | None:
        shape = self._shape(name, scope)
        for other in self._alike(name, scope, moves):
            move = moves[other]
            beside = self._beside(name, other, scope)
            if beside is None and not (shape and self._shape(other, scope) == shape):
                continue
            if names_lengths(name) or any(uses(name, scope, self.index) for uses in (depends_on_place, is_moved)):
                return None
            if self._meets(name, other, scope, moves) or self._twin(name, other, scope, move):
                value = beside if beside is not None and self._first(other, scope) is move.write else None
                found = self._repaired(name, other, move, value)
                return found._replace(doubt=self._doubt(beside, scope, move.device))
        return None

    def _repaired(self, name: str, other: str, move: _Move, value: ast.expr | None) -> Finding:
        """A name whose value is not moved. value: made in the line beside the move of the other one; else a line behind that moves it as well."""
        span = self.context.span(move.write.stmt)
        edits: tuple[Edit, ...] = ()
        if value is not None:
            span, edits = self.context.span(value), (moved(self.context.source, value, move.device),)
        elif not _is_tested(other, move.write.stmt):
            call = move.device if move.device.startswith(".") else f".to({move.device})"
            edits = (Insert(span, f"{name} = {name}{call}", "after"),)
        assumed = (premises.BOUND_ALIKE(name=name, other=other),) if edits else ()
        why_not = None if edits else reasons.MOVED_UNDER_A_TEST(name=other)
        return Finding(span, "", edits, assumed, why_not, device=move.device, names=(name,))

    def _doubt(self, beside: ast.expr | None, scope: Scope, device: str) -> Doubt | None:
        """Why nothing may fail: without a factory of torch in the line beside, the device is not seen."""
        if beside is not None and self._made_of(beside, scope) is not None:
            return premises.DIMENSION_NOT_SEEN
        if isinstance(beside, ast.Call) and torch_model.is_factory(self.context.tree.qualname(beside.func, scope)):
            return premises.NOTHING_FAILS_ON_CPU if re.fullmatch(r"(?!self\.)\w+\.device", device) else None
        return premises.DEVICE_NOT_SEEN

    def _alike(self, name: str, scope: Scope, moves: dict[str, _Move]) -> list[str]:
        """Those of `moves`, in their order, that may be bound in the same way as a name: in a statement next to its own, with the
        same text, or made of the same thing."""
        if scope not in self._likes:
            likes = self._likes[scope] = {}
            for number, other in enumerate(moves):
                writes = self.index.values(scope, other)
                made = self._made_of(moves[other].moved, scope)
                for key in (*(w.stmt for w in writes), tuple(self._shape(other, scope)), made and made[:2]):
                    likes.setdefault(key, []).append((number, other))
        likes, shape = self._likes[scope], self._shape(name, scope)
        keys: list[object] = [tuple(shape)] if shape else []
        for write in self.index.values(scope, name)[:1]:
            at, stmts = write.stmt.index, write.stmt.suite.stmts
            keys += [*stmts[max(at - 1, 0) : at], *stmts[at + 1 : at + 2]]
            made = self._made_of(write.value, scope) if write.value is not None else None
            keys += [made[:2]] if made is not None else []
        return [other for _, other in sorted({pair for key in keys for pair in likes.get(key, ())})]

    def _shape(self, name: str, scope: Scope) -> list[tuple[object, str]]:
        """`_shape_of`, found out once: each name is compared with every one that is moved."""
        key = name, scope
        if key not in self._shapes:
            self._shapes[key] = self._shape_of(name, scope)
        return self._shapes[key]

    def _shape_of(self, name: str, scope: Scope) -> list[tuple[object, str]]:
        """The bindings of a name, without its move, as text with the name replaced: equal for names that are treated alike.
        Empty if it has other bindings than assignments, or no other name is bound with it."""
        writes = self.index.values(scope, name)
        if len(writes) != len(self.index.binding(scope, name)):
            return []
        together = any(write.value is None for write in writes)  # one statement unpacks both
        back = scope.is_function and name in parameters(scope.function.args)  # both are given, and taken back
        if not together and not back:
            return []  # before the words are made
        shape: list[tuple[object, str]] = []
        for write in writes:
            move = _move(write)
            value = move.moved if move is not None else write.value
            if value is not None and not is_name(value, name):
                shape.append((write.stmt.suite, _worded(value, name)))
            elif value is None:
                shape.append((write.stmt, ""))
        return shape

    def _beside(self, name: str, other: str, scope: Scope) -> ast.expr | None:
        """The value assigned to a name, if the next statement, or the one before, assigns a moved value to another name that is the
        same but for names and numbers; or if one statement list makes both from parts of one thing."""
        mine, others = self._first(name, scope), self._first(other, scope)
        if mine is None or others is None or mine.value is None or others.value is None:
            return None
        move = _move(others)
        one, two, value = mine.stmt, others.stmt, move.moved if move is not None else others.value
        if one.suite is not two.suite:
            return None
        alone = len(self.index.values(scope, name)) == len(self.index.values(scope, other)) == 1
        if alone and move is not None and self._of_one_thing(mine.value, value, scope):
            return mine.value
        words = _form(mine.value) if abs(one.index - two.index) == 1 else ""
        return mine.value if words and words == _form(value) else None

    def _first(self, name: str, scope: Scope) -> AttributeWrite | None:
        """The only assignment that does not compute the value of a name of its former one: ``x = x.to(device)`` does."""
        writes = self.index.values(scope, name)
        made = [w for w in writes if w.value is None or all(not is_name(part, name) for part in walk(w.value))]
        return made[0] if len(made) == 1 and len(writes) == len(self.index.binding(scope, name)) else None

    def _of_one_thing(self, value: ast.expr, other: ast.expr, scope: Scope) -> bool:
        """Whether two values are made in the same way from parts of one thing: ``torch.tensor(batch.reward)`` and
        ``torch.tensor(batch.done).float()``, or from names that one statement unpacks."""
        first, second = self._made_of(value, scope), self._made_of(other, scope)
        return first is not None and second is not None and first[:2] == second[:2] and first != second

    def _made_of(self, value: ast.expr, scope: Scope) -> tuple[str, object, str] | None:
        """The factory, the thing and the part of it that a tensor is made from; None for other values."""
        made = factory_call(value, scope)
        if made is None or made.destination or torch_model.fills(made.factory) or may_give(made.call, "device"):
            return None
        part = self._part(made.call.args[0], scope) if made.call.args else None
        return (made.factory, *part) if part is not None else None

    def _part(self, data: ast.expr, scope: Scope) -> tuple[object, str] | None:
        """The thing that an expression is a part of, as text or the statement that unpacks it, and the part; None for others."""
        if isinstance(data, ast.Attribute) and dotted(data.value):
            return dotted(data.value), data.attr
        if isinstance(data, ast.Subscript) and dotted(data.value) and isinstance(data.slice, ast.Constant):
            return dotted(data.value), str(data.slice.value)
        bound = self.index.binding(scope, data.id) if isinstance(data, ast.Name) else []
        if not isinstance(data, ast.Name) or len(bound) != 1 or not isinstance(bound[0].node, ast.Assign):
            return None
        is_alone = any(is_name(target, data.id) for target in bound[0].node.targets)
        return None if is_alone else (bound[0], data.id)  # several names are bound to parts of one value

    # --- common operations ----------------------------------------------------------------------

    def meets_moved(self, name: str, device: str, scope: Scope) -> bool:
        """Whether a function uses the value of `name` together with a value that it moves to a device."""
        moves = self._moved.get(scope, {})
        other = next((n for n, move in moves.items() if n != name and move.device == device), "")
        return bool(other) and name not in moves and self._meets(name, other, scope, moves)

    def _meets(self, name: str, other: str, scope: Scope, moves: dict[str, _Move]) -> bool:
        """Whether an operation has both the unmoved and a moved value as operands, or one module is called with each of them."""
        placed = {n for n, m in moves.items() if m.device == moves[other].device}
        for stmt in self.context.tree.stmts.values():
            for node in [n for part in header(stmt.node) for n in walk(part)] if stmt.scope is scope else ():
                sides = [self._origins(o, scope, {name, *placed}) for o in self._operands(node, scope)]
                if any(name in s and not s & placed for s in sides) and any(
                    s & placed and name not in s for s in sides
                ):
                    return True
        return self._are_passed_alike(name, other, scope)

    def _are_passed_alike(self, name: str, other: str, scope: Scope) -> bool:
        """Whether a call that needs both on one device gets them, or a module is called with each of them, and the same besides."""
        fed: dict[str, set[str]] = {}
        for call in [call for call, stmt in self.index.calls if stmt.scope is scope and call.args]:
            given = {a.id for a in argument_values(call) if isinstance(a, ast.Name)}
            if {name, other} <= given and self._takes_together(call, name, scope):
                return True
            if isinstance(call.args[0], ast.Name) and self._is_of_module(call, scope):
                rest = (ast.dump(part) for part in (call.func, *call.args[1:], *call.keywords))
                fed.setdefault(" ".join(rest), set()).add(call.args[0].id)
        return any({name, other} <= names for names in fed.values())

    def _is_of_module(self, call: ast.Call, scope: Scope) -> bool:
        """Whether a call is that of a module, or of a method of one by its name."""
        from placefix.rules.cuda.device_agreement import Meets

        owner = dotted(call.func).rpartition(".")[0]
        return self.context.get(Meets).is_module(call, scope) or mentions_modules(owner)

    def _takes_together(self, call: ast.Call, name: str, scope: Scope) -> bool:
        """Whether a call needs a tensor of this name where its others are: one of a module whose `forward` uses it as a tensor, or of an operator
        of torch that the model does not have."""
        if (self.context.tree.qualname(call.func, scope) or "").startswith("torch.ops."):
            return True
        info = next((e.obj.root().cls for e in self.context.get(Flow).index.of_node("call", call)), None)
        places: list[tuple[int, str | None, ast.expr]] = [(n, None, given) for n, given in enumerate(call.args)]
        places += [(-1, keyword.arg, keyword.value) for keyword in call.keywords]
        return info is not None and any(
            forward_argument(info, position, keyword) == "tensor"
            for position, keyword, given in places
            if is_name(given, name)
        )

    def _twin(self, name: str, other: str, scope: Scope, move: _Move) -> bool:
        """Whether another function of the file, which moves both, calls the same with them in the same words."""
        twins = [
            s
            for s, m in self._moved.items()
            if s is not scope and all(n in m and m[n].device == move.device for n in (name, other))
        ]
        words = [
            (ast.dump(c), s.scope)
            for c, s in self.index.calls
            if twins and {name, other} <= {a.id for a in c.args if isinstance(a, ast.Name)}
        ]
        return any(said == theirs and own is scope and twin in twins for said, own in words for theirs, twin in words)

    def _operands(self, node: ast.AST, scope: Scope) -> list[ast.expr]:
        """The tensors that an operator or a function of torch needs on one device."""
        if isinstance(node, ast.BinOp):
            return [node.left, node.right]
        if isinstance(node, ast.Compare):
            return [node.left, *node.comparators]
        if isinstance(node, ast.Call):
            called = self.context.tree.qualname(node.func, scope) or ""
            if torch_model.computes_tensor(called):
                given = [a for position, a in enumerate(node.args) if torch_model.meets(called, position)]
                return [part for a in given for part in (a.elts if isinstance(a, (ast.List, ast.Tuple)) else [a])]
        return []

    def _origins(self, value: ast.expr, scope: Scope, wanted: set[str], depth: int = 0) -> set[str]:
        """Those of `wanted` that an expression is computed of, through names that are bound once."""
        found: set[str] = set()
        for leaf in self.context.get(SiblingEvidence).leaves(value, scope):
            if leaf.id in wanted:
                found.add(leaf.id)
                continue
            writes = self.index.values(scope, leaf.id)
            if (
                depth < 6
                and len(writes) == len(self.index.binding(scope, leaf.id)) == 1
                and writes[0].value is not None
            ):
                found |= self._origins(writes[0].value, scope, wanted, depth + 1)
        return found


def _move(write: AttributeWrite) -> _Move | None:
    device = move_destination(write.value)
    return _Move(device, write, write.value.func.value) if device else None  # type: ignore[union-attr]


def _is_tested(name: str, stmt: Stmt) -> bool:
    """Whether a statement runs only if a test of the value of a name allows it: ``if x is not None: x = x.to(device)``."""
    tests = (outer.node.test for outer in stmt.ancestors() if isinstance(outer.node, ast.If))
    return any(is_name(part, name) for test in tests for part in walk(test))


def _worded(value: ast.expr, name: str) -> str:
    return ast.dump(value).replace(f"id='{name}'", "id=''")


def _form(value: ast.expr) -> str:
    """The words of an expression that holds calls or items, without its constants and the numbers in its names."""
    if not any(isinstance(part, (ast.Call, ast.Subscript)) for part in walk(value)):
        return ""
    return re.sub(r"value=(?:\d+|'[^']*')|\d+", "", ast.dump(value))
