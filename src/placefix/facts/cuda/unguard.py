"""Guards around hard-coded CUDA: which of them say no more than what a device says.

``if use_cuda: x = x.cuda()`` is ``x = x.to(device)`` when the device is CUDA under that very
test and the other arm does nothing else. A guard that does more stays, and only the calls in
it are respelled.
"""

from __future__ import annotations

import ast
import copy
import re
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.diagnostic import Delete, Insert, Replace, Span, Unwrap
from placefix.facts.cuda.follows import anchor, follow
from placefix.facts.cuda.handed import doubt
from placefix.facts.cuda.held import held
from placefix.facts.cuda.numbered import apart_from, numbered
from placefix.facts.cuda.numbered import choice as numbered_choice
from placefix.facts.cuda.respell import Choice, Finding
from placefix.facts.cuda.typed import TYPED, is_type, typed, unplaced
from placefix.facts.devices.absent import may_be_none
from placefix.facts.devices.choice import condition
from placefix.facts.devices.present import absent
from placefix.facts.program.children import walk
from placefix.facts.program.guards import AVAILABLE, device_asked, one_of_several
from placefix.facts.program.names import dotted
from placefix.lazy import NamedTuple, pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from placefix.diagnostic import Edit
    from placefix.facts import Facts
    from placefix.facts.cuda.numbered import Numbered
    from placefix.facts.cuda.sites import Guard, Site
    from placefix.facts.devices.choice import Reach
    from placefix.facts.program.guards import Test
    from placefix.facts.program.tree import Stmt


# Flags that are true when CUDA is not to be used.
_NEGATIVE = pattern(r"cpu|(^|[_.])(no|disable|without)_?", re.IGNORECASE)
_RELISTED = "without CUDA its items were handed on in what holds them, and are in a new list now"


class Guarded(NamedTuple):
    """A guard, what is found about it, and whether the guard itself goes."""

    finding: Finding
    collapses: bool
    test: str


class Moved(NamedTuple):
    """The edits that respell the moves of a guard, what they take for granted; or why there are none."""

    edits: tuple[Replace, ...] = ()
    premise: str = ""
    why_not: str = ""


