"""Devices of a file: the expression in reach of a statement, or the edits that define a new one."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.diagnostic import Insert, Move, Replace
from placefix.facts.accelerators import CUDA
from placefix.facts.devices.constructor_arguments import is_called_before
from placefix.facts.devices.cuda_uses import CudaUses
from placefix.facts.devices.idiom import Idiom
from placefix.facts.devices.inline_devices import inline_devices
from placefix.facts.devices.insertion_points import InsertionPoints
from placefix.facts.interpret.class_summaries import ClassSummaries
from placefix.facts.naming import names_device
from placefix.facts.program.arguments import self_class, self_name
from placefix.facts.program.ast_names import dotted
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.comparisons import opposite
from placefix.facts.program.conditions import AVAILABLE, Test
from placefix.facts.program.device_values import condition
from placefix.facts.program.star_importers import is_taken_by_importers
from placefix.facts.program.tree import Scope, Stmt, common, dominates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from placefix.diagnostic import Edit, Side
    from placefix.facts.context import AnalysisContext
    from placefix.facts.devices.insertion_points import InsertionPoint
    from placefix.facts.devices.reaching_devices import Reach

# Names in a class that restrict or override the setting of attributes.
_ATTRIBUTES_MATTER = frozenset({"__slots__", "__setattr__", "__getattr__", "__getattribute__"})


class Devices(InsertionPoints):
    """Devices of one file. Call `at` first, and `definition` if it returns None.

    local: those of the context's new devices that are defined in a function, each with the statement before which it is. flagged: those
    that follow a test of the code.
    """

    def __init__(self, context: AnalysisContext) -> None:
        super().__init__(context)
        self.idiom = context.get(Idiom)
        self.local: dict[Edit, Stmt] = {}
        self.flagged: set[Edit] = set()
        self._known: dict[tuple[object, ...], tuple[str, tuple[Edit, ...]] | None] = {}

    def definition(
        self, stmts: Iterable[Stmt], flag: tuple[Test, bool] | None, *, index: str = ""
    ) -> tuple[str, tuple[Edit, ...]] | None:
        """The name of a device and the edits that define it for all of `stmts`, or None if none serves them all.

        `flag`: the test that the device must follow; None: whether CUDA is available. `index`: the expression of the number of its GPU.
        """
        wanted = tuple(dict.fromkeys(stmts))
        if not wanted:
            return None
        asked = (wanted, flag, index)  # every fix requests its device, and all that share it
        if asked not in self._known:
            self._known[asked] = self._definition(wanted, flag, index)
        return self._known[asked]

    def _definition(
        self, wanted: Sequence[Stmt], flag: tuple[Test, bool] | None, index: str
    ) -> tuple[str, tuple[Edit, ...]] | None:
        if self._in_script(wanted):
            return None
        shared = self.on_self(wanted, flag) or self._hoisted(wanted, flag) if not index else None
        if shared is None and flag is None and not index:
            shared = self._on_object(wanted)
        if shared is not None:
            return shared
        found = self._written_out(wanted, flag) if flag is not None and not index else []
        spot = (self._spot([*wanted, *(stmt for _, stmt in found)], flag) if found else None) or self._spot(
            wanted, flag
        )
        inside = spot is not None and spot[0].scope is wanted[0].scope
        own = (
            next((text for node, _ in found if "\n" not in (text := self.tree.source.code(node))), "") if inside else ""
        )
        made = self._inserted(
            wanted, spot, lambda torch: own or self._text(torch, wanted, flag, index), taken=bool(index)
        )
        if made is not None and flag is not None:
            self.flagged.add(made[1][-1])
        return made

    def _written_out(self, stmts: Sequence[Stmt], flag: tuple[Test, bool]) -> list[tuple[ast.expr, Stmt]]:
        """The devices that the function of some statements writes out and that follow a flag."""
        scope = stmts[0].scope
        alone = scope.is_function and all(stmt.scope is scope for stmt in stmts)
        return inline_devices(self, scope, condition(*flag)) if alone else []

    def reused(self, name: str, insert: Edit, flag: tuple[Test, bool]) -> tuple[Replace, ...]:
        """The edits that put the name of a new device of a function in place of the equal devices which it writes out below."""
        anchor = self.local.get(insert)
        found = inline_devices(self, anchor.scope, condition(*flag)) if anchor is not None else []
        return tuple(
            Replace(self.context.span(node), name, self.context.source.segment(self.context.span(node)))
            for node, stmt in found
            if anchor is not None
            and (stmt is anchor or dominates(anchor, stmt))
            and self.settled(flag[0], anchor, stmt)
        )

    def defined_as(self, value: str, stmts: Iterable[Stmt], reads: Test) -> tuple[str, tuple[Edit, ...]] | None:
        """The name of a device with the value `value` and the edits that define it for all of `stmts`, below the bindings of the names
        in `reads`; None if no place serves them all."""
        wanted = list(dict.fromkeys(stmts))
        if self._in_script(wanted):
            return None
        return self._inserted(wanted, self._spot(wanted, (reads, True)), lambda torch: value, taken=True)

    def _in_script(self, stmts: Iterable[Stmt]) -> bool:
        """Whether TorchScript compiles one of some statements: it can read no new device."""
        return any(self.captured.is_scripted(stmt.scope) for stmt in stmts)

    def _inserted(
        self, stmts: Sequence[Stmt], spot: InsertionPoint | None, value: Callable[[str], str], *, taken: bool
    ) -> tuple[str, tuple[Edit, ...]] | None:
        """A free name at a spot and the edits that bind it; `value` gets the name of torch there."""
        if spot is None or (spot[0].scope.is_root and self.torch_imports.may_be_missing):
            return None
        anchor, where, apart = spot
        name = self._name(stmts, anchor.scope, taken=taken)
        if name is None:
            return None
        torch, imports = self.torch_imports.at(anchor)
        text = f"{name} = {value(torch)}"
        if apart:
            text = f"\n{text}\n"
        edit = self._defining(anchor, text, where)
        if where == "before" and anchor.scope.is_function:
            self.local[edit] = anchor
        return name, (*imports, edit)

    def _defining(self, anchor: Stmt, text: str, where: Side) -> Insert:
        """The edit that writes the definition of a new device at a statement."""
        edit = Insert(self.context.span(anchor), text, where)
        self.context.new_devices[edit] = anchor.scope
        return edit

    def lifted(self, insert: Insert, anchor: Stmt) -> Insert:
        """The definition of a new device at another statement of its block, further up."""
        edit = self._defining(anchor, insert.text, "before")
        if insert in self.flagged:
            self.flagged.add(edit)
        if insert in self.local:
            self.local[edit] = anchor
        return edit

    def for_script(self, stmts: Sequence[Stmt]) -> tuple[str, tuple[Edit, ...]] | None:
        """A new device at the module level that all of the script sees: its name and the edits; None where there is no room."""
        anchor = self.torch_imports.last
        if (
            anchor is None
            or self.torch_imports.may_be_missing
            or self.forks
            or self.chosen_by_importers
            or self.chosen_after(anchor)
            or not self._serves(anchor, stmts)
        ):
            return None
        name = self._name(stmts, self.tree.root)
        if name is None:
            return None
        torch, imports = self.torch_imports.at(anchor)
        return name, (*imports, self._defining(anchor, f"\n{name} = {self.idiom.device(torch, stmts)}\n", "after"))

    def on_self(self, stmts: Sequence[Stmt], flag: tuple[Test, bool] | None) -> tuple[str, tuple[Edit, ...]] | None:
        """``self.device``, next to the flag of the object that several methods test. Not for modules: one that was saved
        as a whole has no such attribute when it is loaded."""
        if flag is None or len(flag[0].reads) != 1 or len(flag[0].roots) != 1:
            return None
        text, (me, method) = flag[0].reads[0], flag[0].roots[0]
        cls = self_class(method, me)
        new = f"{me}.{self.context.settings.device_name}"
        if cls is None or text.count(".") != 1 or not self._takes(cls, new) or self._set_outside(text, cls):
            return None
        writes = [w.stmt for w in self.index.writes.get(text, ()) if w.stmt.scope.parent is cls]
        if len(writes) != 1 or writes[0].parent is not None or writes[0].scope.name != "__init__":
            return None
        written = writes[0]
        if self._methods_testing(text, cls) < 2 or not all(self._is_set_before(s, written, cls, me) for s in stmts):
            return None
        torch, imports = self.torch_imports.at(written)
        return new, (*imports, self._defining(written, f"{new} = {self._text(torch, stmts, flag)}", "after"))

    def _methods_testing(self, text: str, cls: Scope) -> int:
        """The number of a class's methods whose uses of CUDA are guarded by a test that reads just `text`."""
        tests = ((s.guard.stmt.scope, s.guard.test) for s in self.context.get(CudaUses).sites if s.guard is not None)
        return len({m for m, test in tests if test is not None and test.reads == (text,) and m.parent is cls})

    def _is_set_before(self, stmt: Stmt, written: Stmt, cls: Scope, me: str) -> bool:
        """Whether a statement of a method of `cls` runs only after `written`, a statement of the constructor."""
        if stmt.scope.parent is not cls or self_name(stmt.scope) != me:
            return False
        if stmt.scope is written.scope:
            return dominates(written, stmt)
        return not is_called_before(self.index, stmt.scope, written.scope, written)

    def kept_as(self, test: Test, stmt: Stmt) -> Test | None:
        """The attribute in which a constructor stores the parameter that `test` reads: ``self.use_cuda = use_cuda`` above `stmt`."""
        scope, name = stmt.scope, test.text
        me, cls = self_name(scope), scope.parent
        if (
            not me
            or scope.name != "__init__"
            or test.negated
            or test.roots != ((name, scope),)
            or len(scope.bindings[name]) != 1
        ):
            return None
        for text, writes in self.index.writes.items():
            mine = [w for w in writes if w.stmt.scope.parent is cls]
            if (
                not text.startswith(f"{me}.")
                or text.count(".") != 1
                or len(mine) != 1
                or mine[0].value is None
                or dotted(mine[0].value) != name
            ):
                continue
            if mine[0].stmt.scope is scope and dominates(mine[0].stmt, stmt):
                return Test(text, ("attribute", text, id(cls)), False, ((me, scope),), (text,))
        return None

    def _takes(self, cls: Scope, new: str) -> bool:
        """Whether the objects of a class may be given an attribute `new` (``self.device``): nothing here or in its bases has it, and
        they are no modules."""
        name, node = new.partition(".")[2], cls.node
        return not (
            self.index.writes.get(new)
            or self.index.read(new)
            or name in self._class_attributes
            or _ATTRIBUTES_MATTER & cls.bindings.keys()
            or getattr(node, "decorator_list", ())
            or getattr(node, "keywords", ())
            or "__dict__" in (code := self.tree.source.code(node))
            or "vars(" in code
            or self.context.get(ClassSummaries).of(cls).is_module
            or not all(self._plain(b, new) for b in self._foreign_bases(cls))
        )

    @cached_property
    def _class_attributes(self) -> frozenset[str]:
        """The names bound in the bodies of the file's classes."""
        return frozenset().union(*(scope.bindings for scope in self.tree.scopes.values() if scope.is_class))

    def _plain(self, base: str, new: str) -> bool:
        """Whether a base that is not of the file is a class of the repository, of no other, that knows nothing of the attribute."""
        if base in ("builtins.object", "object"):
            return True
        found = self.home.find(base) if self.home is not None else None
        if found is None or found.scope is None or found.kind != "class" or not _only_object(found.scope):
            return False
        known = found.scope.bindings.keys() & {new.partition(".")[2], "__slots__"}
        return not known and not any(
            w.stmt.scope.within(found.scope) for w in self._of(found.tree).index.writes.get(new, ())
        )

    def _on_object(self, stmts: Sequence[Stmt]) -> tuple[str, tuple[Edit, ...]] | None:
        """``self.device`` of an object of which several methods use CUDA without a test, in a file without a device of the module level:
        above the first use in the constructor, or below the first attributes that it sets."""
        cls, me = stmts[0].scope.parent, self_name(stmts[0].scope)
        init = cls.functions.get("__init__") if cls is not None else None
        new = f"{me}.{self.context.settings.device_name}"
        shares = self.execution.is_script and not (
            self.forks or self.chosen_by_importers
        )  # one of the module level serves all
        if (
            shares
            or not me
            or cls is None
            or init is None
            or self.env_writes
            or _made_otherwise(cls)
            or not self._takes(cls, new)
        ):
            return None
        uses = self._plain_uses.get(cls, [])
        first = min((s for s in uses if s.scope is init and s.parent is None), key=lambda s: s.index, default=None)
        where: Side = "before"
        if first is None:
            first, where = self._last_of_first_attributes(init), "after"
        others = [s for s in self._method_uses.get(cls, ()) if self_name(s.scope)]
        if (
            first is None
            or len({s.scope for s in uses}) < 2
            or not all(self._made_first(s, first, me) for s in (*stmts, *others))
        ):
            return None
        torch, imports = self.torch_imports.at(first)
        return new, (*imports, self._defining(first, f"{new} = {self.idiom.device(torch, uses)}", where))

    def _last_of_first_attributes(self, init: Scope) -> Stmt | None:
        """The last of the assignments to attributes with which a constructor begins, behind its docstring and ``super().__init__()``;
        None if it does not begin so."""
        found: Stmt | None = None
        for stmt in init.body.stmts:
            node = stmt.node
            sets = isinstance(node, ast.Assign) and dotted(node.targets[0]).startswith(f"{self_name(init)}.")
            if not sets and (found is not None or not isinstance(node, ast.Expr)):
                break
            found = stmt if sets else found
        return found

    def _made_first(self, stmt: Stmt, first: Stmt, me: str) -> bool:
        """Whether the constructor has run through `first` before `stmt` of a class: the method needs an attribute that only the constructor sets."""
        init = first.scope
        if stmt.scope is init:
            return stmt is first or dominates(first, stmt)
        if (
            stmt.scope.parent is not init.parent
            or self_name(stmt.scope) != me
            or is_called_before(self.index, stmt.scope, init, first)
        ):
            return False
        made = (
            t
            for t, ws in self.index.writes.items()
            if t.startswith(f"{me}.") and t.count(".") == 1 and all(w.stmt.scope is init for w in ws)
        )
        return any(s.scope is stmt.scope for t in made for _, s in self.index.read(t))

    @cached_property
    def _method_uses(self) -> dict[Scope | None, list[Stmt]]:
        """The statements with uses of CUDA, by the scope around their own: the class, for a method."""
        return _by_class(site.stmt for site in self.context.get(CudaUses).sites)

    @cached_property
    def _plain_uses(self) -> dict[Scope | None, list[Stmt]]:
        """The statements with unguarded uses of CUDA that may take a new device, by class."""
        return _by_class(
            s.stmt
            for s in self.context.get(CudaUses).sites
            if not s.is_definition
            and s.guard is None
            and not self.context.get(CudaUses).is_right(s)
            and self.at(s.stmt) is None
            and not self.context.get(CudaUses).has_tensor(s)
        )

    def _hoisted(self, stmts: Sequence[Stmt], flag: tuple[Test, bool] | None) -> tuple[str, tuple[Edit, ...]] | None:
        """The scope's device definition, moved up to its new first use in the same suite; its text and edits, None if impossible."""
        scope = stmts[0].scope
        if any(s.scope is not scope for s in stmts):
            return None
        key = AVAILABLE if flag is None else condition(*flag)
        for after, reach in self._definitions(scope):
            node = after.node
            if reach.meaning.key != key or not isinstance(node, (ast.Assign, ast.AnnAssign)):
                continue
            above = [first for stmt in stmts if (first := _above_in_suite(stmt, after)) is not None]
            if not names_device(reach.text) or len(above) != len(stmts):
                continue
            first = min(above, key=lambda s: s.index)
            needed = [*self._binders_read(node.value, scope), *self._test_writes(reach.meaning.test), *self.env_writes]
            if all(dominates(stmt, first) for stmt in needed):
                return reach.text, (Move((self.context.span(after),), self.context.span(first)),)
        return None

    def _binders_read(self, value: ast.expr | None, scope: Scope) -> list[Stmt]:
        """The statements of a scope that bind the names which an expression reads."""
        reads = [n.id for n in walk(value) if isinstance(n, ast.Name)] if value is not None else []
        return [b for n in reads if scope.lookup(n) is scope for b in self.index.binding(scope, n)]

    def _test_writes(self, test: Test | None) -> list[Stmt]:
        """The statements that set the attributes which a test reads."""
        return [w.stmt for t in (test.reads if test is not None else ()) if "." in t for w in self.index.written(t)]

    def _foreign_bases(self, cls: Scope) -> tuple[str, ...]:
        """The bases of a class that are not of the file, with those of its local bases."""
        found = self.context.get(ClassSummaries).of(cls).bases
        return tuple("object" if b == "?" and _only_object(cls) else b for b in found)

    def _text(self, torch: str, stmts: Sequence[Stmt], flag: tuple[Test, bool] | None, index: str = "") -> str:
        """The device for `stmts` as code: that of the machine, or of CUDA under a flag."""
        if flag is None:
            return self.idiom.device(torch, stmts)
        test, positive = flag
        if not positive and not opposite(test.text).startswith("not "):
            return self._text(torch, stmts, (test._replace(text=opposite(test.text)), True), index)
        text = test.text if "\n" not in test.text else f"({test.text})"
        cuda = f'f"cuda:{{{index}}}"' if index else f'"{self.accelerator.name}"'
        return (
            f'{torch}.device({cuda} if {text} else "cpu")'
            if positive
            else f'{torch}.device("cpu" if {text} else {cuda})'
        )

    def availability(self, stmt: Stmt, torch: str) -> str:
        """The test for the accelerator at a statement: a flag of the file that holds its result, if there is one."""
        flag = self.flag_before(stmt) if self.accelerator is CUDA else None
        if flag is not None and condition(*flag) == AVAILABLE and "\n" not in flag[0].text:
            return flag[0].text if flag[1] else opposite(flag[0].text)
        return f"{torch}.{self.accelerator.available}()"

    def numbered(self, stmt: Stmt, flag: tuple[Test, bool], index: str) -> str:
        """A device in reach that is the GPU of number `index` under the very flag, or an empty string."""
        for reach in self.candidates(stmt):
            value = getattr(reach.stmt.node, "value", None) if reach.stmt is not None else None
            torch = self.torch_imports.name_at(stmt)
            if (
                value is not None
                and torch is not None
                and self.tree.source.code(value) == self._text(torch, [stmt], flag, index)
            ):
                return reach.text if self.settled(flag[0], reach.stmt, stmt) else ""
        return ""

    def _name(self, stmts: Sequence[Stmt], home: Scope, *, taken: bool = False) -> str | None:
        """A free name, of a constant only at the module level; `taken`: where the number of a GPU may have the first of them."""
        base = self.context.settings.device_name
        local = taken or home.is_function
        for name in (base, f"torch_{base}" if local else base.upper(), base + "_"):
            if all(self._free(name, s, home) for s in stmts):
                return name
        return None

    def _free(self, name: str, stmt: Stmt, home: Scope) -> bool:
        """Whether a new `name` in `home` means nothing else anywhere on the way to `stmt`."""
        if name in home.bindings or (home.is_root and self._comes_to_importers(name)):
            return False
        if home.lookup(name) is not None and (home.is_root or not self._may_hide(name, home)):
            return False
        scope: Scope | None = stmt.scope
        while scope is not None and scope is not home:
            if name in scope.bindings:
                return False
            scope = scope.parent
        # a name that is read but bound nowhere here comes from elsewhere
        return not any(s.scope.lookup(name) is None for _, s in self.index.read(name))

    def _comes_to_importers(self, name: str) -> bool:
        """Whether a new name of the module level would take the place of another one in a file with a star import of this one."""
        home = self.context.home
        return home is not None and "__all__" not in self.tree.root.bindings and is_taken_by_importers(home, name)

    def _may_hide(self, name: str, home: Scope) -> bool:
        """Whether a function may have a local device under the name of the module's: it does not read the module's name, and no
        fix inserted into it would."""
        module = any(reach.text == name for _, reach in self._definitions(self.tree.root))
        return (
            module
            and home.lookup(name) is self.tree.root
            and not any(s.scope.within(home) for _, s in self.index.read(name))
            and not any(s.guard is None and s.stmt.scope.within(home) for s in self.context.get(CudaUses).sites)
        )


