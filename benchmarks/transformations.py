"""Rewrite a program in ways that keep its meaning: the same bug, spelled as other people spell it.

A program is a mapping from file names to texts; its main file is ``main.py`` (or ``main.ipynb``). A transformation returns the new
mapping, or raises `NotApplicable`. Layout and comments are lost (`ast.unparse`), names are kept unless the transformation is
about names. Whether the meaning is really kept is not decided here: `metamorphic.py` runs both programs.
"""

from __future__ import annotations

import ast
import copy
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from placefix.torch_model.rows import operators

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterable, Sequence

Files = dict[str, str]
MAIN = "main.py"
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
IMPORTS = (ast.Import, ast.ImportFrom)
LEAVES = (ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal)
_NAMES = (
    "alpha", "bravo", "delta", "gadget", "harbor", "indigo", "juniper", "kestrel", "lagoon", "meadow", "nectar", "oriole", "pebble", "quarry", "ripple", "saffron", "timber", "umbra", "velvet", "willow",
)  # fmt: skip


class NotApplicable(Exception):  # noqa: N818 -- it is no error: the program has nothing that the transformation is about
    """The transformation finds nothing in this program to rewrite."""


class Block(NamedTuple):
    """The statements that train: those of the module, or of the function that has the loop."""

    statements: list[ast.stmt]
    owner: ast.Module | ast.FunctionDef
    loop: int  # the index of the first loop that moves or calls something


def _tree(files: Files) -> ast.Module:
    if MAIN not in files:
        raise NotApplicable
    return ast.parse(files[MAIN])


def _with_main(files: Files, tree: ast.Module, **others: str) -> Files:
    return {**files, **{name.replace("_py", ".py"): text for name, text in others.items()}, MAIN: _text(tree)}


def _text(tree: ast.AST | Iterable[ast.stmt]) -> str:
    module = tree if isinstance(tree, ast.AST) else ast.Module(list(tree), [])
    return ast.unparse(ast.fix_missing_locations(module)) + "\n"


