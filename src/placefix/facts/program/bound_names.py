"""The bits that states of definite assignment are made of: a name that is bound, and one that is bound where a test has an answer."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from placefix.facts.program.ast_names import dotted
from placefix.facts.program.ast_walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterable


class Names:
    """The bits of states for some names of a scope. A name that is bound under a test gets a bit when that is learned."""

    def __init__(self, names: frozenset[str]) -> None:
        self._names = sorted(names)
        self._bits = {name: 1 << number for number, name in enumerate(self._names)}
        self.all = (1 << len(self._names)) - 1
        self.tests: dict[str, frozenset[str]] = {}  # the names that the tests with known implications read
        self._count = len(self._names)
        self._under: dict[tuple[str, bool], dict[str, int]] = {}  # a test and its answer -> the bits of names
        self._of_test: dict[tuple[str, bool], int] = {}  # all of these
        self._by_read: dict[str, int] = {}  # a name that a test reads -> the bits from such tests
        self._by_name: dict[str, int] = {}  # a name -> its bits from tests

    def bit(self, name: str) -> int:
        """That of a name; 0 for another one."""
        return self._bits.get(name, 0)

    def of(self, names: Iterable[str]) -> int:
        """The state in which these are bound."""
        state = 0
        for name in names:
            state |= self.bit(name)
        return state

    def among(self, state: int) -> list[str]:
        """The names that are bound in a state."""
        found, left = [], state & self.all
        while left:
            lowest = left & -left
            found.append(self._names[lowest.bit_length() - 1])
            left ^= lowest
        return found

    def without(self, names: Iterable[str], state: int) -> int:
        """A state without some names, and without the facts about them from tests."""
        for name in names:
            state &= ~(self.bit(name) | self._by_name.get(name, 0))
        return state

    def read_by(self, text: str, test: ast.expr) -> frozenset[str]:
        """The names and dotted texts that a test reads."""
        if text not in self.tests:
            parts = [p for p in walk(test) if isinstance(p, (ast.Name, ast.Attribute))]
            self.tests[text] = frozenset(filter(None, map(dotted, parts)))
        return self.tests[text]

    def under(self, text: str, answer: bool, name: str) -> int:
        """The bit of a name that is bound if a test, which `read_by` was called with, has this answer."""
        bits = self._under.setdefault((text, answer), {})
        if name not in bits:
            bit = bits[name] = 1 << self._count
            self._count += 1
            self._of_test[text, answer] = self._of_test.get((text, answer), 0) | bit
            self._by_name[name] = self._by_name.get(name, 0) | bit
            for read in self.tests[text]:
                self._by_read[read] = self._by_read.get(read, 0) | bit
        return bits[name]

    def known(self, text: str, answer: bool, state: int) -> int:
        """The names that are known to be bound where a test has this answer."""
        found = 0
        if state & self._of_test.get((text, answer), 0):
            for name, bit in self._under[text, answer].items():
                if state & bit:
                    found |= self._bits[name]
        return found

    def by_tests_of(self, text: str) -> int:
        """The bits from tests that read a name or dotted text."""
        return self._by_read.get(text, 0)


def asked(test: ast.expr, answer: bool) -> tuple[str, bool]:
    """A test in a form to be known again by, without the ``not`` before it, and the answer to that."""
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, answer = test.operand, not answer
    return ast.dump(test), answer