def _made_otherwise(cls: Scope) -> bool:
    """Whether objects of a class may be there without its constructor, by its own word."""
    return any(name in cls.bindings for name in ("__getstate__", "__setstate__", "__reduce__", "__new__"))


def _only_object(cls: Scope) -> bool:
    bases = getattr(cls.node, "bases", [])
    return all(isinstance(b, ast.Name) and b.id == "object" for b in bases)


def device_at(context: AnalysisContext, stmt: Stmt) -> Reach | None:
    """The device expression in reach of `stmt` that code may be moved onto, or None."""
    reach = context.get(Devices).at(stmt)
    return reach if reach is not None and (reach.agnostic or reach.used or reach.meaning.kind == "other") else None


def device_text(context: AnalysisContext, stmt: Stmt) -> str:
    """Text of a device expression that is valid at `stmt`, "" if none is in reach."""
    reach = device_at(context, stmt)
    return reach.text if reach is not None else ""


def _by_class(stmts: Iterable[Stmt]) -> dict[Scope | None, list[Stmt]]:
    found: dict[Scope | None, list[Stmt]] = {}
    for stmt in stmts:
        found.setdefault(stmt.scope.parent, []).append(stmt)
    return found


def _above_in_suite(stmt: Stmt, after: Stmt) -> Stmt | None:
    """The statement around `stmt` in the suite of `after`, if it is above `after`; else None."""
    pair = common(stmt, after)
    return pair[0] if pair is not None and pair[1] is after and pair[0].index < after.index else None
