"""`make colab-pins` on a stored part of Google's list: backend-info in June 2026 (GPU image)."""

import os
import re
import shutil
import subprocess

import pytest

from tools.notebooks.notebook_files import ROOT
from tools.release import colab_pins
from tools.release.colab_env import COLAB_PINS, pins_of

STORED = ROOT / "tests" / "tools" / "colab_list"


@pytest.fixture
def versions():
    return colab_pins.listed_versions((STORED / "pip-freeze.txt").read_text(encoding="utf-8"))


@pytest.fixture
def clone(tmp_path):
    """The stored list in a git repository, committed on a day of its own."""
    folder = tmp_path / "backend-info"
    shutil.copytree(STORED, folder)
    git = ["git", "-C", folder, "-c", "user.name=colab", "-c", "user.email=colab@localhost"]
    git += ["-c", "commit.gpgsign=false"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    dates = dict.fromkeys(("GIT_COMMITTER_DATE", "GIT_AUTHOR_DATE"), "2026-06-02T12:00:00+0000")
    subprocess.run([*git, "commit", "-qm", "The list"], check=True, env=os.environ | dates)
    return folder


@pytest.mark.parametrize(
    ("name", "version"),
    [
        ("torch", "2.11.0"),  # without its build label
        ("jupyter-client", "7.4.9"),
        ("opentelemetry-exporter-gcp-logging", "1.11.0a0"),
        ("cucim-cu12", "26.2.0"),  # read from the address of a wheel
        ("google-colab", None),  # it has no version there
        ("jupyter-kernel-gateway", None),
    ],
)
def test_versions_are_read(versions, name, version):
    assert versions.get(name) == version


def test_the_file_pins_what_the_course_touches_and_nothing_else(clone, tmp_path):
    target = tmp_path / "colab-constraints.txt"
    colab_pins.write_constraints(clone, target, stand_in=None)
    pins = pins_of(target)
    assert len(pins) == len(colab_pins.KEPT)
    assert pins["psygnal"] == "0.15.1"
    assert "absl-py" not in pins
    assert "stands in" not in target.read_text()


def test_the_tested_torch_may_stand_in_and_the_file_says_so(versions):
    text = colab_pins.constraints(versions, "a day", stand_in="2.13.0")
    assert "Colab has torch 2.11.0." in text
    assert "\ntorch==2.13.0\n" in text
    assert "stands in" not in colab_pins.constraints(versions, "a day", stand_in="2.11.0")


def test_what_the_set_up_cell_brings_may_be_absent(versions):
    del versions["anywidget"]
    text = colab_pins.constraints(versions, "a day", stand_in=None)
    assert "# anywidget is not there." in text
    assert "anywidget==" not in text


@pytest.mark.parametrize("name", sorted(set(colab_pins.KEPT) - colab_pins.BROUGHT_BY_SETUP_CELL))
def test_a_list_that_lost_a_package_is_not_believed(versions, name):
    del versions[name.replace("_", "-")]
    with pytest.raises(colab_pins.UnreadableList, match=name):
        colab_pins.constraints(versions, "a day", stand_in=None)


def test_a_list_without_its_python_is_not_believed(clone):
    words = r"Colab's Python 3\.12\.13 and packages on 2026-06-02 \(backend-info, commit \w+\)"
    assert re.fullmatch(words, colab_pins.picture_of(clone))
    (clone / "os-info.txt").write_text("Ubuntu 22.04.5 LTS\n")
    with pytest.raises(colab_pins.UnreadableList, match="Python"):
        colab_pins.picture_of(clone)


def test_the_stored_constraints_are_of_these_packages_and_a_page_says_of_when():
    text = COLAB_PINS.read_text(encoding="utf-8")
    names = re.findall(r"^([\w.-]+)(?:==|$)", text, re.MULTILINE)
    absent = re.findall(r"^# (\w+) is not there\.$", text, re.MULTILINE)
    assert sorted(names + absent) == sorted(colab_pins.KEPT)
    picture = re.search(r"^# A picture of (.+)\.$", text, re.MULTILINE)[1]
    assert picture in (ROOT / "docs" / "testing.md").read_text(encoding="utf-8")
