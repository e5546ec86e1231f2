"""Output of the main process: saves, logs and progress by one process; checkpoints that load with and without a wrapper."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.diagnostic import Insert
from placefix.facts.context import FileAnalysis, requires
from placefix.facts.devices.device_selection import device_text
from placefix.facts.program.ast_names import argument_value, dotted, is_literal, keyword_value
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.callees import code_of
from placefix.migrate import obstacles
from placefix.migrate.observations import Observations
from placefix.migrate.training_loops import TrainingLoops
from placefix.migrate.wrapped_models import WrappedModels
from placefix.torch_model import outputs

if TYPE_CHECKING:
    from placefix.facts.program.tree import Stmt
    from placefix.migrate.plan import Plan

_MAIN = "rank == 0"
# Their parts may not run.
_CONDITIONAL = (ast.IfExp, ast.BoolOp, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_TERMS = (ast.Constant, ast.Call, ast.Subscript, ast.JoinedStr)
_WRITING_MODES = frozenset("wax+")


class MainProcess(FileAnalysis):
    """The output of one file."""

    seen = requires(Observations)
    models = requires(WrappedModels)
    loops = requires(TrainingLoops)

    def plan_checkpoints(self, plan: Plan) -> None:
        """Rewrite the uses of the wrapper's own attributes, and loads."""
        saves = any(name == "torch.save" for _, _, name in self.context.index.named)
        for call, stmt, name in self.context.index.named:
            if name == "torch.save" and call.args and self._is_wrapper(call.args[0]):
                plan.stop(call.args[0], obstacles.SAVED_WHOLE())
            if name == "torch.load":
                self._load(call, stmt, plan, saves=saves)
            elif isinstance(call.func, ast.Attribute) and self._is_wrapper(call.func.value):
                self._plan_weights(call, call.func, plan)
        self._plan_wrapped_module(plan)

    def _plan_weights(self, call: ast.Call, method: ast.Attribute, plan: Plan) -> None:
        """Let a wrapper read and write names of weights with and without `module.`."""
        owner = self.context.text(method.value)
        if method.attr == "load_state_dict" and call.args:
            plan.helpers["load_weights"] = None
            plan.replace(method, "load_weights")
            plan.replace(call.args[0], f"{owner}, {plan.text(call.args[0])}")
        elif method.attr == "state_dict" and self.models.always and not call.args:
            plan.helpers["weights_of"] = None
            plan.replace(call, f"weights_of({owner})")

    def _plan_wrapped_module(self, plan: Plan) -> None:
        """Let `model.module` be the model itself where it has no wrapper."""
        for node in self.context.tree.root.nodes:
            if isinstance(node, ast.Attribute) and node.attr == "module" and self._is_wrapper(node.value):
                if any(call.func is node and self.loops.runs(stmt) for call, stmt in self.context.index.calls):
                    plan.stop(node, obstacles.RUN_UNWRAPPED())
                elif not self._is_tested(node):
                    plan.helpers["unwrapped"] = None
                    plan.replace(node, f"unwrapped({self.context.text(node.value)})")

    def _is_wrapper(self, node: ast.expr) -> bool:
        """Whether an expression is a wrapped model, on some path."""
        return bool(dotted(node)) and any(True for _ in self.seen.wrappers(node))

    def _is_tested(self, node: ast.Attribute) -> bool:
        """Whether a test asks for the wrapper before `module` is read."""
        owner = self.context.text(node.value)
        tests = [one.test for one, _ in self.context.index.conditionals if node in walk(one)]
        for stmt in self.tree.stmts.values():
            if isinstance(stmt.node, ast.If) and node in walk(stmt.node):
                tests.append(stmt.node.test)
        names = ("isinstance", "hasattr")
        calls = [part for test in tests for part in walk(test) if isinstance(part, ast.Call)]
        return any(dotted(c.func) in names and c.args and self.context.text(c.args[0]) == owner for c in calls)

    def _load(self, call: ast.Call, stmt: Stmt, plan: Plan, *, saves: bool) -> None:
        """Load onto the device of the process, after the main process has saved."""
        if len(call.args) < 2 and all(keyword.arg != "map_location" for keyword in call.keywords) and call.args:
            device = device_text(self.context, stmt) or '"cpu"'
            plan.replace(call.args[0], f"{plan.text(call.args[0])}, map_location={device}")
        if saves and not stmt.suites:
            # not below a test for the file: a process may make it before the file is there, another one later
            tested = [outer for outer in stmt.ancestors() if isinstance(outer.node, ast.If) and _tests_file(outer.node)]
            anchor = tested[-1] if tested else stmt
            plan.edits.append(Insert(self.context.span(anchor), "if distributed:\n    dist.barrier()", "under"))

    def plan_output(self, plan: Plan) -> None:
        """Let output statements run in the main process only."""
        opened: list[ast.Call] = []
        for call, stmt, name in self.context.index.named:
            if name is not None and outputs.result_of(name) == "progress":
                self._quieten(call, plan)
            elif self._is_output(call, stmt, name):
                self._bar(call, stmt, plan)
            elif dotted(call.func) == "open" and self._writes(call):
                opened.append(call)
            elif is_literal(keyword_value(call, "download"), True) and not stmt.suites:
                span = self.context.span(stmt)
                plan.edits.append(
                    Insert(
                        span, "if distributed and rank > 0:\n    dist.barrier()  # the main process downloads", "under"
                    )
                )
                plan.edits.append(Insert(span, "if distributed and rank == 0:\n    dist.barrier()", "after"))
        for call in opened:
            self._redirect(call, opened, plan)

    def _redirect(self, call: ast.Call, opened: list[ast.Call], plan: Plan) -> None:
        """Let a file that the script writes be the null device in the other processes. opened: all calls that open a file to write it."""
        path = call.args[0] if call.args else None
        mode = argument_value(call, 1, "mode")
        plain = isinstance(mode, ast.Constant) and not {"+", "x"} & set(str(mode.value))
        if path is None or not plain or self._is_read(path, opened, plan):
            plan.stop(call, obstacles.WRITES_FILE())
            return
        text = plan.text(path)
        plan.replace(
            path, f"{text if dotted(path) or isinstance(path, _TERMS) else f'({text})'} if {_MAIN} else os.devnull"
        )

    def _is_read(self, path: ast.expr, opened: list[ast.Call], plan: Plan) -> bool:
        """Whether the path of a file occurs in other code than that which writes it: the other processes would not find it there."""
        written = {part for one in opened for part in walk(one)}
        shown = {part for call, stmt in self.context.index.calls if plan.is_barred(stmt) for part in walk(call)}
        same = ast.dump(path)
        return any(
            type(node) is type(path) and node not in written and node not in shown and ast.dump(node) == same
            for node in self.context.tree.root.nodes
        )

    def _is_output(self, call: ast.Call, stmt: Stmt, name: str | None) -> bool:
        text = dotted(call.func)
        if is_literal(keyword_value(call, "exist_ok"), True):
            return False  # every process may run it
        alone = isinstance(stmt.node, ast.Expr) and stmt.node.value is call
        result = outputs.result_of(name or text)
        if result == "none":
            return name is not None or stmt.scope.lookup(text) is None
        if name is not None and result == "unused":
            return alone
        if not isinstance(call.func, ast.Attribute) or not alone:
            return False
        made = [s.value.name or s.value.made for s in self.seen.of(call.func.value)]
        return bool(made) and all(outputs.result_of(one) == "writer" for one in made)

    def _bar(self, call: ast.Call, stmt: Stmt, plan: Plan) -> None:
        if not isinstance(stmt.node, ast.Expr) or stmt.node.value is not call:
            plan.stop(call, obstacles.OUTPUT_VALUE(name=self.context.text(call.func)))
        elif self._may_matter(call, stmt) and not self._hoist(call, stmt, plan):
            plan.stop(call, obstacles.RUNS_IN_OUTPUT())
        elif not self._has_own_lines(stmt):
            plan.stop(call, obstacles.OUTPUT_ALONE())
        else:
            plan.bar(call, _MAIN)

    def _runs(self, stmt: Stmt) -> bool:
        """Whether a statement runs a model, an optimizer or a loader."""
        return any(event.kind in ("call", "state", "iterate") for event in self.seen.index.within(stmt))

    def _may_matter(self, call: ast.Call, stmt: Stmt) -> bool:
        """Whether an output statement may do more than its output: it runs a model, or a function of the file of several statements."""
        inner = (code_of(part, stmt.scope, None) for part in walk(call) if isinstance(part, ast.Call))
        return self._runs(stmt) or any(scope is not None and len(scope.body.stmts) > 1 for scope in inner)

    def _hoist(self, call: ast.Call, stmt: Stmt, plan: Plan) -> bool:
        """Let the functions of the file that an output statement calls run above it, in every process; False if they cannot."""
        todo: list[ast.AST] = [*call.args, *call.keywords]
        found: list[ast.Call] = []
        while todo:
            node = todo.pop()
            if isinstance(node, _CONDITIONAL):
                return False
            if isinstance(node, ast.Call) and code_of(node, stmt.scope, None) is not None:
                found.append(node)
            elif isinstance(node, ast.Call) and self.seen.index.of_node("call", node):
                return False
            else:
                todo += ast.iter_child_nodes(node)
        for inner in sorted(found, key=self.context.span):
            name = plan.fresh(f"{dotted(inner.func).rpartition('.')[2]}_result")
            if not plan.replace(inner, name):
                return False
            plan.edits.append(Insert(self.context.span(stmt), f"{name} = {self.context.text(inner)}", "under"))
        return bool(found)

    def _has_own_lines(self, stmt: Stmt) -> bool:
        """Whether no other statement is on the lines of a statement."""
        source, span = self.context.source, self.context.span(stmt)
        start = source.line_starts[source.line_of(span.start) - 1]
        behind = next(iter(source.text[span.end :].splitlines()), "").lstrip()
        return not source.text[start : span.start].strip() and (not behind or behind.startswith("#"))

    def _quieten(self, call: ast.Call, plan: Plan) -> None:
        """Let only the main process show a progress bar."""
        given = keyword_value(call, "disable")
        if given is not None:
            plan.replace(given, f"({plan.text(given)}) or rank > 0")
        elif call.args or call.keywords:
            last = call.keywords[-1].value if call.keywords else call.args[-1]
            plan.replace(last, f"{plan.text(last)}, disable=rank > 0")

    @staticmethod
    def _writes(call: ast.Call) -> bool:
        mode = argument_value(call, 1, "mode")
        if mode is None:
            return False
        return not isinstance(mode, ast.Constant) or bool(_WRITING_MODES & set(str(mode.value)))


def _tests_file(node: ast.If) -> bool:
    """Whether a test calls something other than a type: it may ask for the file."""
    calls = (part for part in walk(node.test) if isinstance(part, ast.Call))
    return any(dotted(call.func) not in ("isinstance", "hasattr", "len") for call in calls)
