"""SentenceLab without a browser."""

import pytest
import torch
from traitlets import TraitError

from course_lib import DecoderLM
from course_lib.data.checkpoints import load_checkpoint
from course_lib.data.tasks import AGREEMENT_WORDS, PLURAL_VERBS, SINGULAR_VERBS, agreement_ids
from course_lib.study.ablation import run
from course_lib.widgets import SentenceLab

TEXT = "<start> the keys near the cabinet"
WORDS = ["a", "b", "c", "d"]


def small_model(**options):
    return DecoderLM(len(WORDS), 8, 2, 3, **({"positions": "rotary", "d_ff": 0} | options)).eval()


def test_its_numbers_are_the_models():
    model = load_checkpoint("agreement")
    lab = SentenceLab(model, AGREEMENT_WORDS, TEXT, off=[], layer=1, head=3)
    assert (lab.query, repr(lab)) == (5, "SentenceLab(2 layers of 8 heads, 57 words)")
    for off in ([], [(0, 5)], [(1, 2), (0, 5)]):
        lab.off = off
        assert lab.off == [list(head) for head in sorted(off)]
        tokens = agreement_ids(*TEXT.split())[None]
        logits, weights = run(model, tokens, off)
        torch.testing.assert_close(lab.weights, torch.cat(weights))
        with_all = run(model, tokens)[0][0, -1].softmax(dim=-1)
        without = logits[0, -1].softmax(dim=-1)
        order = with_all.argsort(descending=True, stable=True).tolist()
        assert [word for word, *_ in lab.next_words] == [AGREEMENT_WORDS[i] for i in order]
        numbers = torch.tensor([found for _, *found in lab.next_words])
        torch.testing.assert_close(numbers, torch.stack((with_all, without), dim=1)[order])


def test_text_variant_and_query_can_be_set():
    trained, untrained = small_model(), small_model()
    lab = SentenceLab({"trained": trained, "untrained": untrained}, WORDS, "a b  c", off=[])
    assert (lab.text, lab.query, lab.variant) == ("a b c", 2, "trained")
    lab.text = "d  a"
    assert (lab.text, lab.query) == ("d a", 1)  # there is no word 2 any more
    lab.variant = "untrained"
    torch.testing.assert_close(lab.weights, torch.cat(run(untrained, torch.tensor([[3, 0]]))[1]))
    assert [model["untrained"] for model in lab._data["models"]] == [False, True]


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("text", "a dog", "the model has no word 'dog'"),
        ("text", "a " * 7, "text must hold 1 to 6 words, got 7"),
        ("off", [(3, 0)], r"layer from 0 to 2, head from 0 to 1\), got \(3, 0\)"),
        ("off", [(0,)], r"each a pair .*, got \(0,\)"),
        ("layer", 3, "layer must be from 0 to 2, got 3"),
        ("head", 2, "head must be from 0 to 1, got 2"),
        ("query", 2, "query must be from 0 to 1, got 2"),
    ],
)
def test_what_cannot_be_is_refused_and_the_last_picture_stays(name, value, words):
    lab = SentenceLab(small_model(), WORDS, "a b", max_tokens=6, off=[])
    before = getattr(lab, name)
    with pytest.raises(TraitError, match=words):
        setattr(lab, name, value)
    assert getattr(lab, name) == before


@pytest.mark.parametrize(
    ("error", "words", "arguments"),
    [
        (TypeError, "models must be a DecoderLM, got Linear", {"models": torch.nn.Linear(2, 2)}),
        (ValueError, "must be in eval mode", {"models": small_model().train()}),
        (ValueError, "at least one model", {"models": {}}),
        (
            ValueError,
            r"model 'b' must have the first one's .*\(3, 2, 4\), got \(3, 4, 4\)",
            {"models": {"a": small_model(), "b": DecoderLM(4, 8, 4, 3, positions="none").eval()}},
        ),
        (ValueError, "words must hold 4 texts, one for each token, got 3", {"words": WORDS[:3]}),
        (ValueError, "comes once, got 'a'", {"words": ["a", "b", "a", "c"]}),
        (ValueError, "must each be one word .* once, got 'a b'", {"words": ["a b", *"cde"]}),
        (TypeError, "split it first", {"words": "abcd"}),
        (
            ValueError,
            "must take at most 1.5 MB of a page, got 6.3 MB; ModelLab",
            {"models": DecoderLM(4, 180, 2, 3, positions="none").eval()},
        ),
    ],
)
def test_bad_input_is_named(error, words, arguments):
    with pytest.raises(error, match=words):
        SentenceLab(**({"models": small_model(), "words": WORDS, "text": "a b"} | arguments))


def test_the_lab_opens_where_the_answer_flips():
    text = "<start> the keys near the cabinet behind the door"
    lab = SentenceLab(load_checkpoint("agreement"), AGREEMENT_WORDS, text)
    [[layer, head]] = lab.off
    before, after = lab.next_words[0], max(lab.next_words, key=lambda word: word[2])
    assert before[0] in PLURAL_VERBS and after[0] in SINGULAR_VERBS
    assert after[2] > 2 * after[1]
    assert SentenceLab(load_checkpoint("agreement"), AGREEMENT_WORDS, text, off=[]).off == []
    # Where no head decides, all are on.
    assert SentenceLab(load_checkpoint("agreement"), AGREEMENT_WORDS, "<start>").off == []


def test_learned_positions_bound_the_sentence():
    lab = SentenceLab(small_model(positions="learned", max_len=3), WORDS, "a", max_tokens=9)
    assert lab._data["max_tokens"] == 3
    with pytest.raises(TraitError, match="1 to 3 words, got 4"):
        lab.text = "a b c d"