def _stored(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that statements bind in their own scope."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, DEFINITIONS):
            found.add(node.name)
            continue
        if isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            found.add(node.id)
        if isinstance(node, IMPORTS):
            found |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        if isinstance(node, ast.ExceptHandler) and node.name:
            found.add(node.name)
        found |= _stored(ast.iter_child_nodes(node))
    return found


def _loaded(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that statements read anywhere inside; a name that is only changed in place (``x += 1``) is read, too."""
    found: set[str] = set()
    for root in nodes:
        for node in ast.walk(root):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                found.add(node.id)
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                found.add(node.target.id)
    return found


def _free(definitions: Iterable[ast.AST]) -> set[str]:
    """The names that functions and classes read and do not bind themselves."""
    found: set[str] = set()
    for node in definitions:
        if isinstance(node, ast.ClassDef):
            found |= _free(node.body) | _loaded([*node.bases, *node.decorator_list])
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            own = _stored(node.body) | {a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)}
            declared = {name for n in ast.walk(node) if isinstance(n, ast.Global) for name in n.names}
            outside = _loaded([*node.args.defaults, *filter(None, node.args.kw_defaults), *node.decorator_list])
            found |= (_loaded(node.body) - (own - declared)) | declared | outside
        else:
            found |= _loaded([node])
    return found


def _head(tree: ast.Module) -> list[ast.stmt]:
    return [node for node in tree.body if isinstance(node, (*DEFINITIONS, *IMPORTS))]


def _block(tree: ast.Module) -> Block:
    """The block that trains: the one with the first `for` or `while` that calls `backward`, `step` or a moved thing."""
    owners: list[ast.Module | ast.FunctionDef] = [tree, *(n for n in tree.body if isinstance(n, ast.FunctionDef))]
    for owner in owners:
        for index, node in enumerate(owner.body):
            if isinstance(node, (ast.For, ast.While)):
                text = ast.unparse(node)
                if any(word in text for word in ("backward(", ".step(", ".to(", ".cuda(", "model", "net")):
                    return Block(owner.body, owner, index)
    raise NotApplicable


def _innermost(block: Block) -> ast.For:
    """The loop over batches: the innermost `for` of the block whose target has several names or is a batch."""
    loops = [n for n in ast.walk(block.statements[block.loop]) if isinstance(n, ast.For)]
    for loop in reversed(loops):
        if not (
            isinstance(loop.iter, ast.Call) and isinstance(loop.iter.func, ast.Name) and loop.iter.func.id == "range"
        ):
            return loop
    raise NotApplicable


def _last_loop(block: Block) -> ast.For:
    """The last of the loops in the block."""
    loops = [n for n in ast.walk(block.statements[block.loop]) if isinstance(n, ast.For)]
    if not loops:
        raise NotApplicable
    return loops[-1]


def _has(nodes: Iterable[ast.AST], kinds: tuple[type, ...]) -> bool:
    return any(isinstance(inner, kinds) for node in nodes for inner in ast.walk(node))


def _name(word: str, context: type[ast.expr_context] = ast.Load) -> ast.Name:
    return ast.Name(word, context())


def _parameters(names: Iterable[str]) -> str:
    return ", ".join(names)


def _extraction(tree: ast.Module) -> tuple[Block, str, list[str], list[str]]:
    """The loop of the block as the body of a function: its parameters and what it must return."""
    block = _block(tree)
    loop = block.statements[block.loop]
    if _has([loop], LEAVES):
        raise NotApplicable
    everywhere = _stored(_head(tree)) if block.owner is tree else _stored(tree.body)
    before = _stored(block.statements[: block.loop]) | (
        set()
        if isinstance(block.owner, ast.Module)
        else {a.arg for a in ast.walk(block.owner.args) if isinstance(a, ast.arg)}
    )
    if isinstance(block.owner, ast.Module):
        before -= everywhere
    inside = _stored([loop])
    parameters = sorted(_loaded([loop]) & before)
    after = _loaded(block.statements[block.loop + 1 :])
    if isinstance(block.owner, ast.Module):
        after |= _free(n for n in tree.body if isinstance(n, DEFINITIONS))
        if inside & _free(n for n in tree.body if isinstance(n, DEFINITIONS)):
            raise NotApplicable
    returned = sorted(inside & after)
    return block, ast.unparse(loop), parameters, returned


def _indented(text: str, levels: int = 1) -> str:
    return "\n".join("    " * levels + line for line in text.splitlines())


def _function(name: str, parameters: list[str], body: str, returned: list[str]) -> str:
    """The text of a function."""
    text = f"def {name}({_parameters(parameters)}):\n{_indented(body)}"
    return text + (f"\n    return {', '.join(returned)}" if returned else "")


def _call_statement(call: str, returned: list[str]) -> ast.stmt:
    return ast.parse(f"{', '.join(returned)} = {call}" if returned else call).body[0]


def extract_function(files: Files, chance: random.Random) -> Files:
    """The loop becomes a function of the same file; everything it reads is an argument."""
    tree = _tree(files)
    block, body, parameters, returned = _extraction(tree)
    text = _function("run_epochs", parameters, body, returned)
    block.statements[block.loop] = _call_statement(f"run_epochs({_parameters(parameters)})", returned)
    _insert_definition(tree, ast.parse(text).body[0])
    return _with_main(files, tree)


def extract_method(files: Files, chance: random.Random) -> Files:
    """The loop becomes the method of a class without attributes."""
    tree = _tree(files)
    block, body, parameters, returned = _extraction(tree)
    text = "class Runner:\n" + _indented(_function("run", ["self", *parameters], body, returned))
    block.statements[block.loop] = _call_statement(f"Runner().run({_parameters(parameters)})", returned)
    _insert_definition(tree, ast.parse(text).body[0])
    return _with_main(files, tree)


def function_in_other_file(files: Files, chance: random.Random) -> Files:
    """The loop becomes a function of another file, which has the imports of the first."""
    tree = _tree(files)
    block, body, parameters, returned = _extraction(tree)
    own = _stored(n for n in tree.body if isinstance(n, DEFINITIONS))
    if _loaded([block.statements[block.loop]]) & own:
        raise NotApplicable
    text = _function("run_epochs", parameters, body, returned)
    block.statements[block.loop] = _call_statement(f"run_epochs({_parameters(parameters)})", returned)
    other = _text([n for n in tree.body if isinstance(n, IMPORTS) and not _is_future(n)]) + "\n\n" + text + "\n"
    _insert_import(tree, "from loops import run_epochs")
    return _with_main(files, tree, loops_py=other)


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _insert(tree: ast.Module, node: ast.stmt, below: tuple[type, ...]) -> None:
    """Insert a statement behind the docstring and the first statements of some kinds, so that it is bound before its use."""
    index = 0
    for place, statement in enumerate(tree.body):
        if not (isinstance(statement, below) or (place == 0 and isinstance(statement, ast.Expr))):
            break
        index = place + 1
    tree.body.insert(index, node)


def _insert_definition(tree: ast.Module, node: ast.stmt) -> None:
    _insert(tree, node, (*DEFINITIONS, *IMPORTS))


def _insert_import(tree: ast.Module, text: str) -> None:
    _insert(tree, ast.parse(text).body[0], IMPORTS)


class _Attributes(ast.NodeTransformer):
    """`x` becomes `self.x` for some names, except where an inner scope binds the name anew."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.names:
            return ast.Attribute(_name("self"), node.id, type(node.ctx)())
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        bound = {a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)}
        return ast.Lambda(node.args, _Attributes(self.names - bound).visit(node.body))

    def _comprehension(self, node: ast.AST) -> ast.AST:
        bound = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        if bound & self.names:
            raise NotApplicable
        return self.generic_visit(node)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension  # noqa: N815


class Trainer(NamedTuple):
    """A script as the parts of a class: what stands outside, what builds, what runs."""

    head: Sequence[ast.stmt]
    build: Sequence[ast.stmt]
    run: Sequence[ast.stmt]


def _trainer(tree: ast.Module) -> Trainer:
    block = _block(tree)
    if not isinstance(block.owner, ast.Module):
        raise NotApplicable
    outside = (*DEFINITIONS, *IMPORTS)
    head = [n for n in tree.body if isinstance(n, outside)]
    if tree.body and isinstance(tree.body[0], ast.Expr):
        tree.body = tree.body[1:]
    before = [n for n in tree.body[: tree.body.index(block.statements[block.loop])] if not isinstance(n, outside)]
    after = [n for n in tree.body[tree.body.index(block.statements[block.loop]) :] if not isinstance(n, outside)]
    # Constants that the definitions read stay outside, above them.
    needed = _free(n for n in head if isinstance(n, DEFINITIONS)) & _stored([*before, *after])
    if needed:
        raise NotApplicable
    if not before or _has([*before, *after], (*LEAVES, ast.Try)):
        raise NotApplicable
    attributes = _stored(before) & (_loaded(after) | _stored(after))
    change = _Attributes(attributes)
    return Trainer(head, [change.visit(n) for n in before], [change.visit(n) for n in after])


def trainer_class(files: Files, chance: random.Random) -> Files:
    """The script becomes a class that builds in `__init__` and runs in `fit`; names become attributes."""
    head, build, run = _trainer(_tree(files))
    text = _text(head) + "\n\nclass Trainer:\n    def __init__(self):\n" + _indented(_text(build), 2)
    text += "\n\n    def fit(self):\n" + _indented(_text(run), 2) + "\n\n\nTrainer().fit()\n"
    return {**files, MAIN: text}


def trainer_with_base(files: Files, chance: random.Random) -> Files:
    """The same; `__init__` is in a base class in another file."""
    head, build, run = _trainer(_tree(files))
    future = [n for n in head if _is_future(n)]
    base = _text(head) + "\n\nclass BaseTrainer:\n    def __init__(self):\n" + _indented(_text(build), 2) + "\n"
    imports = [n for n in head if isinstance(n, IMPORTS) and n not in future]
    names = sorted(n.name for n in head if isinstance(n, DEFINITIONS) and n.name in _loaded(run))
    text = _text([*future, *imports]) + f"from trainer_base import {', '.join(['BaseTrainer', *names])}\n"
    text += (
        "\n\nclass Trainer(BaseTrainer):\n    def fit(self):\n" + _indented(_text(run), 2) + "\n\n\nTrainer().fit()\n"
    )
    return {**files, "trainer_base.py": base, MAIN: text}


def template_method(files: Files, chance: random.Random) -> Files:
    """The base class runs the innermost loop, mostly over batches, and calls `step(batch)`, which the subclass defines."""
    tree = _tree(files)
    block = _block(tree)
    loop = _last_loop(block)
    if _has([loop], (*LEAVES, ast.Break, ast.Continue, ast.Try)) or loop.orelse:
        raise NotApplicable
    target = ast.unparse(loop.target)
    inner = _stored(loop.body) | _stored([loop.target])
    others = [n for n in tree.body if n is not block.statements[block.loop]]
    used_outside = _free(others)
    outer = copy.deepcopy(block.statements[block.loop])
    for node in ast.walk(outer):
        if isinstance(node, ast.For) and ast.dump(node) == ast.dump(loop):
            node.body, node.target = [ast.Pass()], _name("batch", ast.Store)
    used_outside |= _loaded([outer]) | _stored([outer])
    local = {n for n in inner if n not in used_outside and not _read_first(loop, n)}
    body = ast.parse(f"{target} = batch").body + loop.body
    marker = ast.parse("self.step(batch)").body
    loop.body, loop.target = marker, _name("batch", ast.Store)
    head, build, run = _trainer(tree)
    attributes = (_stored(block.statements) | (inner - local)) & (_loaded(body) | _stored(body)) - _stored(
        head
    ) - local - {"batch"}
    change = _Attributes(attributes)
    build_text = _text(build)
    step = [change.visit(n) for n in body]
    # What the step reads and `__init__` binds must be an attribute there as well.
    unset = {n for n in attributes if n in _stored(ast.parse(build_text).body)}
    build = [_Attributes(unset).visit(n) for n in build]
    run = [change.visit(n) for n in run]
    text = _text(head) + "\n\nclass BaseTrainer:\n    def fit(self):\n" + _indented(_text(run), 2)
    text += "\n\n\nclass Trainer(BaseTrainer):\n    def __init__(self):\n" + _indented(_text(build), 2)
    text += "\n\n    def step(self, batch):\n" + _indented(_text(step), 2) + "\n\n\nTrainer().fit()\n"
    return {**files, MAIN: text}


def _read_first(loop: ast.For, name: str) -> bool:
    """Whether the body may read a name before it binds it (an accumulator)."""
    for node in loop.body:
        if name in _loaded([node]):
            return True
        if name in _stored([node]):
            return False
    return False


class _Construction(NamedTuple):
    statement: ast.Assign
    call: ast.Call
    target: str


def _model_construction(tree: ast.Module, *, own_class: bool = False) -> tuple[Block, _Construction]:
    """The first assignment of the block that makes a module of a class of the file, or of torch.nn."""
    block = _block(tree)
    classes = {
        n.name for n in tree.body if isinstance(n, ast.ClassDef) and any("Module" in ast.unparse(b) for b in n.bases)
    }
    for node in block.statements[: block.loop]:
        if not (isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)):
            continue
        for call in ast.walk(node.value):
            if isinstance(call, ast.Call):
                word = ast.unparse(call.func)
                fits = word in classes or (
                    not own_class and word in ("nn.Sequential", "nn.Linear", "torch.nn.Linear", "torch.nn.Sequential")
                )
                if fits and not any(k.arg is None for k in call.keywords):
                    return block, _Construction(node, call, node.targets[0].id)
    raise NotApplicable


