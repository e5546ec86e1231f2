"""Where the text of a rule is on the web, by the addresses that the installed package has."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from placefix.lazy_function import LazyFunction

if TYPE_CHECKING:
    from placefix.diagnostic import Rule


def rule_url(rule: Rule) -> str:
    """The page of a rule: in the documentation, else the rule's file in the repository; "" where neither has an address."""
    known = project_urls()
    if "documentation" in known:
        return f"{known['documentation']}/rules/{rule.code}.html"
    if "repository" in known:
        module = rule.check.module if isinstance(rule.check, LazyFunction) else rule.check.__module__
        return f"{known['repository']}/blob/HEAD/src/{module.replace('.', '/')}.py"
    return ""


@cache
def project_urls() -> dict[str, str]:
    """The project's addresses by their labels in small letters. Empty until they are filled in (RELEASING.md)."""
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        entries = metadata("placefix").get_all("Project-URL") or ()
    except PackageNotFoundError:  # run from its source
        return {}
    pairs = (entry.partition(",")[::2] for entry in entries)
    return {label.strip().lower(): url.strip().rstrip("/") for label, url in pairs}


def link_text(text: str, url: str) -> str:
    """A text that a terminal shows as a link (OSC 8)."""
    return f"\x1b]8;;{url}\x1b\\{text}\x1b]8;;\x1b\\"
