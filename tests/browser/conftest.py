"""Start Chromium and JupyterLab once for all browser tests. Run them with `make test-browser`."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

import lab_in_browser

SCREENSHOTS = pytest.StashKey[Path]()


@pytest.fixture(scope="session")
def browser():
    executable = lab_in_browser.find_chromium()
    if executable is None:
        if os.environ.get("CI"):
            pytest.fail(lab_in_browser.HOW_TO_INSTALL)
        pytest.skip(lab_in_browser.HOW_TO_INSTALL)
    with sync_playwright() as playwright:
        chromium = lab_in_browser.launch_chromium(playwright, executable)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def course(tmp_path_factory):
    """A copy of notebooks/ and exercises/ without outputs."""
    return lab_in_browser.copy_course(tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="session")
def lab(browser, course, tmp_path_factory):
    """JupyterLab, started in the copy of the course."""
    with lab_in_browser.running_lab(course, tmp_path_factory.mktemp("lab-files")) as running:
        yield running


@pytest.fixture(scope="session")
def screenshots(pytestconfig, tmp_path_factory):
    """The folder for screenshots; its name is printed at the end of the run."""
    folder = tmp_path_factory.mktemp("screenshots")
    pytestconfig.stash[SCREENSHOTS] = folder
    return folder


def pytest_terminal_summary(terminalreporter, config):
    if folder := config.stash.get(SCREENSHOTS, None):
        terminalreporter.write_line(f"Screenshots of the notebooks: {folder}")