def _replace_call(construction: _Construction, text: str) -> None:
    new = ast.parse(text, mode="eval").body
    for node in ast.walk(construction.statement):
        for field, value in ast.iter_fields(node):
            if value is construction.call:
                setattr(node, field, new)
            if isinstance(value, list):
                value[:] = [new if item is construction.call else item for item in value]


def builder(files: Files, chance: random.Random) -> Files:
    """A function makes the model."""
    tree = _tree(files)
    block, made = _model_construction(tree)
    free = sorted(_loaded([made.call]) & (_stored(block.statements) - _stored(_head(tree))))
    _insert_definition(
        tree,
        ast.parse(
            f"def build_model({_parameters(free)}):\n    model = {ast.unparse(made.call)}\n    return model"
        ).body[0],
    )
    _replace_call(made, f"build_model({_parameters(free)})")
    return _with_main(files, tree)


def models_in_other_file(files: Files, chance: random.Random) -> Files:
    """The classes of modules are in another file."""
    tree = _tree(files)
    classes = [n for n in tree.body if isinstance(n, ast.ClassDef) and any("Module" in ast.unparse(b) for b in n.bases)]
    names = {n.name for n in classes}
    if not classes or (_free(classes) - names) & _stored(
        n for n in tree.body if n not in classes and not isinstance(n, IMPORTS)
    ):
        raise NotApplicable
    other = _text([n for n in tree.body if isinstance(n, IMPORTS) and not _is_future(n)] + list(classes))
    tree.body = [n for n in tree.body if n not in classes]
    _insert_import(tree, f"from models import {', '.join(sorted(names))}")
    return _with_main(files, tree, models_py=other)


