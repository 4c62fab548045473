"""The widgets' JavaScript: small modules, types that hold, and bundles made from the sources."""

import os
import shutil
import subprocess

import pytest

from tools.notebooks.notebook_files import ROOT

SOURCES = ROOT / "widgets_js"
MODULES = sorted((SOURCES / "src").rglob("*.js"))
LONGEST = 300  # lines


@pytest.fixture(scope="module")
def npm():
    """Return a function that runs a script of package.json."""
    program, reason = shutil.which("npm"), ""
    if program is None or shutil.which("node") is None:
        reason = "no node and npm on PATH: the widgets' bundles are not compared with their sources"
    elif not (SOURCES / "node_modules").is_dir():
        reason = "`make widget-tools` was not run: the widgets' bundles are not compared"
    if reason:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)

    def run(script):
        return subprocess.run(
            [program, "run", "--silent", script],
            cwd=SOURCES,
            capture_output=True,
            text=True,
            timeout=300,
        )

    return run


def test_modules_are_short_and_none_is_left_out_of_the_types():
    assert MODULES
    texts = {str(path): path.read_text(encoding="utf-8") for path in MODULES}
    assert [name for name, text in texts.items() if len(text.splitlines()) > LONGEST] == []
    assert [name for name, text in texts.items() if "@ts-nocheck" in text] == []


@pytest.mark.parametrize("script", ["types", "check"])
def test_types_hold_and_bundles_are_what_the_sources_give(npm, script):
    done = npm(script)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_lock_file_names_no_registry():
    assert "resolved" not in (SOURCES / "package-lock.json").read_text(encoding="utf-8")
