"""The JSON Schema of the configuration, for editors and validators.

`schema.json` in this folder describes the keys; the codes come from the rules.
"""

from __future__ import annotations

import json
import os
from typing import Any

from placefix.rules import RULES


def schema() -> dict[str, Any]:
    """The schema (draft 7) of the configuration's table; codes are the rules' codes, their prefixes, and the rules' names."""
    with open(os.path.join(os.path.dirname(__file__), "schema.json"), encoding="utf-8") as stream:
        loaded: dict[str, Any] = json.load(stream)
    code = loaded["definitions"]["code"]
    code["enum"] = sorted(
        {rule.code[:length] for rule in RULES for length in range(1, len(rule.code) + 1)}
        | {rule.name for rule in RULES}
    )
    return loaded
