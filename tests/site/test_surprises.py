"""What "Surprise me" shows, measured again."""

import base64
import random

import pytest

from course_lib.data.real_model import encode
from course_lib.study.ablation import run
from tools.notebooks.notebook_files import ROOT
from tools.site import surprises
from tools.site.surprises import DRAWS, SURPRISES, check_some, holds

EFFECTS, FOUND = surprises.read_surprises().values()
BY_DAY, BY_NIGHT = 2, pytest.param(len(FOUND), marks=pytest.mark.nightly)


def test_each_is_of_a_sentence_and_more_than_chance():
    assert (ROOT / SURPRISES).read_text("utf-8") == surprises.file_text(EFFECTS, FOUND)
    assert len({(entry["text"], str(entry["off"])) for entry in FOUND}) == len(FOUND) >= 100
    assert {entry["text"] for entry in FOUND} == EFFECTS.keys() <= set(surprises.SENTENCES)
    for entry in FOUND:
        assert entry["before"] != entry["after"] and len(entry["next"]) == surprises.TOP
        assert DRAWS - surprises.MOST_CHANGED <= entry["same"] <= entry["of"] == DRAWS


@pytest.mark.needs_real_model
@pytest.mark.parametrize("number", [BY_DAY, BY_NIGHT])
def test_so_many_are_measured_again(smollm2, number):
    model, tokenizer = smollm2
    for stored in random.Random(len(FOUND)).sample(FOUND, number):
        assert holds(model, tokenizer, stored), stored
        tokens, _ = encode(tokenizer, stored["text"])
        packed = base64.b64decode(EFFECTS[stored["text"]])
        for layer, head in (*stored["off"], (29, 8)):  # each alone
            both = [run(model, tokens, off)[0][0, -1] for off in ([], [(layer, head)])]
            before, after = (logits.softmax(dim=-1) for logits in both)
            moved = (after - before).clamp(min=0).sum().item()
            assert packed[9 * layer + head] == pytest.approx(255 * moved, abs=0.6)
        assert len(packed) == 270


@pytest.mark.needs_real_model
def test_a_build_checks_what_it_has_not_checked(tmp_path, smollm2, monkeypatch):
    monkeypatch.setattr(surprises, "load_smollm2", lambda: smollm2)
    for folder in ("docs", "build/site", "course_lib"):
        (tmp_path / folder).mkdir(parents=True)
    file = tmp_path / SURPRISES
    file.write_text(surprises.file_text({}, FOUND[:1]), encoding="utf-8")
    check_some(tmp_path)
    monkeypatch.setattr(surprises, "load_smollm2", lambda: pytest.fail("loaded again"))
    check_some(tmp_path)
    monkeypatch.setattr(surprises, "load_smollm2", lambda: smollm2)
    file.write_text(surprises.file_text({}, [FOUND[0] | {"after": " Bonn."}]), encoding="utf-8")
    with pytest.raises(ValueError, match="The capital of Germany is"):
        check_some(tmp_path)
