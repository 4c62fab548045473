"""Importing the package costs little beyond torch: the rest is imported where it is used."""

import json
import pydoc
import re
import subprocess
import sys
from pathlib import Path

import pytest

import course_checks
import course_lib

LIBRARY = Path(course_lib.__file__).parent

HEAVY = {"matplotlib", "seaborn", "pandas", "ipywidgets", "IPython", "anywidget", "tqdm", "scipy"}


def modules_after(*steps):
    """What is imported after each step, a list of names, in one process."""
    code = "import importlib, json, sys\n"
    code += f"for step in {steps!r}:\n"
    code += "    [importlib.import_module(name) for name in step]\n"
    code += "    print(json.dumps(list(sys.modules)))"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return [set(json.loads(line)) for line in result.stdout.splitlines()]


def packages(modules):
    return {name.split(".")[0] for name in modules}


@pytest.fixture(scope="module")
def light():
    """The modules of torch, of the library besides, with real models, with drawings and widgets,
    and with figures."""
    library = ("course_lib", "course_lib.study.heads")
    library += ("course_lib.data.tasks", "course_lib.data.training")
    shown = ("course_lib.figures", "course_lib.figures.drawings", "course_lib.widgets")
    plots = ("course_lib.figures.heatmaps",)
    return modules_after(("torch",), library, ("course_lib.data.real_model",), shown, plots)


def test_a_real_model_needs_its_packages_only_when_it_is_loaded(light):
    assert not packages(light[2]) & {"transformers", "huggingface_hub", "tokenizers", "gguf"}


def test_importing_the_library_imports_torch_and_itself_only(light):
    added = {name for name in light[1] - light[0] if name.split(".")[0] != "course_lib"}
    assert not packages(added) & HEAVY
    assert len(added) < 20, sorted(added)  # a few small modules of the standard library


def test_no_right_answer_waits_for_imports():
    """torch imports sympy and its compiler at the first optimizer, TorchDispatchMode or
    broadcast_shapes: a second by the processor, several on a busy machine."""
    judged = "all(c(c.exercise.reference).status == 'pass' for c in checks.ALL.values())"
    code = f"import sys; import course_checks as checks; assert {judged}; "
    code += "assert not {'sympy', 'torch._dynamo'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_seaborn_is_imported_where_figures_are_drawn_and_nowhere_else(light):
    importers = [
        path.relative_to(LIBRARY).as_posix()
        for path in LIBRARY.rglob("*.py")
        if re.search(r"^\s*(?:import|from) (?:seaborn|pandas)\b", path.read_text(), re.MULTILINE)
    ]
    assert importers == ["figures/style.py"]
    plotting = {"seaborn", "matplotlib", "pandas"}
    assert plotting <= packages(light[4]) and not packages(light[3]) & plotting


def test_tab_and_help_show_the_public_names_and_the_way_in():
    """On one screen; the help of all classes would be thousands of lines."""
    page = pydoc.plain(pydoc.render_doc(course_lib))
    assert len(page.splitlines()) <= 50
    assert all(re.search(rf"^ +\d\d  .*\b{name}\b", page, re.MULTILINE) for name in dir(course_lib))
    assert {"MultiHeadAttention", "causal_mask", "DecoderLM"} <= set(dir(course_lib))
    assert not {"attention", "torch", "ModuleType", "validation"} & set(dir(course_lib))
    for line in re.findall(r"from course_lib.* import \w+", page):
        exec(line, {})


def test_help_of_a_check_is_its_task():
    page = pydoc.plain(pydoc.render_doc(course_checks.attend_all))
    assert "attend_all(query, key, value)" in page and "weights: (query_len, key_len)" in page
    assert "and gets 6 points where\n        2  row i of the weights" in page
