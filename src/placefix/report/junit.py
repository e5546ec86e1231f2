"""JUnit's XML: a test suite for each file with findings, a failed test for each finding."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

from placefix.report.concise import row_and_column, sorted_findings
from placefix.report.machine_formats import advice_lines, plain_line, relative_path, report_root

if TYPE_CHECKING:
    from collections.abc import Iterable

    from placefix.diagnostic import Diagnostic
    from placefix.report.output_stream import OutputStream
    from placefix.runner import FileResult
    from placefix.source import Source


def render(results: Iterable[FileResult], out: OutputStream) -> None:
    """Write the remaining findings of each result to `out`, as the results come."""
    folder = report_root()
    top = ElementTree.Element("testsuites", name="placefix")
    files = found = 0
    for result in results:
        files += 1
        faults = result.faults
        if result.current is not None and faults:
            found += len(faults)
            path = plain_line(relative_path(result.absolute, folder))
            suite = _suite(top, path, len(faults))
            for diagnostic in (d for d in sorted_findings(result) if d in faults):
                _case(suite, path, diagnostic, result.current)
    for path, reason in out.failures:
        name = plain_line(relative_path(path, folder)) if path else "placefix"
        suite = _suite(top, name, 1, errors=1)
        case = ElementTree.SubElement(suite, "testcase", name="error", classname=name, file=name)
        ElementTree.SubElement(case, "error", message=plain_line(reason))
    if not len(top):  # some readers take a report without a test for a run that never was
        suite = _suite(top, "placefix", 1, failures=0)
        ElementTree.SubElement(suite, "testcase", name=f"nothing found ({files} read)", classname="placefix")
    for count in ("tests", "failures", "errors"):
        top.set(count, str(sum(int(suite.get(count, "0")) for suite in top)))
    ElementTree.indent(top)
    out.bytes(ElementTree.tostring(top, encoding="utf-8", xml_declaration=True) + b"\n")


def _suite(
    top: ElementTree.Element, name: str, tests: int, *, failures: int | None = None, errors: int = 0
) -> ElementTree.Element:
    failed = tests - errors if failures is None else failures
    counts = {"tests": str(tests), "failures": str(failed), "errors": str(errors)}
    return ElementTree.SubElement(top, "testsuite", {"name": name, **counts})


def _case(suite: ElementTree.Element, path: str, diagnostic: Diagnostic, source: Source) -> None:
    where = row_and_column(source, diagnostic.span.start)
    name = f"{diagnostic.code} {diagnostic.rule.name} ({where})"
    place = {"classname": path, "file": path, "line": str(source.file_row(diagnostic.span.start))}
    case = ElementTree.SubElement(suite, "testcase", {"name": name, **place})
    message = plain_line(diagnostic.message)
    failure = ElementTree.SubElement(case, "failure", type=diagnostic.severity.value, message=message)
    lines = [
        f"{path}:{where}: {diagnostic.severity.value} {diagnostic.code} {message}",
        *map(plain_line, advice_lines(diagnostic)),
    ]
    failure.text = "\n".join(lines)
