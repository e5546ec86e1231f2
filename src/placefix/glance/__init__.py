"""What a text shows of its code before it is parsed.

Parsing costs ten times as much as a look at the text, and most texts that hold a rule's words hold them where the
rule finds nothing. What is answered here is only ever whether it *cannot* matter: where a text is not read for
certain (an encoding of its own, an odd quote), it may.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.glance.creations import Creations

if TYPE_CHECKING:
    from collections.abc import Iterable


class Glance(Creations):
    """All that can be asked of one text. data: its bytes, in an encoding that keeps ASCII."""

    def agreed(self, questions: Iterable[str], *, parsed: bool) -> frozenset[str]:
        """Those of `questions` (names of methods) whose answer may be yes, or costs nothing after another's.

        parsed: whether the text is parsed anyway. The tree says more than a glance could.
        """
        asked = frozenset(questions)
        return asked if parsed or any(map(self.may, asked)) else frozenset()
