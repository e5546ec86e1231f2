"""The getters of a call's arguments, and of literals."""

from __future__ import annotations

import ast

import pytest

from placefix.facts.program.ast_names import argument_value, is_literal, keyword_value, literal_int, may_give


def expression(text: str) -> ast.expr:
    """The tree of an expression."""
    return ast.parse(text, mode="eval").body


def call(text: str) -> ast.Call:
    """The tree of a call."""
    node = expression(text)
    assert isinstance(node, ast.Call)
    return node


@pytest.mark.parametrize(
    ("text", "value", "may"),
    [
        ("x.to(d)", "d", True),
        ("x.to(device=d)", "d", True),
        ("x.to(dtype=t)", None, False),
        ("x.to(*given)", "*given", True),
        ("x.to(**given)", None, True),
        ("x.to(*given, device=d)", "*given", True),
    ],
)
def test_argument_by_position_or_name(text: str, value: str | None, may: bool) -> None:
    """An argument that may be one of ``*given`` is not taken for a missing one."""
    found = argument_value(call(text), 0, "device")
    assert (ast.unparse(found) if found is not None else None) == value
    assert may_give(call(text), "device", position=0) is may


def test_argument_before_unpacked_ones_is_known() -> None:
    """``*given`` hides the arguments behind it alone."""
    found = argument_value(call("torch.load(f, *given)"), 0, "f")
    assert isinstance(found, ast.Name)
    assert isinstance(argument_value(call("torch.load(f, *given)"), 1, "map_location"), ast.Starred)
    assert keyword_value(call("f(x, a=1, b=2)"), "b", "c") is not None


def test_literals_have_a_value_and_its_type() -> None:
    """True is no 1, and 1 is no True."""
    assert is_literal(expression("True"), True)
    assert not is_literal(expression("1"), True)
    assert not is_literal(expression("none"), None)
    assert literal_int(expression("1")) == 1
    assert literal_int(expression("True")) is None
