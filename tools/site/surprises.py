"""A hundred pairs of heads that break a sentence where others do not: docs/surprises.json.

    python -m tools.site.surprises

For each of some sentences SmolLM2 runs without each head alone. Of the heads that move its next
word most, all pairs are tried. Those stay that make it write something else, while at least 18 of
20 draws of two other heads of the same layers change nothing. "Surprise me" on the page "Break the
model" shows one of them. A test computes what is written, and the draws of some, again.
"""

import json
import sys
from collections.abc import Iterator
from itertools import combinations, product

import torch

from course_lib.data.real_model import encode, load_smollm2
from course_lib.model.language_model import DecoderLM
from course_lib.study.ablation import Head, others_like
from course_lib.widgets.model_runs import sentence_of
from tools.notebooks.notebook_files import ROOT
from tools.site.broken import NEW, write

SURPRISES = ROOT / "docs" / "surprises.json"
DRAWS, MOST_CHANGED = 20, 2
PROMISING, PER_SENTENCE, WANTED = 8, 4, 100
LAYERS, HEADS = 30, 9
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


def found_in(model: DecoderLM, tokenizer, text: str) -> list[dict]:
    """Return the pairs of one sentence: what they change, and how many draws change nothing."""
    tokens, _ = encode(tokenizer, text)
    _, alone = write_first(model, tokens, [[], *([head] for head in EVERY)])
    moved = (alone[1:] - alone[0]).abs().sum(dim=-1) / 2
    promising = [EVERY[i] for i in moved.topk(PROMISING).indices.tolist()]
    pairs = [sorted(pair) for pair in combinations(promising, 2)]
    first, without = write_first(model, tokens, pairs)
    likeliest = alone[0].argmax()
    left = without[:, likeliest]
    order = [i for i in left.argsort().tolist() if first[i, 0] != likeliest][: 2 * PER_SENTENCE]
    if not order:
        return []
    written, _ = write(model, tokens, [[], *(pairs[i] for i in order)])
    before, *after = [words_of(tokenizer, line) for line in written]
    kept: list[dict] = []
    for i, words in zip(order, after, strict=True):
        if len(kept) == PER_SENTENCE:
            break
        free = [head for head in EVERY if head not in pairs[i]]
        draws = [others_like(pairs[i], free, draw) for draw in range(DRAWS)]
        by_lot, _ = write(model, tokens, draws)
        same = sum(words_of(tokenizer, line) == before for line in by_lot)
        if words != before and same >= DRAWS - MOST_CHANGED:
            kept.append(
                {"text": text, "off": pairs[i], "before": before, "after": words, "same": same}
            )
    return kept


def write_first(model: DecoderLM, tokens: torch.Tensor, sets: list) -> tuple:
    """Return the first token that is written without each set, and its probabilities."""
    return write(model, tokens, sets, 1)


def search() -> Iterator[dict]:
    model, tokenizer = load_smollm2()
    for text in TEXTS:
        for surprise in found_in(model, tokenizer, text):
            print(surprise, flush=True)
            yield surprise


def main() -> int:
    found = list(search())[:WANTED]
    lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in found)
    SURPRISES.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    print(f"{len(found)} in {SURPRISES.name}, written on for {NEW} tokens")
    return 0


if __name__ == "__main__":
    sys.exit(main())
