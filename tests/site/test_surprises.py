"""The pairs of "Surprise me", measured again."""

import json
import random

import pytest

from course_lib.data.real_model import load_smollm2
from tools.site.surprises import DRAWS, MOST_CHANGED, SURPRISES, TEXTS, measured

STORED = json.loads(SURPRISES.read_text(encoding="utf-8"))
BY_DAY = 2


@pytest.fixture(scope="module")
def smollm2():
    return load_smollm2()


def assert_it_holds(stored, smollm2):
    again = measured(*smollm2, stored["text"], [tuple(head) for head in stored["off"]])
    token, *shares = stored["next"]
    assert again["next"][0] == token
    assert again["next"][1:] == pytest.approx(shares, abs=2e-3)
    assert again | {"next": []} == stored | {"next": []}


def test_each_is_of_a_sentence_and_more_than_chance():
    assert len({(one["text"], str(one["off"])) for one in STORED}) == len(STORED) >= 20
    for one in STORED:
        assert one["text"] in TEXTS and one["before"] != one["after"]
        assert DRAWS - MOST_CHANGED <= one["same"] <= one["of"] == DRAWS


@pytest.mark.needs_real_model
def test_some_are_measured_again(smollm2):
    for stored in random.Random(len(STORED)).sample(STORED, BY_DAY):
        assert_it_holds(stored, smollm2)


@pytest.mark.needs_real_model
@pytest.mark.nightly
def test_all_are_measured_again(smollm2):
    for stored in STORED:
        assert_it_holds(stored, smollm2)
