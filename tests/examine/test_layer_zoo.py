"""examine_layer on a zoo: no right layer fails, and no wrong one passes unlisted or misnamed."""

import pytest
import torch

import tests.examine.brought_layers  # noqa: F401, which registers its layers too
from course_checks import examine_layer
from course_checks.examine.report import NOT_APPLICABLE, WARNING
from tests.examine.layer_zoo import RIGHT, WRONG, D


def examine(case):
    torch.manual_seed(0)
    return examine_layer(case.make(), case.d_model, **case.options)


def check_words(case, report):
    assert not case.warns or report[case.warns].status == WARNING, str(report)
    assert case.says.lower() in str(report).lower(), str(report)
    assert not case.never or case.never not in str(report), str(report)


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_layer_passes(name):
    report = examine(RIGHT[name])
    assert report.passed and not report.looks_like, str(report)
    assert not RIGHT[name].listed or RIGHT[name].listed in report.not_tested, str(report)
    check_words(RIGHT[name], report)


ADDED = [name for name, case in RIGHT.items() if "added" in case.says]


@pytest.mark.parametrize("name", ADDED)
def test_the_wrapper_that_is_proposed_takes_a_boolean_mask(name):
    case = RIGHT[name]
    torch.manual_seed(0)
    layer = case.make()
    words = [f.words for f in examine_layer(layer, D, **case.options).findings]
    code = next(text.split("place: ")[1] for text in words if "your mask is added" in text.lower())
    wrapped = eval(code, {"layer": layer, "torch": torch})
    report = examine_layer(wrapped, D, **case.options)
    assert report.passed and "is added" not in str(report), str(report)
    x, mask = torch.randn(2, 5, D), torch.ones(5, 5, dtype=torch.bool)
    mask = mask[:2] if report["mask"].status == NOT_APPLICABLE else mask
    output = wrapped(*[x] * (wrapped.__code__.co_argcount - 1), mask=mask)
    assert torch.isfinite(output[0] if isinstance(output, tuple) else output).all()


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_layer_is_found_or_listed(name):
    case = WRONG[name]
    report = examine(case)
    if case.listed:
        assert case.listed in report.not_tested, str(report)
    else:
        assert case.warns or not report.passed, str(report)
    assert {*report.looks_like} == case.named, str(report)
    check_words(case, report)