class Unguard:
    """PF403 for one file."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.cuda = facts.cuda
        self.devices = facts.devices
        self.respell = facts.respell
        self.why_kept: dict[ast.AST, str] = {}  # why the moves of a guard that does more stay in it
        self._numbers: dict[ast.AST, Numbered] = {}  # of guards that place on a GPU by its number

    @cached_property
    def _groups(self) -> dict[ast.AST, list[Site]]:
        """The moves by the guard around them."""
        groups: dict[ast.AST, list[Site]] = {}
        for site in self.cuda.sites:
            if site.guard is not None and site.form in ("cuda", "to"):
                groups.setdefault(site.guard.node, []).append(site)
        return groups

    @cached_property
    def _typed(self) -> dict[ast.AST, list[Site]]:
        """The uses of tensor types by the guard around them, where another arm may make the same on the CPU."""
        return {node: sites for node, sites in typed(self.facts).items() if isinstance(node, ast.IfExp) or self._other_arm(sites[0])}

    def _other_arm(self, site: Site) -> list[Stmt]:
        """The statements that run where the guard of a site does not, the `return` behind it among them."""
        assert site.guard is not None
        mine, others = self._arms(site.guard)
        behind = self._return_behind(site.guard.stmt, mine) if not others else None
        return [behind] if behind is not None else others

    def of_types(self) -> Iterator[Guarded]:
        """Every guard that makes tensors by types only, and in its other arm the same on the CPU."""
        for node, sites in self._typed.items():
            guard = sites[0].guard
            if node in self._groups or guard is None or guard.test is None or any(self.cuda.required(s) for s in sites):
                continue
            found = self._conditional(node, guard, sites) if isinstance(node, ast.IfExp) else self._if(guard, sites)
            if found is not None and found.collapses:
                yield found

    def collapses(self, site: Site) -> bool:
        """Whether the guard around the use of a tensor type says no more than where things are made."""
        guard = site.guard
        if guard is None or guard.node not in self._typed:
            return False
        sites = [*self._groups.get(guard.node, ()), *self._typed[guard.node]]
        if isinstance(guard.node, ast.IfExp):
            return True
        return self._pure(self._arms(guard)[0], self._other_arm(site), sites)[0]

    def does_more(self, guard: Guard) -> bool:
        """Whether an ``if`` with nothing in its other arm does more than place: it is right, and may stay."""
        mine, others = self._arms(guard)
        sites = self._groups.get(guard.node, [])
        return not others and (self._in_chain(guard.stmt) or not self._pure(mine, others, sites)[0])

    @staticmethod
    def _arms(guard: Guard) -> tuple[list[Stmt], list[Stmt]]:
        """The statements of the arm that places, and of the other."""
        suites = guard.stmt.suites
        mine = next(s for s in suites if s.arm == guard.arm).stmts
        return mine, [s for suite in suites if suite.arm != guard.arm for s in suite.stmts]

    def guards(self) -> Iterator[Guarded]:
        """Every guard that holds a hard-coded move and asks a pure CUDA question."""
        for node, moves in self._groups.items():
            guard = moves[0].guard
            assert guard is not None
            sites = [*moves, *self._typed.get(node, ())]
            if any(self.cuda.required(s) for s in sites):
                continue
            number = numbered(self.facts, guard, sites)
            if number is not None:
                self._numbers[node] = number
                guard = guard._replace(test=number.test)
            if guard.test is None:
                part = self._followed(guard, sites) or (self._conjunct(guard, sites) if isinstance(node, ast.If) else None)
                if part is not None:
                    yield part
                continue
            if all(s.form == "to" and self.respell.index_reason(s) for s in sites):
                continue  # a guarded move to one particular GPU is right as it stands
            if isinstance(node, ast.IfExp):
                yield self._conditional(node, guard, sites)
            else:
                found = self._if(guard, sites)
                if found is not None:
                    yield found

    # --- statements ------------------------------------------------------------------------------

    def _if(self, guard: Guard, sites: list[Site]) -> Guarded | None:
        node, stmt = guard.node, guard.stmt
        assert isinstance(node, ast.If) and guard.test is not None
        span = Span(self.facts.span(stmt).start, self.facts.span(node.test).end)
        what = f"`if {guard.test.text}:`" if "\n" not in guard.test.text else "the guard"
        test = guard.test.text

        def refused(reason: str) -> Guarded:
            return Guarded(Finding(span, what, why_not=reason), False, test)

        done: tuple[Edit, ...]
        mine, others = self._arms(guard)
        behind = self._return_behind(stmt, mine) if not others else None
        others = others or ([behind] if behind is not None else [])
        arm_is_cuda = guard.positive != guard.test.negated
        if any(s.guard is not None and s.guard.arm != guard.arm for s in sites):
            return refused("both arms place on CUDA")
        if not arm_is_cuda and node not in self._numbers and (guard.test.available or not _NEGATIVE.search(test)):
            return refused("the arm that places on CUDA is the one without it")
        pure, reason = self._pure(mine, others, sites)
        if not pure and behind is not None:
            behind, others = None, []
        beside = self._beside_guard(guard, mine, others, sites) or self._split(guard, mine, others, sites) if not pure and behind is None else None
        if beside is not None:
            return Guarded(beside._replace(span=span, what=what), False, test)
        if not pure and others and reason:
            asked = self._as_asked(guard, others, sites)
            return Guarded(asked._replace(span=span, what=what), False, test) if asked is not None else refused(reason)
        last = pure and not others and node not in self._numbers and self._last_of_chain(stmt)
        collapses = pure and not self._in_chain(stmt)
        choice = self._choice(guard, stmt, make=collapses or last, only=self._own_question(guard, sites))
        if choice is None:
            return None  # the guard is right, and stays
        if choice.why_not:
            return refused(choice.why_not)
        moved = self._moved(sites, choice, everywhere=collapses or last, back=_brings_back(others, sites))
        if moved.why_not:
            return refused(moved.why_not)
        if last:
            head = Span(self.facts.span(stmt).start, self.facts.span(node.test).end)
            done = (*choice.inserts, Replace(head, "else", self.facts.source.segment(head)), *moved.edits)
            return Guarded(Finding(span, what, done, moved.premise, "", choice.text), True, test)
        if collapses:
            keep = tuple(self.facts.span(s) for s in mine if not _nothing(s.node))
            gone = (Delete((self.facts.span(behind),)),) if behind is not None else ()
            done = (*choice.inserts, Unwrap(self.facts.span(stmt), keep, moved.edits), *gone, *self._flag(guard, choice))
            return Guarded(Finding(span, what, done, moved.premise or reason, "", choice.text), True, test)
        return Guarded(Finding(span, what, (*choice.inserts, *moved.edits), moved.premise, "", choice.text), False, test)

    def _flag(self, guard: Guard, choice: Choice) -> tuple[Edit, ...]:
        """What goes with a guard for which a device is at hand: the flag that it asks, if nothing else does."""
        from placefix.facts.cuda.flags import unread

        return unread(self.facts, guard) if not choice.inserts else ()

    def _beside_guard(
        self, guard: Guard, mine: Sequence[Stmt], others: Sequence[Stmt], sites: Sequence[Site]
    ) -> Finding | None:
        """The placements taken out of a guard that keeps the rest; None where they do not all go."""
        from placefix.facts.cuda.lifts import apart, lift, lines

        if self._in_chain(guard.stmt):
            return None
        moves = {s.node for s in sites}
        ways = lift(self.facts, guard.stmt, mine, lambda node: self._places_only(node, moves))
        found = next((way for way in ways if (way.before or way.after) and apart(self.facts, way, others)), None)
        if found is None:
            return None
        gone = [*found.before, *found.after]
        inside = {part for s in gone for part in (s, *(p for suite in s.suites for p in suite.stmts))}
        left = [s for s in sites if s.stmt not in inside]
        choice = self._choice(guard, guard.stmt, make=False) if left else None
        if choice is not None and not choice.why_not:
            return None  # with a device at hand all of it is respelled where it stands
        choice = self._choice(guard, guard.stmt, make=True)
        assert choice is not None
        moved = self._moved([s for s in sites if s.stmt in inside], choice, everywhere=True) if not choice.why_not else Moved()
        stay = self._moved(left, choice, everywhere=False) if not choice.why_not else Moved()
        if why_not := choice.why_not or moved.why_not or stay.why_not:
            self.why_kept[guard.node] = why_not
            return None
        inserts = [
            Insert(
                self.facts.span(guard.stmt), "\n".join(lines(self.facts, s, self._rewritten(self.facts.span(s), moved.edits)) for s in stmts), at
            )
            for stmts, at in ((found.before, "under"), (found.after, "after"))
            if stmts
        ]
        edits = (*choice.inserts, *inserts, Delete(tuple(self.facts.span(s) for s in gone)), *stay.edits)
        return Finding(Span(0, 0), "", edits, moved.premise or stay.premise, "", choice.text)

    def _split(self, guard: Guard, mine: Sequence[Stmt], others: Sequence[Stmt], sites: Sequence[Site]) -> Finding | None:
        """The move of ``x = x.cuda().half()`` in front of a guard that keeps the rest of it; None where it has to stay, or a
        device is at hand, with which it is respelled where it stands."""
        from placefix.facts.cuda.lifts import chained

        name = chained(self.facts, mine[0], sites[0].node) if len(sites) == 1 and not others and not self._in_chain(guard.stmt) else ""
        if not name or self._choice(guard, guard.stmt, make=False) is not None:
            return None
        choice = self._choice(guard, guard.stmt, make=True)
        assert choice is not None
        moved = self._moved(sites, choice, everywhere=True) if not choice.why_not else Moved(why_not=choice.why_not)
        if moved.why_not:
            self.why_kept[guard.node] = moved.why_not
            return None
        move = self.facts.span(sites[0].node)
        above = Insert(self.facts.span(guard.stmt), f"{name} = {self._rewritten(move, moved.edits)}", "under")
        premise = moved.premise or f"`{name}` is moved by a statement of its own now, in front of the guard"
        return Finding(Span(0, 0), "", (*choice.inserts, above, Replace(move, name, self.facts.source.segment(move))), premise, "", choice.text)

    def _as_asked(self, guard: Guard, others: Sequence[Stmt], sites: Sequence[Site]) -> Finding | None:
        """The moves of one arm of several, to the device whose name the guard asks; None where they do not all go."""
        from placefix.facts.cuda.asked import asked, choice

        device = asked(self.facts, guard)
        if not device or any(isinstance(s.node, ast.Raise) for s in others):
            return None
        edits: list[Edit] = []
        premise = ""
        for site in sites:
            moved = self._moved([site], choice(self.facts, site, device), everywhere=False)
            if moved.why_not:
                return None
            edits += moved.edits
            premise = premise or moved.premise
        return Finding(Span(0, 0), "", tuple(edits), premise, "", device)

    def _followed(self, guard: Guard, sites: Sequence[Site]) -> Guarded | None:
        """A guard that asks where something lies, with moves that follow it; None where it asks something else, or they
        have to stay."""
        found = anchor(self.facts, guard)
        if found is None or any(s.form != "cuda" or s.guard is None or s.guard.arm != guard.arm for s in sites):
            return None
        moves = [(s, follow(self.facts, s, found)) for s in sites]
        done = [(s, m) for s, m in moves if not m.why_not]
        if len(done) < len(moves):
            self.why_kept[guard.node] = next(m.why_not for _, m in moves if m.why_not)
        if not done:
            return None
        edits: tuple[Edit, ...] = tuple(e for s, m in done for e in self.respell.call_edits(s, m.device))
        premise = next((m.premise for _, m in done if m.premise), "")
        test = self.facts.source.code(guard.node.test)
        idle = found.whole and len(done) == len(moves)
        span, what = self.facts.span(guard.node), "the conditional move"
        if isinstance(guard.node, ast.If):
            span = Span(self.facts.span(guard.stmt).start, self.facts.span(guard.node.test).end)
            what = f"`if {test}:`" if "\n" not in test else "the guard"
        if idle and all(m.idle for _, m in done):
            whole = self._unwrapped(guard, sites, edits)
            if whole is not None:
                return Guarded(Finding(span, what, whole, premise, "", found.device), True, test)
        return Guarded(Finding(span, what, edits, premise, "", found.device), False, test)

    def _unwrapped(self, guard: Guard, sites: Sequence[Site], moved: Sequence[Edit]) -> tuple[Edit, ...] | None:
        """The edits that put the guarded arm, with its moves respelled, in place of the guard; None where the other arm does
        something else."""
        if isinstance(guard.node, ast.IfExp):
            mine, other = (guard.node.body, guard.node.orelse) if guard.arm == "body" else (guard.node.orelse, guard.node.body)
            same = _same_but(mine, other, {s.node for s in sites})
            return self._in_place(guard.node, mine, moved) if same else None
        arm, others = self._arms(guard)
        if self._in_chain(guard.stmt) or self._pure(arm, others, sites) != (True, ""):
            return None
        keep = tuple(self.facts.span(s) for s in arm if not _nothing(s.node))
        return (Unwrap(self.facts.span(guard.stmt), keep, tuple(m for m in moved if isinstance(m, Replace))),)

    def _conjunct(self, guard: Guard, sites: Sequence[Site]) -> Guarded | None:
        """A guard that asks for CUDA and something else, and only places: the other question stays. None where
        that is not so, or no device answers for CUDA: it is right as it stands."""
        from placefix.facts.cuda.conjuncts import without_cuda

        stmt = guard.stmt
        assert isinstance(stmt.node, ast.If)
        mine, others = self._arms(guard)
        if others or guard.arm != "body" or self._in_chain(stmt) or not self._pure(mine, others, sites)[0]:
            return None
        rest = without_cuda(self.facts, stmt, _looks)
        # the others of the function make one device for all of them first
        alone = self._alone(stmt, sites)
        choice = self._choice(guard._replace(test=rest.test), stmt, make=alone, only=alone) if rest is not None else None
        if rest is None or choice is None:
            return None
        moved = self._moved(sites, choice, everywhere=True) if not choice.why_not else Moved()
        if choice.why_not or moved.why_not:
            self.why_kept[guard.node] = choice.why_not or moved.why_not
            return None
        asked = self.facts.span(stmt.node.test)
        edits = (*choice.inserts, Replace(asked, rest.text, self.facts.text(stmt.node.test)), *moved.edits)
        premise = moved.premise or ("" if rest.asked else f"without CUDA `{rest.text}` was not asked")
        span = Span(self.facts.span(stmt).start, asked.end)
        what = f"`if {rest.test.text}`"
        return Guarded(Finding(span, what, edits, premise, "", choice.text), True, rest.test.text)

    def _alone(self, stmt: Stmt, sites: Sequence[Site]) -> bool:
        """Whether nothing else in the function names CUDA."""
        return not any(s.stmt.scope is stmt.scope for s in self.cuda.sites if s not in sites)

    def _own_question(self, guard: Guard, sites: Sequence[Site]) -> bool:
        """Whether a guard asks what only its function knows, and nothing else in that names CUDA or a device."""
        roots = guard.test.roots if guard.test is not None else ()
        if not roots or not all(owner is guard.stmt.scope and owner.kind == "function" for _, owner in roots):
            return False
        return self._alone(guard.stmt, sites) and not any(r.near for r in self.devices.candidates(guard.stmt))

    def _moved(self, sites: Sequence[Site], choice: Choice, *, everywhere: bool, back: bool = False) -> Moved:
        """Moves to a device in place of moves to CUDA; `everywhere`: also where the guard was false; `back`: where
        everything was moved to the CPU instead."""
        edits: list[Replace] = []
        premise = choice.premise
        for site in sites:
            if site.form in TYPED:
                found = self.facts.tensor_types.made(site, choice)
                if found.why_not:
                    return Moved(why_not=found.why_not)
                premise = premise or found.premise
                edits += [e for e in found.edits if isinstance(e, Replace)]
                continue
            found = self.respell.call(site, choice) if site.form == "cuda" else self.respell.literal(site, choice)
            if found.why_not:
                return Moved(why_not=found.why_not)
            premise = premise or found.premise
            if everywhere and not premise:
                premise = self._unproven(site) or self._absent(site) or ("" if back else self._handed(site, choice.text))
            edits += self.respell.site_edits(site, choice.text)
        return Moved(tuple(edits), premise)

    def _unproven(self, site: Site) -> str:
        """Why it is not known that the move does nothing on the CPU, where nothing moved so far; empty if it is."""
        assert isinstance(site.node, ast.Call)
        receiver = self.cuda.receivers.judge(site.node, site.stmt, guess=False)
        moved = site.node.func.value if isinstance(site.node.func, ast.Attribute) else site.node
        if receiver.verdict == "torch" and may_be_none(moved, site.stmt):
            return f"`{self.facts.text(moved)}` may be None here, which nothing moved without CUDA"
        return receiver.why if receiver.verdict == "assumed" else ""

    def _handed(self, site: Site, device: str) -> str:
        """Why it may lie on a GPU where the guard is false; empty where it does not, or what lies on `device` meets it there."""
        test = site.guard.test if site.guard is not None else None
        return doubt(self.facts, site, test) if test is not None and not self.facts.meets.beyond(site, device) else ""

    def _absent(self, site: Site) -> str:
        """Why there may be nothing to move where the guard is false; empty where there is."""
        assert isinstance(site.node, ast.Call) and isinstance(site.node.func, ast.Attribute) and site.guard is not None
        text, guard = dotted(site.node.func.value), site.guard.stmt
        inner = (a.node for a in site.stmt.ancestors() if a is not guard and guard in a.ancestors())
        asked = {self.facts.text(node.test) for node in inner if isinstance(node, ast.If)}
        return absent(self.facts, text, guard, asked) if text and not any(text in a for a in asked) else ""

    @staticmethod
    def _return_behind(stmt: Stmt, mine: Sequence[Stmt]) -> Stmt | None:
        """The `return` behind a guard that returns: what the other arm would be."""
        rest = stmt.suite.stmts[stmt.index + 1 :]
        if (
            len(mine) == 1
            and isinstance(mine[0].node, ast.Return)
            and len(rest) == 1
            and isinstance(rest[0].node, ast.Return)
        ):
            return rest[0]
        return None

    def _in_chain(self, stmt: Stmt) -> bool:
        """Whether the ``if`` is an elif, or has one."""
        node = stmt.node
        assert isinstance(node, ast.If)
        text = self.facts.source.text
        if text.startswith("elif", self.facts.span(stmt).start):
            return True
        return len(node.orelse) == 1 and text.startswith("elif", self.facts.span(node.orelse[0]).start)

    def _last_of_chain(self, stmt: Stmt) -> bool:
        """Whether the ``if`` is an elif with nothing behind it."""
        node = stmt.node
        assert isinstance(node, ast.If)
        return not node.orelse and self.facts.source.text.startswith("elif", self.facts.span(stmt).start)

    def _pure(self, mine: Sequence[Stmt], others: Sequence[Stmt], sites: Sequence[Site]) -> tuple[bool, str]:
        """Whether the arms differ in placement only, and with what premise; if the other arm does more, what."""
        moves = {s.node for s in sites}
        if all(_nothing(s.node) for s in others):
            placing = [s.node for s in mine if not _nothing(s.node)]
            relisted = [node for node in placing if _relists(node, moves)]
            pure = bool(placing) and all(self._places_only(node, moves) for node in placing if node not in relisted)
            return pure, _RELISTED if pure and relisted else ""
        bare = [_strip(s.node, moves) for s in mine]
        left = [ast.dump(n) for n in bare if not _nothing(n)]
        right = [ast.dump(s.node) for s in others if not _nothing(s.node)]
        if left == right:
            return True, ""
        if len(mine) == len(others) and all(
            _same_but(a.node, b.node, moves) for a, b in zip(mine, others, strict=True)
        ):
            return True, ""
        if len(mine) == len(others) and all(
            _same_but(a.node, b.node, moves, relisted=True) for a, b in zip(mine, others, strict=True)
        ):
            return True, _RELISTED
        if len(mine) == len(others) == 1 and _same_in_arms(mine[0].node, others[0].node, moves):
            return True, _RELISTED
        if any(isinstance(s.node, ast.Raise) for s in others):
            return False, "the other arm stops the program: there is no way without CUDA here"
        return False, "the other arm does something else"

    def _places_only(self, node: ast.stmt, moves: set[ast.expr]) -> bool:
        """``x = x.cuda()``, ``x, y = x.cuda(), y.cuda()``, ``model.cuda()``: without the move nothing is left.

        Also under a test that only looks (``if x is not None:``) and in a loop over what is there.
        """
        if isinstance(node, ast.If) and not node.orelse:
            return _looks(node.test) and all(self._places_only(s, moves) for s in node.body)
        if isinstance(node, ast.For) and not node.orelse:
            return _at_hand(node.iter) and all(
                self._places_only(s, moves) or self._item(s, node, moves) for s in node.body
            )
        bare = _strip(node, moves)
        if ast.dump(bare) == ast.dump(node):
            return False
        guard = self.facts.tree.stmts[node].parent
        return _nothing(bare) or (guard is not None and held(bare, guard))

    def _item(self, stmt: ast.stmt, loop: ast.For, moves: set[ast.expr]) -> bool:
        """``d[k] = v.cuda()`` in ``for k, v in d.items()``, looked at first or not."""
        if isinstance(stmt, ast.If) and not stmt.orelse:
            return _looks(stmt.test) and all(self._item(s, loop, moves) for s in stmt.body)
        bare = _strip(stmt, moves)
        if not (isinstance(bare, ast.Assign) and len(bare.targets) == 1 and ast.dump(bare) != ast.dump(stmt)):
            return False
        over = loop.iter.func if isinstance(loop.iter, ast.Call) else None
        return (
            isinstance(over, ast.Attribute)
            and over.attr == "items"
            and isinstance(loop.target, ast.Tuple)
            and len(loop.target.elts) == 2
            and isinstance(bare.targets[0], ast.Subscript)
            and ast.unparse(bare.targets[0].value) == ast.unparse(over.value)
            and ast.unparse(bare.targets[0].slice) == ast.unparse(loop.target.elts[0])
            and ast.unparse(bare.value) == ast.unparse(loop.target.elts[1])
        )

    def _choice(self, guard: Guard, stmt: Stmt, *, make: bool, only: bool = False) -> Choice | None:
        """The device that is CUDA under the guard's very test; None where one would have to be made and may not.

        only: whether nothing else in the function names CUDA, so that no other guard has a say.
        """
        assert guard.test is not None
        test, positive = guard.test, guard.positive
        if guard.node in self._numbers:
            return numbered_choice(self.facts, self._numbers[guard.node], stmt, make=make)
        key = condition(test, positive)
        kept = self.devices.kept_as(test, stmt)
        reach = self.devices.at(stmt, key) or (self.devices.at(stmt, condition(kept, positive)) if kept is not None else None)
        if reach is not None:
            meaning = reach.meaning
            if meaning.index is not None and (self.cuda.selects or self.cuda.indices - {0}):
                return Choice(
                    why_not=f"`{reach.text}` names cuda:{meaning.index}, and the file chooses GPUs in other places"
                )
            if meaning.test is not None and not self.devices.settled(meaning.test, reach.stmt, stmt):
                return Choice(why_not=f"`{meaning.test.text}` may be set again between the device and the guard")
            premise = (
                f"where there is no CUDA `{reach.text}` may be another accelerator, and this stayed on the CPU"
                if meaning.wide and not reach.used
                else ""
            )
            return Choice(reach.text, (), premise)
        if not make:
            return None
        if one_of_several(key) and self._placed_for_more(test, stmt):
            return Choice(why_not=f"where `{test.text}` is false something else places as well")
        asked = device_asked(key)
        if asked:
            return self._device_itself(asked, stmt)
        other = next(
            (
                r
                for r in self.devices.candidates(stmt)
                if r.meaning.kind in ("other", "index", "cuda", "none") and self._beside(r, stmt) and r.text not in test.reads
            ),
            None,
        )
        if other is not None:
            return self._taken(other.text, guard, stmt) if other.meaning.kind == "other" else _not_known(other.text, test)
        if not only and self.devices.key_at(stmt) != key:
            main = self.devices.flag_at(stmt)
            follows = main[0].text if main is not None else "torch.cuda.is_available()"
            return Choice(why_not=f"other guards beside it ask `{follows}`, and one device cannot answer both")
        unproven = self.devices.unproven(stmt)
        apart = "" if unproven in test.reads else unproven
        if apart and not self.devices.of_a_block(apart, stmt):
            return self._taken(apart, guard, stmt)
        made = self.devices.on_self([stmt], (kept, positive)) if kept is not None else None
        made = made or self.devices.definition([stmt], (test, positive) if only else self.devices.flag_at(stmt), any_flag=False)
        if made is None and key == AVAILABLE:
            made = self.devices.definition([stmt], None, any_flag=False)
        if made is None:
            return Choice(why_not=f"`{test.text}` is not settled at any place where a device could be defined for it")
        doubt = f"it is taken to lie on the CPU where `{test.text}` is false: with more GPUs it may be placed elsewhere"
        return Choice(made[0], made[1], doubt if one_of_several(key) else apart_from(apart) if apart else "")

    def _taken(self, device: str, guard: Guard, stmt: Stmt) -> Choice:
        """A device at hand of which nothing is known, in place of what the guard asks: where all that is moved meets what
        lies on it, they went together wherever this ran."""
        assert guard.test is not None
        if not self.devices.is_bound(device, stmt):
            return _not_known(device, guard.test)
        if all(self.facts.meets.beyond(site, device) for site in self._groups.get(guard.node, ())):
            return Choice(device)
        when = "true" if guard.positive else "false"
        return Choice(device, (), f"`{device}` is taken to be the GPU exactly where `{guard.test.text}` is {when}: nothing here shows it")

    def _placed_for_more(self, test: Test, stmt: Stmt) -> bool:
        """Whether another number of GPUs places too, in the same function."""
        for site in self.cuda.sites:
            if site.stmt.scope is stmt.scope and stmt not in site.stmt.ancestors():
                asked = [self.facts.text(a.node.test) for a in site.stmt.ancestors() if isinstance(a.node, ast.If)]
                if not asked or any(name in text and text != test.text for name in test.reads for text in asked):
                    return True
        return False

    def _device_itself(self, text: str, stmt: Stmt) -> Choice:
        """The device whose name the guard asks for."""
        reach = next((r for r in self.devices.candidates(stmt) if r.text == text), None)
        if reach is None and "." not in text and stmt.scope.lookup(text) is None:
            return Choice(why_not=f"`{text}` is not known here")
        value = getattr(reach.stmt.node, "value", None) if reach is not None and reach.stmt is not None else None
        if reach is not None and reach.meaning.key and not (reach.meaning.wide or reach.meaning.index) and isinstance(value, ast.IfExp):
            return Choice(text)  # one of two words
        return Choice(text, (), f'`{text}` is taken to be "cuda" or "cpu": for another device the guard moved nothing')

    @staticmethod
    def _beside(reach: Reach, stmt: Stmt) -> bool:
        """Whether a device belongs to the function or object, not to the module around."""
        return reach.near or stmt.scope.kind == "module"

    # --- conditional expressions -------------------------------------------------------------------

    def _conditional(self, node: ast.IfExp, guard: Guard, sites: list[Site]) -> Guarded:
        assert guard.test is not None
        span, what = self.facts.span(node), "the conditional move"
        test = guard.test.text

        def refused(reason: str) -> Guarded:
            return Guarded(Finding(span, what, why_not=reason), False, test)

        mine, other = (node.body, node.orelse) if guard.arm == "body" else (node.orelse, node.body)
        if any(s.guard is not None and s.guard.arm != guard.arm for s in sites):
            return refused("both arms place on CUDA")
        if not _same_but(mine, other, {s.node for s in sites}):
            return refused("the other arm is not the same thing without the move")
        choice = self._choice(guard, guard.stmt, make=True)
        assert choice is not None
        if choice.why_not:
            return refused(choice.why_not)
        if "#" in self.facts.text(node):
            return refused("a comment stands inside the expression")
        moved = self._moved(sites, choice, everywhere=True)
        if moved.why_not:
            return refused(moved.why_not)
        done: tuple[Edit, ...] = (*choice.inserts, *self._in_place(node, mine, moved.edits), *self._flag(guard, choice))
        return Guarded(Finding(span, what, done, moved.premise, "", choice.text), True, test)

    def _in_place(self, node: ast.IfExp, mine: ast.expr, moved: Sequence[Edit]) -> tuple[Edit, ...]:
        """The edit that puts one arm of a conditional expression, with its moves respelled, in its place."""
        text = self.facts.source.text
        span = self.facts.span(node)
        outer = self._parenthesised(span)
        new = self._rewritten(self.facts.span(mine), (m for m in moved if isinstance(m, Replace)))
        simple = isinstance(mine, (ast.Call, ast.Name, ast.Attribute, ast.Subscript))
        whole = outer if simple and not ("\n" in new and "\n" in text[outer.start : outer.end]) else span
        return (Replace(whole, new, text[whole.start : whole.end]),)

    def _rewritten(self, span: Span, edits: Iterable[Replace]) -> str:
        """The text of `span` with the replacements inside it."""
        new = self.facts.source.segment(span)
        for edit in sorted(edits, key=lambda e: e.span, reverse=True):
            if span.start <= edit.span.start and edit.span.end <= span.end:
                new = new[: edit.span.start - span.start] + edit.text + new[edit.span.end - span.start :]
        return new

    def _parenthesised(self, span: Span) -> Span:
        """The span with the parentheses that only group it."""
        text = self.facts.source.text
        start, end = span.start, span.end
        before, after = text[:start].rstrip(), text[end:].lstrip()
        if not before.endswith("(") or not after.startswith(")"):
            return span
        head = before[:-1].rstrip(" \t")
        if head[-1:].isalnum() or head[-1:] in ("_", ")", "]", "}", '"', "'"):
            word = head[-7:].rsplit(None, 1)[-1] if head.split() else ""
            if word not in ("return", "yield", "in", "not", "and", "or", "else", "if", "=", "lambda", "await"):
                return span  # the parentheses of a call
        return Span(len(before) - 1, len(text) - len(after) + 1)


def _not_known(device: str, test: Test) -> Choice:
    """No device, for one at hand may be it."""
    return Choice(why_not=f"`{device}` is at hand, and whether it goes with `{test.text}` is not known")


def _strip(node: ast.AST, moves: set[ast.expr]) -> ast.AST:
    """The tree with every move replaced by what it moves."""
    chosen = {id(m) for m in moves}

    class Strip(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            if id(node) in chosen:
                assert isinstance(node, ast.Call)
                return self.visit(unplaced(node))
            clone = copy.copy(node)
            for name, value in ast.iter_fields(node):
                if isinstance(value, list):
                    setattr(clone, name, [self.visit(v) if isinstance(v, ast.AST) else v for v in value])
                elif isinstance(value, ast.AST):
                    setattr(clone, name, self.visit(value))
            return clone

    return Strip().visit(node)


def _same_but(mine: ast.AST, other: ast.AST, moves: set[ast.expr], *, relisted: bool = False) -> bool:
    """Whether `other` is `mine` without its moves, or with moves to the CPU in their places.

    relisted: also what a comprehension moves item by item, as it is.
    """
    if relisted and isinstance(mine, ast.ListComp) and not isinstance(other, ast.ListComp):
        return _moves_items(mine, moves) and ast.dump(mine.generators[0].iter) == ast.dump(other)
    if any(mine is move for move in moves):
        assert isinstance(mine, ast.Call)
        return _same_but(unplaced(mine), other if is_type(mine) else _before_cpu(other), moves, relisted=relisted)
    if mine.__class__ is not other.__class__:
        return False
    for name in mine._fields:
        a, b = getattr(mine, name, None), getattr(other, name, None)
        if name in ("ctx", "type_comment", "kind"):
            continue
        if isinstance(a, list) and isinstance(b, list):
            if len(a) != len(b) or not all(
                _same_but(x, y, moves, relisted=relisted) if isinstance(x, ast.AST) and isinstance(y, ast.AST) else x == y
                for x, y in zip(a, b, strict=True)
            ):
                return False
        elif isinstance(a, ast.AST) and isinstance(b, ast.AST):
            if not _same_but(a, b, moves, relisted=relisted):
                return False
        elif a != b:
            return False
    return True


def _same_in_arms(mine: ast.stmt, other: ast.stmt, moves: set[ast.expr]) -> bool:
    """Whether each arm of an ``if`` that only looks is `other` with moves, item by item or not: ``return [t.cuda() for t in x]``
    for a list, ``return x.cuda()`` for all else."""
    if not isinstance(mine, ast.If):
        return _same_but(mine, other, moves, relisted=True)
    arms = (mine.body, mine.orelse)
    return _looks(mine.test) and all(len(arm) == 1 and _same_in_arms(arm[0], other, moves) for arm in arms)


def _relists(stmt: ast.stmt, moves: set[ast.expr]) -> bool:
    """``xs = [x.cuda() for x in xs]``, ``batch = {k: v.cuda() for k, v in batch.items()}``: the same things, moved."""
    if not isinstance(stmt, ast.Assign) or len(stmt.targets) != 1 or not any(part in moves for part in walk(stmt.value)):
        return False
    target, value = ast.unparse(stmt.targets[0]), stmt.value
    if isinstance(value, ast.ListComp):
        return _moves_items(value, moves) and ast.unparse(value.generators[0].iter) == target
    if not isinstance(value, ast.DictComp) or len(value.generators) > 1:
        return False
    loop, bare = value.generators[0], _either(_strip(value.value, moves))
    plain = not loop.ifs and not loop.is_async and ast.unparse(loop.iter) == f"{target}.items()"
    return plain and ast.unparse(loop.target) in (f"({ast.unparse(value.key)}, {ast.unparse(bare)})", f"{ast.unparse(value.key)}, {ast.unparse(bare)}")


def _either(node: ast.AST) -> ast.AST:
    """What both arms of a conditional expression that only looks are; any other node itself."""
    if isinstance(node, ast.IfExp) and _looks(node.test) and ast.dump(node.body) == ast.dump(node.orelse):
        return node.body
    return node


def _moves_items(node: ast.ListComp, moves: set[ast.expr]) -> bool:
    """``[b.cuda() for b in batch]``, None left alone or not: the items of `batch`, moved."""
    loop, bare = node.generators[0], _either(_strip(node.elt, moves))
    if len(node.generators) > 1 or loop.ifs or loop.is_async or not isinstance(loop.target, ast.Name):
        return False
    if isinstance(bare, ast.IfExp) and isinstance(bare.orelse, ast.Constant) and bare.orelse.value is None:
        if ast.unparse(bare.test) != f"{loop.target.id} is not None":
            return False
        bare = bare.body
    return isinstance(bare, ast.Name) and bare.id == loop.target.id


def _before_cpu(node: ast.AST) -> ast.AST:
    """The receiver of ``x.cpu()`` and ``x.to("cpu")``; any other node itself."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.keywords:
        to_cpu = len(node.args) == 1 and isinstance(node.args[0], ast.Constant) and node.args[0].value == "cpu"
        if (node.func.attr == "cpu" and not node.args) or (node.func.attr == "to" and to_cpu):
            return node.func.value
    return node


