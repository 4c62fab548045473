"""environment.yml, constraints.txt and whoever names a Python say the same as pyproject.toml."""

import re
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from tools.notebooks.notebook_files import ROOT
from tools.release.check_pins import LEFT_TO_TORCH

# What a package is called on PyPI, where conda-forge calls it otherwise.
PYPI_NAMES = {"pytorch": "torch", "playwright-python": "playwright"}


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def bounds(requirements):
    parsed = map(Requirement, requirements)
    return {canonicalize_name(requirement.name): requirement.specifier for requirement in parsed}


def pyproject_bounds(pyproject, extras=("lab", "dev")):
    """Those of the packages that environment.yml installs: all but the instructor's.

    Students never install these, and `make grade` puts them into its own .venv.
    """
    project = pyproject["project"]
    optional = [line for extra in extras for line in project["optional-dependencies"][extra]]
    return bounds([*project["dependencies"], *optional])


def conda_bounds(environment):
    found = bounds([line for line in environment["dependencies"] if isinstance(line, str)])
    for apart in ("python", "pip"):
        del found[apart]
    return {PYPI_NAMES.get(name, name): specifier for name, specifier in found.items()}


@pytest.fixture
def pyproject():
    return tomllib.loads(read("pyproject.toml"))


@pytest.fixture
def environment():
    return yaml.safe_load(read("environment.yml"))


@pytest.fixture
def pins():
    return bounds(line for line in read("constraints.txt").splitlines() if not line.startswith("#"))


def test_packages_and_bounds_agree(pyproject, environment):
    assert conda_bounds(environment) == pyproject_bounds(pyproject)


def test_conda_uses_conda_forge_alone_and_installs_the_course(environment):
    assert environment["channels"] == ["conda-forge", "nodefaults"]
    assert {"pip": ["-e ."]} in environment["dependencies"]


@pytest.fixture
def pythons(pyproject):
    """The Pythons that the course is for: ["3.11", ...]."""
    prefix = "Programming Language :: Python :: "
    return [classifier.removeprefix(prefix) for classifier in pyproject["project"]["classifiers"]]


def test_python_versions_agree(pyproject, environment, pythons):
    python = bounds(line for line in environment["dependencies"] if isinstance(line, str))["python"]
    assert pythons == [f"3.{minor}" for minor in range(11, 11 + len(pythons))]
    after_last = f"3.{11 + len(pythons)}"
    assert pyproject["project"]["requires-python"] == ">=3.11"
    assert python == SpecifierSet(f">=3.11,<{after_last}")
    install = read("tools/release/install.sh")
    assert f"FOR_UV='>=3.11,!=3.14.1,<{after_last}'" in install
    assert f"(3, 11) <= sys.version_info[:2] <= (3, {len(pythons) + 10})" in install


def test_whoever_names_the_pythons_names_all(pythons):
    in_words = f"Python {', '.join(pythons[:-1])} or {pythons[-1]}"
    for name in ("README.md", "tools/release/install.sh", "setup.py"):
        assert in_words in read(name), name
    candidates = re.search(r"or \$\(PYTHON\),(.*)\)", read("Makefile"))[1].split()
    assert candidates == ["python3", *(f"python{python}" for python in pythons), "uv"]
    assert f"Python {pythons[0]} to {pythons[-1]}" in read("constraints.txt")
    workflow = yaml.safe_load(read(".github/workflows/test.yml"))
    assert workflow["jobs"]["test"]["strategy"]["matrix"]["python"] == pythons


def test_tests_have_what_a_real_model_needs(pyproject):
    real, dev = (pyproject_bounds(pyproject, (extra,)) for extra in ("real", "dev"))
    assert real.items() <= dev.items() | pyproject_bounds(pyproject, ()).items()


def test_torch_has_no_upper_bound(pyproject):
    assert str(pyproject_bounds(pyproject)["torch"]) == ">=2.6"


def test_every_dependency_is_pinned_to_a_version_that_its_bound_allows(pyproject, pins):
    every_extra = tuple(pyproject["project"]["optional-dependencies"])
    for name, specifier in pyproject_bounds(pyproject, every_extra).items():
        if LEFT_TO_TORCH.match(f"{name}=="):  # a pin would fight with torch's own
            continue
        assert name in pins, f"{name} has no pin in constraints.txt"
        (pin,) = pins[name]
        assert pin.operator == "=="
        assert Version(pin.version) in specifier, f"{name}: {pin} is not {specifier}"
        assert Version(pin.version).local is None
