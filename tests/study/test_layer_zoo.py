"""examine_layer on a zoo: no right layer fails, and no wrong one passes unlisted or misnamed."""

import re

import pytest
import torch

from course_lib.study.examine import examine_layer
from course_lib.study.examine.report import WARNING
from tests.study.layer_zoo import RIGHT, WRONG


def examine(case):
    torch.manual_seed(0)
    return examine_layer(case.make(), case.d_model, **case.options)


def check_words(case, report):
    assert not case.warns or report[case.warns].status == WARNING, str(report)
    assert case.says.lower() in str(report).lower(), str(report)


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_layer_passes(name):
    report = examine(RIGHT[name])
    assert report.passed and not report.looks_like, str(report)
    assert not RIGHT[name].listed or RIGHT[name].listed in report.not_tested, str(report)
    check_words(RIGHT[name], report)


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_layer_is_found_or_listed(name):
    case = WRONG[name]
    report = examine(case)
    if case.listed:
        assert case.listed in report.not_tested, str(report)
    else:
        assert not report.passed, str(report)
    assert {*report.looks_like} == case.named, str(report)
    check_words(case, report)


def test_the_zoo_is_as_large_as_it_is_said_to_be():
    threads = {case.thread for case in [*RIGHT.values(), *WRONG.values()] if case.thread}
    assert len(RIGHT) + len(WRONG) >= 60 and len(threads) >= 30
    assert all(re.search(r"(#|PR )\d+$", thread) for thread in threads)
