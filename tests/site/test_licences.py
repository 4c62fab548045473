"""The licences are named wherever one looks for them, and the citation is of this version."""

import json
import re
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement

from tools.notebooks.notebook_files import ROOT
from tools.site.stamp_links import Project

OURS = {"MIT": "LICENSE", "CC-BY-4.0": "LICENSE-text"}
PAGE = "docs/licences.md"


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


PYPROJECT = tomllib.loads(read("pyproject.toml"))["project"]
CITATION = yaml.safe_load(read("CITATION.cff"))


def test_the_package_names_both_licences_and_carries_them():
    assert PYPROJECT["license"].split(" AND ") == CITATION["license"] == list(OURS)
    assert PYPROJECT["license-files"] == list(OURS.values())
    assert read("LICENSE").startswith("MIT License\n")
    assert "SPDX-License-Identifier: CC-BY-4.0\n" in read("LICENSE-text")


@pytest.mark.parametrize("page", ["README.md", PAGE])
def test_pages_lead_to_both(page):
    way = "" if page == "README.md" else "../"
    for file in OURS.values():
        assert f"]({way}{file})" in read(page)
    assert page == PAGE or f"({PAGE})" in read(page)


def test_the_citation_is_of_this_version():
    assert "v" + CITATION["version"] == Project.read(ROOT).tag
    assert f"# {CITATION['title']}\n" in read("README.md")


def test_whatever_is_installed_has_a_licence_in_the_table():
    needs = [*PYPROJECT["dependencies"], *sum(PYPROJECT["optional-dependencies"].values(), [])]
    names = {Requirement(need).name for need in needs}
    names |= set(json.loads(read("widgets_js/package.json"))["devDependencies"])
    rows = re.findall(r"^\| ([\w, -]+) \| [^|]+ \| [^|]+ \|$", read(PAGE), re.MULTILINE)
    assert names <= {name for row in rows for name in row.split(", ")}
