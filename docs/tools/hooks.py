"""What mkdocs calls while it builds the site: pages made of the program are added, marks in pages are replaced."""

from __future__ import annotations

import json
from typing import Any

from mkdocs.structure.files import File, Files

import pages
from placefix.rules import RULES
from placefix.schema import schema

# A line of its own in a page, and what stands there in the site.
MARKS = {
    "<!-- made of the program: configuration -->": pages.configuration,
    "<!-- made of the program: command line -->": pages.command_line,
}


def on_config(config: Any) -> Any:
    """The navigation gets the rules, whichever there are."""
    codes = sorted(rule.code for rule in RULES)
    for entry in config.nav:
        if "Rules" in entry:
            entry["Rules"] = ["rules/index.md", *(f"rules/{code}.md" for code in codes)]
    return config


def on_files(files: Files, config: Any) -> Files:
    """The rules' pages and the schema are files of the site."""
    made = {"rules/index.md": pages.rules_index(), "placefix.schema.json": json.dumps(schema(), indent=2)}
    made |= {f"rules/{rule.code}.md": pages.rule_page(rule) for rule in RULES}
    for name, content in made.items():
        files.append(File.generated(config, name, content=content))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    for mark, make in MARKS.items():
        if mark in markdown:
            markdown = markdown.replace(mark, make())
    return markdown