def registry(files: Files, chance: random.Random) -> Files:
    """The class of the model is taken from a dictionary, by a name that is a setting."""
    tree = _tree(files)
    _, made = _model_construction(tree, own_class=True)
    arguments = ", ".join(
        [*(ast.unparse(a) for a in made.call.args), *(f"{k.arg}={ast.unparse(k.value)}" for k in made.call.keywords)]
    )
    statement = made.statement
    _replace_call(made, f"MODELS[settings['model']]({arguments})")
    owner = (
        tree.body
        if statement in tree.body
        else next(n.body for n in tree.body if isinstance(n, ast.FunctionDef) and statement in n.body)
    )
    place = owner.index(statement)
    owner[place:place] = ast.parse(
        f"MODELS = {{'net': {ast.unparse(made.call.func)}}}\nsettings = {{'model': 'net'}}"
    ).body
    return _with_main(files, tree)


def decorated_registry(files: Files, chance: random.Random) -> Files:
    """The classes of modules register themselves by a decorator."""
    tree = _tree(files)
    _, made = _model_construction(tree, own_class=True)
    word = ast.unparse(made.call.func)
    owner = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == word)
    owner.decorator_list.append(ast.parse("register('net')", mode="eval").body)
    place = tree.body.index(owner)
    tree.body[place:place] = ast.parse(
        "REGISTRY = {}\n\n\ndef register(name):\n    def add(cls):\n        REGISTRY[name] = cls\n        return cls\n    return add\n"
    ).body
    arguments = ", ".join(
        [*(ast.unparse(a) for a in made.call.args), *(f"{k.arg}={ast.unparse(k.value)}" for k in made.call.keywords)]
    )
    _replace_call(made, f"REGISTRY['net']({arguments})")
    return _with_main(files, tree)


