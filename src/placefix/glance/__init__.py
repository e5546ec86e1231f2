"""What a text shows of its code before it is parsed.

Parsing costs ten times as much as a look at the text, and most texts that hold a rule's words hold them where the
rule finds nothing. What is answered here is only ever whether it *cannot* matter: where a text is not read for
certain (an encoding of its own, an odd quote), it may.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.glance.creations import Creations
from placefix.glance.meetings import Meetings
from placefix.glance.modules import Modules

if TYPE_CHECKING:
    from collections.abc import Iterable


# The questions of rules that ask the flow analysis, the cheap ones first: where it runs for one of them, it has run for all.
_OF_THE_FLOW = ("goes_over_batches", "weighs", "reads_memory", "optimizes", "discards", "makes_tensor", "leaves_module")


class Glance(Modules, Meetings, Creations):
    """All that can be asked of one text. data: its bytes, in an encoding that keeps ASCII."""

    def agreed(self, questions: Iterable[str], *, parsed: bool) -> frozenset[str]:
        """Those of `questions` (names of methods) whose answer may be yes, or costs nothing after another's.

        parsed: whether the text is parsed anyway. The tree says more than a glance could of what needs no more than that.
        """
        asked = frozenset(questions)
        flow = asked.intersection(_OF_THE_FLOW)
        if any(self.may(question) for question in _OF_THE_FLOW if question in flow):
            return asked
        rest = asked - flow
        return rest if parsed or any(map(self.may, rest)) else frozenset()
