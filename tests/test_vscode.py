"""The extension in a real VS Code: code-server, driven through Chromium.

npm install --prefix FOLDER --ignore-scripts code-server@4.139.1 node@24     (CONTRIBUTING.md has the whole of it)
PLACEFIX_CODE_SERVER=FOLDER pytest -n0 tests/test_vscode.py
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import browser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selenium.webdriver.remote.webdriver import WebDriver

pytestmark = pytest.mark.proof  # VS Code is started

EXTENSION = Path(__file__).parents[1] / "editors" / "vscode"
CODE_SERVER = Path(os.environ.get("PLACEFIX_CODE_SERVER", EXTENSION)) / "node_modules"
PLACEFIX = Path(sys.executable).with_name("placefix")  # of this environment, whether it is active or not
NODE = CODE_SERVER / "node" / "bin" / "node"
SCREENSHOTS = os.environ.get("PLACEFIX_SCREENSHOTS")

SCRIPT = """\
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(4, 2)
model.cuda()
x = torch.randn(3, 4)
x.to(device)
print(model(x))
y = torch.randn(3, 4)
print(model(y.cuda()))
"""
NOTEBOOK_CELLS = ("import torch\n", "x = torch.randn(3)\n", "print(x.cuda())")


def need() -> None:
    """Skip where VS Code, the extension or a browser is not installed."""
    needed = {
        "code-server": CODE_SERVER / "code-server" / "lib" / "vscode" / "node_modules",
        "node 24": NODE,
        "placefix in the environment of the tests": PLACEFIX,
        "editors/vscode/placefix.vsix": EXTENSION / "placefix.vsix",
    }
    missing = [name for name, path in needed.items() if not path.exists()]
    browser.need("VS Code", missing)


class Window:
    """One VS Code window in a browser."""

    def __init__(self, driver: WebDriver) -> None:
        self.driver = driver

    def find(self, css: str, text: str = "") -> object:
        """The first element that `css` selects whose text contains `text`, waited for."""

        def ask() -> object:
            found = self.driver.find_elements("css selector", css)
            return next((each for each in found if text in (each.text or "").replace("\xa0", " ")), None)

        try:
            return browser.until(ask, f"{css} with {text!r}")
        except AssertionError:
            self.shoot("failed")
            raise

    def press(self, *keys: str) -> None:
        """Press keys together."""
        from selenium.webdriver.common.action_chains import ActionChains

        chain = ActionChains(self.driver)
        for key in keys:
            chain.key_down(key)
        for key in reversed(keys):
            chain.key_up(key)
        chain.perform()

    def write(self, text: str) -> None:
        """Type a text where the focus is."""
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(text).perform()

    def open(self, name: str) -> None:
        """Open a file from the explorer."""
        from selenium.webdriver.common.action_chains import ActionChains

        row = self.find(".explorer-folders-view .monaco-list-row", name)
        ActionChains(self.driver).double_click(row).perform()
        self.find(f'.tab[data-resource-name="{name}"]')

    def command(self, name: str) -> None:
        """Run a command of the palette."""
        from selenium.webdriver.common.keys import Keys

        self.press(Keys.F1)
        self.find(".quick-input-widget input")
        self.write(name)
        self.find(".quick-input-list .monaco-list-row.focused", name.split(": ")[-1])
        self.press(Keys.ENTER)

    def go_to(self, line: int, column: int) -> None:
        """Put the cursor there, 1-based."""
        from selenium.webdriver.common.keys import Keys

        self.press(Keys.CONTROL, "g")
        self.find(".quick-input-widget input")
        self.press(Keys.CONTROL, "a")
        self.write(f":{line}:{column}")
        self.press(Keys.ENTER)
        self.find(".statusbar-item", f"Ln {line}, Col {column}")

    def shoot(self, name: str) -> None:
        """Keep a picture of the window, where one is wanted."""
        if SCREENSHOTS:
            self.driver.save_screenshot(str(Path(SCREENSHOTS, f"vscode-{name}.png")))


@pytest.fixture
def window(tmp_path: Path) -> Iterator[Window]:
    """VS Code with the extension, on a folder with a script and a notebook."""
    need()
    project, data = tmp_path / "project", tmp_path / "data"
    project.mkdir()
    project.joinpath("train.py").write_text(SCRIPT)
    cells = [
        {
            "cell_type": "code",
            "execution_count": None,
            "id": f"cell{n}",
            "metadata": {},
            "outputs": [],
            "source": [text],
        }
        for n, text in enumerate(NOTEBOOK_CELLS)
    ]
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    notebook = {
        "cells": cells,
        "metadata": kernel | {"language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    project.joinpath("lab.ipynb").write_text(json.dumps(notebook))
    settings = {
        "placefix.path": str(PLACEFIX),
        "security.workspace.trust.enabled": False,
        "telemetry.telemetryLevel": "off",
        "workbench.startupEditor": "none",
        "workbench.secondarySideBar.defaultVisibility": "hidden",
        "files.autoSave": "off",
    }
    (data / "User").mkdir(parents=True)
    (data / "User" / "settings.json").write_text(json.dumps(settings))
    server = [NODE, CODE_SERVER / "code-server", "--user-data-dir", data, "--extensions-dir", tmp_path / "extensions"]
    server += ["--config", tmp_path / "config.yaml"]
    subprocess.run([*server, "--install-extension", EXTENSION / "placefix.vsix"], check=True, capture_output=True)
    port = browser.free_port()
    server += ["--auth", "none", "--bind-addr", f"127.0.0.1:{port}", "--disable-telemetry", "--disable-update-check"]
    log = tmp_path / "server.log"
    with log.open("w") as output, subprocess.Popen([*server, project], stdout=output, stderr=output) as run:
        try:
            with browser.chromium(tmp_path / "chromium") as driver:
                browser.until(lambda: "HTTP server listening" in log.read_text(), "code-server")
                driver.get(f"http://127.0.0.1:{port}/?folder={project}")
                yield Window(driver)
        finally:
            run.terminate()


def applied(folder: Path, text: str, *options: str) -> str:
    """What the command line makes of the script."""
    path = folder / "expected.py"
    path.write_text(text)
    subprocess.run([PLACEFIX, "apply", "--quiet", *options, path], check=True)
    return path.read_text()


def test_findings_quick_fix_and_fix_all(window: Window, tmp_path: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    script = tmp_path / "project" / "train.py"
    window.open("train.py")
    window.find(".squiggly-error, .squiggly-warning")
    window.find(".statusbar-item", "placefix: 3")
    window.go_to(8, 1)

    def menu() -> object:
        rows = window.driver.find_elements("css selector", ".action-widget .monaco-list-row")
        if not rows:  # asked too early, it says that there is nothing, and goes
            window.press(Keys.CONTROL, ".")
        return rows

    browser.until(menu, "the menu of quick fixes")
    window.shoot("quick-fix")
    window.press(Keys.ENTER)
    window.find(".statusbar-item", "placefix: 2")
    window.press(Keys.CONTROL, "s")
    one = applied(tmp_path, SCRIPT, "--select", "PF303")
    browser.until(lambda: script.read_text() == one, "the file after the quick fix")
    window.command("placefix: Apply Safe Fixes to This File")
    window.find(".view-lines", "model.to(device)")
    window.press(Keys.CONTROL, "s")
    every = applied(tmp_path, SCRIPT)
    browser.until(lambda: script.read_text() == every, "the file after all fixes")
    assert one != every


def test_hover(window: Window) -> None:
    from selenium.webdriver.common.keys import Keys

    window.open("train.py")
    window.find(".squiggly-error, .squiggly-warning")
    window.go_to(6, 8)
    window.press(Keys.CONTROL, "k")
    window.press(Keys.CONTROL, "i")
    window.find(".monaco-hover", "PF401")
    window.shoot("hover")


def test_notebook(window: Window) -> None:
    window.open("train.py")
    window.find(".squiggly-error, .squiggly-warning")  # until its extensions run, VS Code shows a notebook as JSON
    window.open("lab.ipynb")
    window.find(".notebookOverlay .squiggly-error, .notebookOverlay .squiggly-warning")
    window.find(".statusbar-item", "placefix: 1")
    window.shoot("notebook")
