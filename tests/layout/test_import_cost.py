"""Importing the package costs little beyond torch: the rest is imported where it is used."""

import json
import re
import subprocess
import sys
from pathlib import Path

import course_lib

LIBRARY = Path(course_lib.__file__).parent

HEAVY = {"matplotlib", "seaborn", "pandas", "ipywidgets", "IPython", "anywidget", "tqdm", "scipy"}


def modules_after(*imports):
    code = "; ".join(f"import {name}" for name in imports)
    code += "; import sys, json; print(json.dumps(sorted(sys.modules)))"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return set(json.loads(result.stdout))


def test_a_real_model_needs_its_packages_only_when_it_is_loaded():
    modules = {name.split(".")[0] for name in modules_after("course_lib.data.real_model")}
    assert not modules & {"transformers", "huggingface_hub", "tokenizers", "gguf"}


def test_importing_the_library_imports_torch_and_itself_only():
    modules = (
        "course_lib",
        "course_lib.study.heads",
        "course_lib.data.tasks",
        "course_lib.data.training",
    )
    added = modules_after("torch", *modules) - modules_after("torch")
    added = {name for name in added if name.split(".")[0] != "course_lib"}
    assert not {name.split(".")[0] for name in added} & HEAVY
    assert len(added) < 20, sorted(added)  # a few small modules of the standard library


def test_seaborn_is_imported_where_figures_are_drawn_and_nowhere_else():
    importers = [
        path.relative_to(LIBRARY).as_posix()
        for path in LIBRARY.rglob("*.py")
        if re.search(r"^\s*(?:import|from) (?:seaborn|pandas)\b", path.read_text(), re.MULTILINE)
    ]
    assert importers == ["figures/heatmaps.py"]
    plotting = {"seaborn", "matplotlib", "pandas"}
    assert plotting <= {name.split(".")[0] for name in modules_after("course_lib.figures.heatmaps")}
    light = modules_after("course_lib.figures", "course_lib.figures.drawings", "course_lib.widgets")
    assert not {name.split(".")[0] for name in light} & plotting
