"""The maps of "Caption or chance?", against the models, by loops over queries."""

import base64

import pytest
import torch

from course_lib.data.tasks import agreement_ids
from course_lib.study.ablation import run
from tools.site.bets import NEEDED, SENTENCE, bets_stored, drawn_sentences, models

STORED = bets_stored()
BETS = STORED["bets"]


@pytest.fixture(scope="module")
def known():
    return dict(models())


def key_named(caption, query, subject):
    """What a reader takes a caption to say."""
    if "start" in caption:
        return 0
    if "before" in caption:
        return query - 1
    if "itself" in caption:
        return query
    return subject if query > subject else None


def test_half_of_ten_are_trained_and_one_of_them_is_needed():
    assert 2 * sum(bet["model"].startswith("untrained") for bet in BETS) == len(BETS) == 10
    (needed,) = [bet for bet in BETS if (bet["model"], tuple(bet["head"])) == NEEDED]
    assert needed["without"] < 0.6 < needed["without_another"]


@pytest.mark.parametrize("bet", BETS, ids=lambda bet: f"{bet['model']} {bet['head']}")
def test_map_number_and_ablation_are_the_models(known, bet):
    model, (layer, head) = known[bet["model"]], bet["head"]
    ((_, weights),) = [run(model, agreement_ids(*SENTENCE)[None])]
    stored = iter(base64.b64decode(bet["weights"]))
    for query in range(len(SENTENCE)):
        for key in range(query + 1):
            weight = weights[layer][0, head, query, key].item()
            assert next(stored) / 255 == pytest.approx(weight, abs=0.004)

    for sentences, name in zip(drawn_sentences(), ("number", "moved"), strict=True):
        _, weights = run(model, sentences.tokens[:, :-1])
        subject, before = sentences.subject_positions[0].item(), sentences.verb_positions[0].item()
        found = [
            weights[layer][:, head, query, key].mean().item()
            for query in range(1, before)
            if (key := key_named(bet["caption"], query, subject)) is not None
        ]
        assert bet[name] == pytest.approx(sum(found) / len(found), abs=0.02)


def test_the_sentences_are_alike_but_for_one_word():
    test, moved = drawn_sentences()
    assert STORED["sentences"] == len(test.tokens)
    assert torch.equal(moved.subject_positions, test.subject_positions + 1)
    assert test.is_attractor.all()
