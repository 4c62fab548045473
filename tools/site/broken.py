"""The sentence that the page "Break the model" opens with: docs/broken.json, computed once.

    python -m tools.site.broken

SmolLM2 writes on from a sentence: with all its heads, without two of them, without each of the 270
alone, without each together with the one that matters most, and 20 times without two others by lot.
So the page shows something true before the model is there, and there is something to try. A test
computes some of it again, another way.
"""

import json
import sys
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import cast

import torch

from course_lib.attention.multi_head import MultiHeadAttention
from course_lib.data.real_model import SMOLLM2, encode, load_smollm2
from course_lib.model.language_model import DecoderLM
from course_lib.study.ablation import Head, others_like, run, write_without
from course_lib.widgets.model_runs import likeliest, packed_maps, packed_scores, sentence_of
from course_lib.widgets.packed_numbers import packed_shares
from tools.notebooks.notebook_files import ROOT

BROKEN = Path("docs/broken.json")
TEXT = "The capital of France is"
OFF: list[Head] = [(11, 7), (23, 4)]  # the last one is tried with each other head
# The same heads off, elsewhere: what an ablation says holds for its sentence.
ELSEWHERE = (
    "The capital of Italy is",
    "The capital of Japan is",
    "The capital of Spain is",
    "The capital of Egypt is",
    "The capital of Russia is",
    "Paris is the capital of",
)
DRAWS = 20
NEW = 8  # tokens that are written
TOP = 8  # next tokens that are listed
AT_ONCE = 45  # sets of heads in one batch


def write(
    model: DecoderLM, tokens: torch.Tensor, sets: Sequence[Sequence[Head]], new: int = NEW
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return what ``write_without`` does, a batch after the other."""
    parts = [
        write_without(model, tokens, sets[start : start + AT_ONCE], new)
        for start in range(0, len(sets), AT_ONCE)
    ]
    written, first = (torch.cat(part) for part in zip(*parts, strict=True))
    return written, first


def decoder(tokenizer) -> Callable[[int], str]:
    return lambda token: tokenizer.decode([token], skip_special_tokens=False)


def packed_effects(with_all: torch.Tensor, alone: torch.Tensor) -> str:
    """Return how far the next token's probabilities move without each head, for the browser.

    They are (vocab_size,) with all heads, and (heads, vocab_size) without each one alone.
    """
    return packed_shares((alone - with_all).abs().sum(dim=-1) / 2)


def compute() -> dict:
    """Return what the page shows before the model is loaded."""
    model, tokenizer = load_smollm2()
    decode = decoder(tokenizer)
    tokens, pieces = encode(tokenizer, TEXT)
    layers, heads = (
        len(model.stack.blocks),
        cast(MultiHeadAttention, model.stack.blocks[0].attention).num_heads,
    )
    every = list(product(range(layers), range(heads)))
    free = [head for head in every if head not in OFF]
    draws = [others_like(OFF, free, draw) for draw in range(DRAWS)]
    kinds = [[[], OFF], [[head] for head in every], [[head, OFF[-1]] for head in every], draws]
    written, first = write(model, tokens, [heads for kind in kinds for heads in kind])
    sizes = [len(kind) for kind in kinds]
    both, alone, pairs, by_lot = (
        [sentence_of(decode, tokens) for tokens in part] for part in written.split(sizes)
    )
    words, without = both
    first, of_alone, of_pairs, of_draws = first.split(sizes)
    likeliest_first = first[0].argmax()

    def thousandths(probabilities: torch.Tensor) -> list[int]:
        return (1000 * probabilities[:, likeliest_first]).round().int().tolist()

    elsewhere = []
    for text in ELSEWHERE:
        lines, _ = write(model, encode(tokenizer, text)[0], [[], OFF])
        elsewhere.append([text, *("".join(sentence_of(decode, line)) for line in lines)])

    _, weights = run(model, tokens)
    return {
        "model": f"{SMOLLM2.requirement}, {SMOLLM2.name}, SHA-256 {SMOLLM2.sha256}",
        "text": TEXT,
        "pieces": pieces,
        "off": OFF,
        "words": words,
        "without": without,
        # What is written without one head, and without it and the last of OFF; null: as with all.
        "alone": [None if line == words else line for line in alone],
        "pairs": [None if line == words else line for line in pairs],
        # Each draw: its heads, and what is written without them.
        "draws": [
            [list(heads), None if line == words else line]
            for heads, line in zip(draws, by_lot, strict=True)
        ],
        # The probability of the first of `words`, in thousandths: for each of these ways to write.
        "thousandths": {
            "alone": thousandths(of_alone),
            "pairs": thousandths(of_pairs),
            "draws": thousandths(of_draws),
        },
        "elsewhere": elsewhere,
        "next": likeliest(decode, first[0], first[1], of_draws, TOP),
        "scores": {"effect when off": packed_effects(first[0], of_alone)}
        | packed_scores(weights, tokens),
        "weights": packed_maps(weights),
    }


def main() -> int:
    text = json.dumps(compute(), ensure_ascii=False, separators=(",", ":"))
    text = text.replace("],[[", "],\n[[")  # a draw stands on a line of its own
    (ROOT / BROKEN).write_text(text + "\n", encoding="utf-8")
    print(f"{BROKEN}: written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
