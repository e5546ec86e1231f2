"""The language server in a real JupyterLab with jupyterlab-lsp, driven through Chromium.

pip install jupyterlab jupyterlab-lsp ipykernel     (into the environment that has placefix[server])
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import browser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selenium.webdriver.remote.webdriver import WebDriver

JUPYTERLAB = os.environ.get("PLACEFIX_JUPYTERLAB") or shutil.which("jupyter-lab")
SCREENSHOTS = os.environ.get("PLACEFIX_SCREENSHOTS")
CELLS = ("import torch\n%matplotlib inline", "x = torch.randn(3)", "y = 1\nprint(x.cuda())")
MARKED = ".cm-lintRange"


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[WebDriver]:
    """JupyterLab on a notebook of three cells."""
    browser.need("JupyterLab", [] if JUPYTERLAB else ["jupyterlab with jupyterlab-lsp"])
    project = tmp_path / "project"
    project.mkdir()
    cells = [
        {"cell_type": "code", "execution_count": None, "id": f"c{n}", "metadata": {}, "outputs": [], "source": [text]}
        for n, text in enumerate(CELLS)
    ]
    kernel = {"kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}}
    notebook = {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    project.joinpath("lab.ipynb").write_text(json.dumps(notebook))
    port = browser.free_port()
    command = [str(JUPYTERLAB), "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}"]
    command += ["--IdentityProvider.token=", f"--ServerApp.root_dir={project}", "--LabApp.news_url="]
    folders = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "JUPYTERLAB_SETTINGS_DIR")
    environment = {**os.environ, **{name: str(tmp_path / name) for name in folders}, "HOME": str(tmp_path)}
    log = tmp_path / "lab.log"
    with (
        log.open("w") as output,
        subprocess.Popen(command, env=environment, cwd=project, stdout=output, stderr=output) as run,
    ):
        try:
            with browser.chromium(tmp_path / "chromium") as driver:
                browser.until(lambda: "is running at" in log.read_text(), "JupyterLab")
                driver.get(f"http://127.0.0.1:{port}/lab/tree/lab.ipynb")
                yield driver
        finally:
            run.terminate()


def test_findings_and_hover(lab: WebDriver) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    def marked() -> object:
        return [each.text for each in lab.find_elements("css selector", MARKED)] == ["cuda()"]

    browser.until(marked, "the finding")
    cells = lab.find_elements("css selector", ".jp-Notebook .jp-CodeCell")
    assert [len(cell.find_elements("css selector", MARKED)) for cell in cells] == [0, 0, 1]

    def hovered() -> object:
        mark = lab.find_element("css selector", MARKED)
        chain = ActionChains(lab).move_to_element_with_offset(mark, -15, 0).key_down(Keys.CONTROL)
        chain.move_to_element(mark).pause(0.5).key_up(Keys.CONTROL).perform()
        return [each for each in lab.find_elements("css selector", ".lsp-hover, .cm-tooltip") if "PF401" in each.text]

    browser.until(hovered, "the rule on hover")
    if SCREENSHOTS:
        lab.save_screenshot(str(Path(SCREENSHOTS, "jupyterlab.png")))