def _brings_back(others: Sequence[Stmt], sites: Sequence[Site]) -> bool:
    """Whether the other arm moves to the CPU as often as this one moves to CUDA."""
    return sum(_before_cpu(node) is not node for s in others for node in walk(s.node)) == len(sites)


def _nothing(node: ast.AST) -> bool:
    """Whether a statement without its moves does nothing: ``pass``, ``x = x``, ``model``."""
    if isinstance(node, ast.Pass):
        return True
    if isinstance(node, ast.Expr):
        return isinstance(node.value, (ast.Name, ast.Constant)) or (
            isinstance(node.value, ast.Attribute) and _chain(node.value)
        )
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        return _same(node.targets[0], node.value)
    return False


def _looks(test: ast.expr) -> bool:
    """Whether a test only looks: names, attributes, comparisons, isinstance and torch.is_tensor."""
    for part in walk(test):
        if isinstance(part, ast.Call):
            name = ast.unparse(part.func)
            if name not in ("isinstance", "hasattr", "len", "torch.is_tensor", "callable"):
                return False
        elif isinstance(part, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.Subscript)):
            return False
    return True


def _at_hand(iterable: ast.expr) -> bool:
    """Whether a loop runs over something that is there before and after: a name, its items."""
    if isinstance(iterable, ast.Call):
        func = iterable.func
        if isinstance(func, ast.Attribute) and func.attr in ("items", "values", "keys") and not iterable.args:
            return isinstance(func.value, ast.Name) or _chain(func.value)
        return isinstance(func, ast.Name) and func.id in ("range", "len")
    return isinstance(iterable, ast.Name) or _chain(iterable)


def _same(target: ast.expr, value: ast.expr) -> bool:
    if isinstance(target, (ast.Tuple, ast.List)):
        return (
            isinstance(value, (ast.Tuple, ast.List))
            and len(target.elts) == len(value.elts)
            and all(_same(a, b) for a, b in zip(target.elts, value.elts, strict=True))
        )
    if isinstance(target, ast.Subscript) and isinstance(value, ast.Subscript):
        return _same(target.value, value.value) and ast.dump(target.slice) == ast.dump(value.slice)
    if isinstance(target, ast.Attribute) and isinstance(value, ast.Attribute):
        return target.attr == value.attr and _same(target.value, value.value)
    return isinstance(target, ast.Name) and isinstance(value, ast.Name) and target.id == value.id


def _chain(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)