class _Arguments(ast.NodeTransformer):
    def __init__(self, names: dict[str, list[str]]) -> None:
        self.names = names

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in self.names:
            node.keywords += [ast.keyword(n, _name(n)) for n in self.names[node.func.id]]
        return node


def argument_for_global(files: Files, chance: random.Random) -> Files:
    """What functions read of the module level becomes a parameter of theirs."""
    tree = _tree(files)
    functions = [n for n in tree.body if isinstance(n, ast.FunctionDef) and not n.decorator_list]
    level = _stored(n for n in tree.body if not isinstance(n, (*DEFINITIONS, *IMPORTS)))
    wanted: dict[str, list[str]] = {}
    for function in functions:
        own = _stored(function.body) | {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)}
        names = sorted((_loaded(function.body) & level) - own)
        if names and not _has(function.body, (ast.Global,)) and not function.args.kwarg:
            wanted[function.name] = names
    callers = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} & set(wanted)
    called = {n.func.id for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    wanted = {name: names for name, names in wanted.items() if name in callers and name in called}
    # A function that is called by another one needs the argument there as well.
    changed = True
    while changed:
        changed = False
        for function in functions:
            inner = {n.func.id for n in ast.walk(function) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
            more = sorted({n for c in inner & set(wanted) for n in wanted[c]} - set(wanted.get(function.name, ())))
            own = _stored(function.body) | {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)}
            more = [n for n in more if n not in own]
            if more and function.name in called:
                wanted[function.name] = [*wanted.get(function.name, []), *more]
                changed = True
    if not wanted:
        raise NotApplicable
    for function in functions:
        if function.name in wanted:
            function.args.kwonlyargs += [ast.arg(n) for n in wanted[function.name]]
            function.args.kw_defaults += [None] * len(wanted[function.name])
    return _with_main(files, _Arguments(wanted).visit(tree))


def _pair_loop(tree: ast.Module) -> ast.For:
    """A `for x, y in …` without `enumerate` or `zip`; with `enumerate`, the pair is inside the target."""
    for node in ast.walk(tree):
        if isinstance(node, ast.For) and isinstance(_pair(node), ast.Tuple):
            words = ast.unparse(node.iter)
            if not any(w in words for w in ("zip(", ".items(", "range(", "named_")):
                return node
    raise NotApplicable


def _pair(loop: ast.For) -> ast.expr:
    target = loop.target
    if isinstance(loop.iter, ast.Call) and ast.unparse(loop.iter.func) == "enumerate":
        return target.elts[1] if isinstance(target, ast.Tuple) and len(target.elts) == 2 else target
    return target


def _with_pair(loop: ast.For, new: ast.expr) -> None:
    if isinstance(loop.iter, ast.Call) and ast.unparse(loop.iter.func) == "enumerate":
        assert isinstance(loop.target, ast.Tuple)
        loop.target.elts[1] = new
    else:
        loop.target = new


def tuple_batch(files: Files, chance: random.Random) -> Files:
    """`for x, y in loader` becomes `for batch in loader` and the batch is unpacked."""
    tree = _tree(files)
    loop = _pair_loop(tree)
    pair = _pair(loop)
    _with_pair(loop, _name("batch", ast.Store))
    loop.body[:0] = ast.parse(f"{ast.unparse(pair)} = batch").body
    return _with_main(files, tree)


def batch_items(files: Files, chance: random.Random) -> Files:
    """The same, with one assignment for each item."""
    tree = _tree(files)
    loop = _pair_loop(tree)
    pair = _pair(loop)
    assert isinstance(pair, ast.Tuple)
    if any(isinstance(e, ast.Starred) for e in pair.elts):
        raise NotApplicable
    _with_pair(loop, _name("batch", ast.Store))
    loop.body[:0] = ast.parse("\n".join(f"{ast.unparse(e)} = batch[{i}]" for i, e in enumerate(pair.elts))).body
    return _with_main(files, tree)


_DICTIONARIES = """
class Keyed(torch.utils.data.Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        first, second = self.rows[index]
        return {"input": first, "label": second}
"""


def dict_batch(files: Files, chance: random.Random) -> Files:
    """The data set gives dictionaries, and the loop takes them apart by key."""
    tree = _tree(files)
    if "import torch" not in files[MAIN] or "collate_fn" in files[MAIN]:
        raise NotApplicable
    loops = [n for n in ast.walk(tree) if isinstance(n, (ast.For, ast.comprehension))]
    loaders = [
        n for n in ast.walk(tree)
        if isinstance(n, ast.Assign) and isinstance(n.value, ast.Call) and ast.unparse(n.value.func).endswith("DataLoader") and n.value.args
        and len(n.targets) == 1 and isinstance(n.targets[0], ast.Name)
    ]  # fmt: skip
    for loader in loaders:
        assert isinstance(loader.targets[0], ast.Name)
        name = loader.targets[0].id
        uses = [n for n in loops if name in _loaded([n.iter])]
        mentions = sum(isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load) for n in ast.walk(tree))
        if (
            not uses
            or mentions != len(uses)
            or not all(isinstance(n, ast.For) and isinstance(_pair(n), ast.Tuple) for n in uses)
        ):
            continue
        pairs = [_pair(n) for n in uses if isinstance(n, ast.For)]
        if any(not isinstance(p, ast.Tuple) or len(p.elts) != 2 for p in pairs):
            continue
        assert isinstance(loader.value, ast.Call)
        loader.value.args[0] = ast.Call(_name("Keyed"), [loader.value.args[0]], [])
        for loop, pair in zip(uses, pairs, strict=True):
            assert isinstance(loop, ast.For)
            assert isinstance(pair, ast.Tuple)
            _with_pair(loop, _name("batch", ast.Store))
            x, y = (ast.unparse(e) for e in pair.elts)
            loop.body[:0] = ast.parse(f'{x} = batch["input"]\n{y} = batch["label"]').body
        _insert_definition(tree, ast.parse(_DICTIONARIES).body[0])
        return _with_main(files, tree)
    raise NotApplicable


