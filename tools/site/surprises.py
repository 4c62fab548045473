"""Pairs of heads that break a sentence where others do not: docs/surprises.json.

    python -m tools.site.surprises

For each of some sentences SmolLM2 runs without each head alone. Of the heads that move its next
word most, all pairs are tried. Those stay that make it write something else, while at least 18 of
20 draws of two other heads of the same layers change nothing. "Surprise me" on the page "Break the
model" shows one of them. Tests measure them again.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from itertools import combinations, product

import torch

from course_lib.data.real_model import encode, load_smollm2
from course_lib.model.language_model import DecoderLM
from course_lib.study.ablation import Head, others_like
from course_lib.validation.values import spelt_out
from course_lib.widgets.model_runs import sentence_of
from tools.notebooks.notebook_files import ROOT
from tools.site.broken import write
from tools.site.hero import HEADS, LAYERS

SURPRISES = ROOT / "docs" / "surprises.json"
DRAWS, MOST_CHANGED = 20, 2
PROMISING, PER_SENTENCE = 8, 4
EVERY: list[Head] = list(product(range(LAYERS), range(HEADS)))
TEXTS = (
    "The capital of Germany is",
    "The capital of Italy is",
    "The capital of Spain is",
    "The capital of Russia is",
    "The capital of China is",
    "The Eiffel Tower is in the city of",
    "Monday, Tuesday,",
    "January, February,",
    "one two three four",
    "2, 4, 6, 8,",
    "The opposite of hot is",
    "The opposite of good is",
    "To be or not to",
    "Once upon a",
    "The sun rises in the",
    "The largest planet in the solar system is",
    "The first president of the United States was",
    "Dogs bark, cats",
    "An apple a day keeps the",
    "Happy birthday to",
    "A year has twelve",
    "The chemical symbol for gold is",
    "Romeo and",
    "Water is made of hydrogen and",
    "blue cat red dog blue cat red",
    "The color of the sky is",
    "The color of grass is",
    "A week has seven",
    "Better late than",
    "The author of Hamlet is William",
    "Mary had a little",
    "Bees make",
    "The Statue of Liberty is in New",
    "The heart pumps",
    "Albert Einstein was a German-born theoretical",
    "The currency of Japan is the",
    "Spring, summer, autumn and",
    "He wanted to eat, so he went to the",
    "Anna and Tom went home. Anna said to",
    "Two plus two is",
)


def words_of(tokenizer, tokens: torch.Tensor) -> str:
    decoded = sentence_of(
        lambda token: tokenizer.decode([token], skip_special_tokens=False), tokens
    )
    return "".join(decoded)


def measured(model: DecoderLM, tokenizer, text: str, off: Sequence[Head]) -> dict:
    """Return what is written with all heads and without some, and what 20 draws change.

    "next" is the likeliest token: its probability with all heads, without these, and by chance.
    """
    tokens, _ = encode(tokenizer, text)
    free = [head for head in EVERY if head not in off]
    draws = [others_like(off, free, draw) for draw in range(DRAWS)]
    written, first = write(model, tokens, [[], off, *draws])
    before, after, *by_lot = [words_of(tokenizer, line) for line in written]
    shares = first[:, first[0].argmax()]
    means = (shares[0], shares[1], shares[2:].mean())
    return {
        "text": text,
        "off": [list(head) for head in off],
        "before": before,
        "after": after,
        "same": sum(words == before for words in by_lot),
        "of": DRAWS,
        "next": [
            spelt_out(tokenizer.decode([int(first[0].argmax())])),
            *(round(share.item(), 4) for share in means),
        ],
    }


def found_in(model: DecoderLM, tokenizer, text: str) -> Iterator[dict]:
    """Return the pairs of one sentence: what they change, and how many draws change nothing."""
    tokens, _ = encode(tokenizer, text)
    _, alone = write(model, tokens, [[], *([head] for head in EVERY)], 1)
    moved = (alone[1:] - alone[0]).abs().sum(dim=-1) / 2
    promising = [EVERY[i] for i in moved.topk(PROMISING).indices.tolist()]
    pairs = [sorted(pair) for pair in combinations(promising, 2)]
    first, without = write(model, tokens, pairs, 1)
    likeliest = alone[0].argmax()
    breaks = [i for i in without[:, likeliest].argsort().tolist() if first[i, 0] != likeliest]
    kept = 0
    for i in breaks[: 2 * PER_SENTENCE]:
        found = measured(model, tokenizer, text, pairs[i])
        is_kept = found["after"] != found["before"] and found["same"] >= DRAWS - MOST_CHANGED
        if is_kept and kept < PER_SENTENCE:
            kept += 1
            yield found


def stored(found: Sequence[dict]) -> str:
    """Return the file's text: a line for each."""
    return "[\n" + ",\n".join(json.dumps(one, ensure_ascii=False) for one in found) + "\n]\n"


def main() -> int:
    model, tokenizer = load_smollm2()
    found: list[dict] = []
    for text in TEXTS:
        found += found_in(model, tokenizer, text)
        SURPRISES.write_text(stored(found), encoding="utf-8")
        print(f"{len(found)} pairs, {text!r} tried", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
