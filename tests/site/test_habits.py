"""The habits of heads that "Break the model" tells, measured again."""

import json

import pytest

from tools.site.habits import HABITS, LEAST, TEXTS, habits, scores

STORED = json.loads(HABITS.read_text(encoding="utf-8"))


@pytest.mark.needs_real_model
def test_they_hold_on_one_text(smollm2):
    for name, (found,) in scores(*smollm2, TEXTS[:1]).items():
        assert STORED["heads"][name]
        for head in STORED["heads"][name]:
            layer, number = map(int, head.split("."))
            assert found[layer, number] >= LEAST - 1e-3, (name, head)


@pytest.mark.needs_real_model
@pytest.mark.nightly
def test_all_are_found_again(smollm2):
    again = habits(scores(*smollm2, TEXTS))
    for name, heads in again["heads"].items():
        assert heads == pytest.approx(STORED["heads"][name], abs=2e-3)
    assert again["all"] == pytest.approx(STORED["all"], abs=2e-3)
    assert (again["texts"], again["least"]) == (STORED["texts"], STORED["least"])