def while_next(files: Files, chance: random.Random) -> Files:
    """A loop over batches asks an iterator for the next one."""
    tree = _tree(files)
    loop = _pair_loop(tree)
    if loop.orelse or "enumerate" in ast.unparse(loop.iter):
        raise NotApplicable
    text = f"batches = iter({ast.unparse(loop.iter)})\nwhile True:\n    try:\n        {ast.unparse(loop.target)} = next(batches)\n"
    text += f"    except StopIteration:\n        break\n{_indented(_text(loop.body))}"
    new = ast.parse(text).body
    for node in ast.walk(tree):
        for body in (getattr(node, "body", None), getattr(node, "orelse", None)):
            if isinstance(body, list) and loop in body:
                place = body.index(loop)
                body[place : place + 1] = new
                return _with_main(files, tree)
    raise NotApplicable


def _moving_helper(files: Files, *, elsewhere: bool) -> Files:
    tree = _tree(files)
    count = 0

    class Moves(ast.NodeTransformer):
        def visit_Call(self, node: ast.Call) -> ast.AST:
            nonlocal count
            self.generic_visit(node)
            plain = (
                isinstance(node.func, ast.Attribute)
                and node.func.attr == "to"
                and len(node.args) == 1
                and not node.keywords
            )
            if plain and isinstance(node.func, ast.Attribute) and "dev" in ast.unparse(node.args[0]):
                count += 1
                return ast.Call(_name("to_device"), [node.func.value, node.args[0]], [])
            return node

    tree = Moves().visit(tree)
    if not count:
        raise NotApplicable
    helper = "def to_device(thing, device):\n    return thing.to(device)\n"
    if elsewhere:
        _insert_import(tree, "from helpers import to_device")
        return _with_main(files, tree, helpers_py=helper)
    _insert_definition(tree, ast.parse(helper).body[0])
    return _with_main(files, tree)


