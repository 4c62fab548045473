"""The pairs of "Surprise me", measured again."""

import json
import random

import pytest

from tools.site.surprises import DRAWS, MOST_CHANGED, SENTENCES, SURPRISES, check_some, holds

STORED = json.loads(SURPRISES.read_text(encoding="utf-8"))
BY_DAY = 2


def test_each_is_of_a_sentence_and_more_than_chance():
    assert len({(entry["text"], str(entry["off"])) for entry in STORED}) == len(STORED) >= 100
    for entry in STORED:
        assert entry["text"] in SENTENCES and entry["before"] != entry["after"]
        assert DRAWS - MOST_CHANGED <= entry["same"] <= entry["of"] == DRAWS


@pytest.mark.needs_real_model
def test_some_are_measured_again(smollm2):
    for stored in random.Random(len(STORED)).sample(STORED, BY_DAY):
        assert holds(*smollm2, stored), stored


@pytest.mark.needs_real_model
@pytest.mark.nightly
def test_all_are_measured_again(smollm2):
    for stored in STORED:
        assert holds(*smollm2, stored), stored


@pytest.mark.needs_real_model
def test_a_build_checks_what_it_has_not_checked(tmp_path, smollm2, monkeypatch):
    monkeypatch.setattr("tools.site.surprises.load_smollm2", lambda: smollm2)
    for folder in ("docs", "build/site", "course_lib"):
        (tmp_path / folder).mkdir(parents=True)
    file = tmp_path / "docs" / SURPRISES.name
    file.write_text(json.dumps(STORED[:1]), encoding="utf-8")
    check_some(tmp_path)
    monkeypatch.setattr("tools.site.surprises.load_smollm2", lambda: pytest.fail("loaded again"))
    check_some(tmp_path)
    monkeypatch.setattr("tools.site.surprises.load_smollm2", lambda: smollm2)
    file.write_text(json.dumps([STORED[0] | {"after": " Bonn."}]), encoding="utf-8")
    with pytest.raises(ValueError, match="The capital of Germany is"):
        check_some(tmp_path)
