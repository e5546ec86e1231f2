"""A headless Chromium for the tests of editors that run in one."""

from __future__ import annotations

import shutil
import socket
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from selenium.webdriver.remote.webdriver import WebDriver

PATIENCE = 600  # seconds; a workbench comes up in less than ten on a quiet machine


def need(what: str, missing: list[str]) -> None:
    """Skip where a browser or something of `missing` is not installed."""
    missing = [*missing, *(program for program in ("chromium", "chromedriver") if shutil.which(program) is None)]
    if missing:
        pytest.skip(f"{what} cannot be tried: not installed: {', '.join(missing)}")
    pytest.importorskip("selenium", reason=f"{what} cannot be tried: not installed: selenium")


def until(ask: Callable[[], object], what: str) -> object:
    """The first true answer of `ask`. Raises AssertionError when there is none in PATIENCE seconds."""
    from selenium.common.exceptions import StaleElementReferenceException

    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            if answer := ask():
                return answer
        except StaleElementReferenceException:
            pass
        time.sleep(0.2)
    raise AssertionError(f"not seen in {PATIENCE} s: {what}")


def free_port() -> int:
    """A port of this machine that nobody listens to."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def chromium(profile: Path) -> Iterator[WebDriver]:
    """A browser with an empty profile, which is closed at the end."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    for option in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--window-size=1400,900",
        f"--user-data-dir={profile}",
    ):
        options.add_argument(option)
    options.binary_location = str(shutil.which("chromium"))
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    try:
        yield browser
    finally:
        browser.quit()