def moving_helper(files: Files, chance: random.Random) -> Files:
    """A helper of the file moves."""
    return _moving_helper(files, elsewhere=False)


def moving_helper_in_other_file(files: Files, chance: random.Random) -> Files:
    """A helper of another file moves."""
    return _moving_helper(files, elsewhere=True)


def loader_in_other_file(files: Files, chance: random.Random) -> Files:
    """A function of another file makes the loader."""
    tree = _tree(files)
    count = 0

    class Loaders(ast.NodeTransformer):
        def visit_Call(self, node: ast.Call) -> ast.AST:
            nonlocal count
            self.generic_visit(node)
            if ast.unparse(node.func).endswith("DataLoader") and node.args:
                count += 1
                return ast.Call(_name("make_loader"), node.args, node.keywords)
            return node

    tree = Loaders().visit(tree)
    if not count:
        raise NotApplicable
    other = "from torch.utils.data import DataLoader\n\n\ndef make_loader(dataset, **options):\n    return DataLoader(dataset, **options)\n"
    _insert_import(tree, "from data import make_loader")
    return _with_main(files, tree, data_py=other)


def other_spelling(files: Files, chance: random.Random) -> Files:
    """Functions of torch become methods (`torch.exp(x)`, `x.exp()`), and methods functions."""
    tree = _tree(files)
    both = {name for name, row in operators().items() if {"torch", "method"} <= set(row.spellings)}
    modules = {"torch", "nn", "F", "optim", "np", "os", "math", "random"}
    count = 0

    class Spelling(ast.NodeTransformer):
        def visit_Call(self, node: ast.Call) -> ast.AST:
            nonlocal count
            self.generic_visit(node)
            if not (isinstance(node.func, ast.Attribute) and node.func.attr in both):
                return node
            owner = node.func.value
            if isinstance(owner, ast.Name) and owner.id == "torch":
                if node.args and not isinstance(node.args[0], (ast.Starred, ast.List, ast.Tuple, ast.Constant)):
                    count += 1
                    return ast.Call(
                        ast.Attribute(node.args[0], node.func.attr, ast.Load()), node.args[1:], node.keywords
                    )
                return node
            if isinstance(owner, ast.Name) and owner.id in modules:
                return node
            if isinstance(owner, (ast.Name, ast.Call)) and node.func.attr in (
                "sum",
                "mean",
                "exp",
                "log",
                "abs",
                "argmax",
                "sigmoid",
                "tanh",
                "softmax",
                "eq",
                "matmul",
                "pow",
            ):
                count += 1
                return ast.Call(
                    ast.Attribute(_name("torch"), node.func.attr, ast.Load()), [owner, *node.args], node.keywords
                )
            return node

    tree = Spelling().visit(tree)
    if not count or "import torch\n" not in files[MAIN] + "\n":
        raise NotApplicable
    return _with_main(files, tree)


