"""The stored sentence of "Break the model", against the model, computed another way."""

import base64
import struct

import pytest
import torch

from course_lib.data.real_model import encode
from course_lib.study.ablation import run
from course_lib.study.heads import first_token_score
from tools.notebooks.notebook_files import ROOT
from tools.site.break_page import read_broken
from tools.site.broken import DRAWS, ELSEWHERE, OFF, TEXT

BROKEN = read_broken()
CHANGED_PAIRS = [i for i, words in enumerate(BROKEN["pairs"]) if words is not None]
COUNT = 270


def test_it_holds_what_the_page_shows():
    assert BROKEN["text"] == TEXT and BROKEN["off"] == [list(head) for head in OFF]
    assert len(BROKEN["alone"]) == len(BROKEN["pairs"]) == COUNT
    assert BROKEN["pairs"][OFF[0][0] * 9 + OFF[0][1]] == BROKEN["without"] != BROKEN["words"]
    assert len(BROKEN["draws"]) == DRAWS
    sizes = {kind: len(numbers) for kind, numbers in BROKEN["thousandths"].items()}
    assert sizes == {"alone": COUNT, "pairs": COUNT, "draws": DRAWS}
    for heads, _ in BROKEN["draws"]:
        assert [layer for layer, _ in heads] == [layer for layer, _ in OFF]
        assert not {tuple(head) for head in heads} & set(OFF)
    assert [text for text, *_ in BROKEN["elsewhere"]] == list(ELSEWHERE)


def written(smollm2, text, off):
    """The sentence, token by token, with the course's own ablation and without a cache."""
    model, tokenizer = smollm2
    tokens, _ = encode(tokenizer, text)
    start = tokens.shape[1]
    for _ in range(8):
        logits, _ = run(model, tokens, off)
        tokens = torch.cat([tokens, logits[:, -1:].argmax(dim=-1)], dim=1)
        if "\n" in tokenizer.decode(tokens[0, start:].tolist()):
            break
    pieces = [tokenizer.decode([token]) for token in tokens[0, start:].tolist()]
    return pieces[:-1] if "\n" in pieces[-1] else pieces


def test_the_model_writes_these_words(smollm2):
    assert written(smollm2, TEXT, []) == BROKEN["words"]
    assert written(smollm2, TEXT, OFF) == BROKEN["without"]
    heads, words = BROKEN["draws"][-1]
    assert written(smollm2, TEXT, [tuple(head) for head in heads]) == (words or BROKEN["words"])
    changed = CHANGED_PAIRS[0]
    assert written(smollm2, TEXT, [divmod(changed, 9), OFF[-1]]) == BROKEN["pairs"][changed]
    text, _, without = BROKEN["elsewhere"][0]
    assert "".join(written(smollm2, text, OFF)) == without


def test_probabilities_and_scores_are_the_models(smollm2):
    model, tokenizer = smollm2
    tokens, pieces = encode(tokenizer, TEXT)
    assert pieces == BROKEN["pieces"]
    logits, weights = run(model, tokens)
    without, _ = run(model, tokens, OFF)
    likeliest, other = logits[0, -1].argmax(), divmod(CHANGED_PAIRS[0], 9)
    drawn_heads = [tuple(head) for head in BROKEN["draws"][0][0]]
    for kind, place, off in (
        ("alone", OFF[0][0] * 9 + OFF[0][1], OFF[:1]),
        ("pairs", CHANGED_PAIRS[0], [other, OFF[-1]]),
        ("draws", 0, drawn_heads),
    ):
        left = run(model, tokens, off)[0][0, -1].softmax(dim=-1)[likeliest].item()
        assert BROKEN["thousandths"][kind][place] == pytest.approx(1000 * left, abs=3)
    by_lot = torch.stack([run(model, tokens, heads)[0][0, -1] for heads, _ in BROKEN["draws"]])
    by_lot = by_lot.softmax(dim=-1)
    for piece, *stored in BROKEN["next"]:
        (token,) = tokenizer.encode(piece.replace("␣", " ")).ids
        found = [one[0, -1].softmax(dim=-1)[token].item() for one in (logits, without)]
        drawn = by_lot[:, token]
        found += [drawn.mean().item(), drawn.min().item(), drawn.max().item()]
        assert found == pytest.approx(stored, abs=2e-3)
    first = torch.cat([first_token_score(layer) for layer in weights])
    stored = torch.tensor(list(base64.b64decode(BROKEN["scores"]["first token"]))) / 255
    assert stored.allclose(first, atol=1 / 255)


def test_the_card_for_links_has_the_size_that_links_are_shown_in():
    header = (ROOT / "docs" / "_static" / "card.png").read_bytes()[16:24]
    assert struct.unpack(">II", header) == (1200, 630)