class _Renames(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self.names.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg = self.names.get(node.arg, node.arg)
        return node

    def visit_Global(self, node: ast.Global) -> ast.AST:
        node.names = [self.names.get(n, n) for n in node.names]
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        if node.name:
            node.name = self.names.get(node.name, node.name)
        return self.generic_visit(node)


def random_names(files: Files, chance: random.Random) -> Files:
    """All variables get names that say nothing."""
    tree = _tree(files)
    keywords = {k.arg for n in ast.walk(tree) if isinstance(n, ast.Call) for k in n.keywords}
    variables = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    variables |= {
        a.arg
        for n in ast.walk(tree)
        if isinstance(n, ast.FunctionDef)
        for a in ast.walk(n.args)
        if isinstance(a, ast.arg)
    }
    imported = _stored(n for n in ast.walk(tree) if isinstance(n, IMPORTS))
    variables -= (
        keywords
        | imported
        | {"self", "cls", "__name__", "_"}
        | {n.name for n in ast.walk(tree) if isinstance(n, DEFINITIONS)}
    )
    variables = {n for n in variables if not n.startswith("__")}
    words = [w + (str(i) if i else "") for i in range(9) for w in chance.sample(_NAMES, len(_NAMES))]
    if not variables or len(variables) > len(words):
        raise NotApplicable
    return _with_main(files, _Renames(dict(zip(sorted(variables), words, strict=False))).visit(tree))


def main_function(files: Files, chance: random.Random) -> Files:
    """The script has a function `main`, options, and the test of `__name__`."""
    tree = _tree(files)
    if "__main__" in files[MAIN]:
        raise NotApplicable
    head = [n for n in tree.body if isinstance(n, (*DEFINITIONS, *IMPORTS))]
    body = [n for n in tree.body if n not in head and not (n is tree.body[0] and isinstance(n, ast.Expr))]
    needed = _free(n for n in head if isinstance(n, DEFINITIONS)) & _stored(body)
    if not body or needed or _has(body, (ast.Global,)):
        raise NotApplicable
    text = _text(head) + "\n\ndef main(options):\n" + _indented(_text(body))
    text += '\n\n\nif __name__ == "__main__":\n    import argparse\n    parser = argparse.ArgumentParser()\n'
    text += '    parser.add_argument("--seed", type=int, default=0)\n    main(parser.parse_args())\n'
    return {**files, MAIN: text}


def cells(files: Files, chance: random.Random) -> Files:
    """The statements of the module level are the cells of a notebook."""
    tree = _tree(files)
    groups: list[list[ast.stmt]] = [[]]
    for node in tree.body:
        if groups[-1] and (isinstance(node, (ast.For, ast.While, *DEFINITIONS)) or len(groups[-1]) >= 5):
            groups.append([])
        groups[-1].append(node)
    if len(groups) < 3 or "__main__" in files[MAIN]:
        raise NotApplicable
    cells_: list[dict[str, object]] = [
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "id": f"c{i}", "source": _text(g).rstrip("\n").splitlines(keepends=True)}
        for i, g in enumerate(groups)
    ]  # fmt: skip
    document = {"cells": cells_, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
    rest = {name: text for name, text in files.items() if name != MAIN}
    return {**rest, "main.ipynb": json.dumps(document, indent=1) + "\n"}


def without_imports(files: Files, chance: random.Random) -> Files:
    """What people paste: the file without its imports. It is run with them."""
    tree = _tree(files)
    kept = [n for n in tree.body if not isinstance(n, IMPORTS)]
    if len(kept) == len(tree.body) or "__future__" in files[MAIN] or len(files) > 1:
        raise NotApplicable
    return {MAIN: _text(kept)}


class Transformation(NamedTuple):
    """A rewrite that keeps the meaning. hides: from then on a reader can no longer prove what a name is, so that a fix that was
    safe must be unsafe."""

    name: str
    rewrite: Callable[[Files, random.Random], Files]
    hides: bool = False


TRANSFORMATIONS = (
    Transformation("function", extract_function),
    Transformation("method", extract_method),
    Transformation("function in another file", function_in_other_file),
    Transformation("trainer class", trainer_class),
    Transformation("trainer with a base class in another file", trainer_with_base),
    Transformation("template method", template_method),
    Transformation("builder", builder),
    Transformation("models in another file", models_in_other_file),
    Transformation("registry", registry),
    Transformation("registry by decorator", decorated_registry),
    Transformation("argument for global", argument_for_global),
    Transformation("tuple batch", tuple_batch),
    Transformation("batch by items", batch_items),
    Transformation("dictionary batch", dict_batch),
    Transformation("while next", while_next),
    Transformation("helper that moves", moving_helper),
    Transformation("helper in another file", moving_helper_in_other_file),
    Transformation("loader from another file", loader_in_other_file),
    Transformation("other spelling", other_spelling),
    Transformation("random names", random_names),
    Transformation("main function", main_function),
    Transformation("cells", cells),
    Transformation("without imports", without_imports, hides=True),
)
