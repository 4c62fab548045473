"""The sentence that the page "Break the model" opens with: docs/broken.json, computed once.

    python -m tools.site.broken

SmolLM2 writes on from a sentence: with all its heads, without two of them, without each of the 270
alone, without each together with the one that matters most, and 20 times without two others by lot.
So the page shows something true before the model is there, and there is something to try. A test
computes some of it again, another way.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import cast

import torch

from course_lib.attention.multi_head import MultiHeadAttention
from course_lib.data.real_model import SMOLLM2, encode, load_smollm2
from course_lib.model.language_model import DecoderLM
from course_lib.study.ablation import Head, others_like, run
from course_lib.study.heads import first_token_score, induction_score, previous_token_score
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


@contextmanager
def _without(model: DecoderLM, sets: Sequence[Sequence[Head]]) -> Iterator[None]:
    """Row i of a batch runs without the heads of sets[i]: their outputs are zero."""
    handles = []
    for layer, block in enumerate(model.stack.blocks):
        attention = cast(MultiHeadAttention, block.attention)
        keep = torch.ones(len(sets), 1, attention.num_heads, 1)
        for row, heads in enumerate(sets):
            for one, head in heads:
                if one == layer:
                    keep[row, 0, head] = 0

        def silence(_module, inputs, keep=keep):
            return (inputs[0].unflatten(-1, (keep.shape[2], -1)).mul(keep).flatten(-2),)

        handles.append(attention.out_proj.register_forward_pre_hook(silence))
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


@torch.inference_mode()
def write(
    model: DecoderLM, tokens: torch.Tensor, sets: Sequence[Sequence[Head]]
) -> tuple[torch.Tensor, torch.Tensor]:
    """Write on without each of several sets of heads.

    Args:
        model: in eval mode, on the CPU.
        tokens: (1, length).
        sets: of heads that are off, one writing for each.

    Returns:
        The new tokens (sets, NEW), and the probabilities of the first of them (sets, vocab_size).
    """
    written, first = [], []
    for start in range(0, len(sets), AT_ONCE):
        part = sets[start : start + AT_ONCE]
        caches = model.make_caches(len(part), tokens.shape[1] + NEW)
        now, new = tokens.expand(len(part), -1), []
        with _without(model, part):
            for step in range(NEW):
                logits = model(now, caches=caches)[0][:, -1]
                if not step:
                    first.append(logits.softmax(dim=-1))
                now = logits.argmax(dim=-1, keepdim=True)
                new.append(now)
        written.append(torch.cat(new, dim=1))
    return torch.cat(written), torch.cat(first)


def sentence_of(tokenizer, tokens: torch.Tensor) -> list[str]:
    """Return the pieces of the new tokens, up to the end of the line."""
    pieces = []
    for one in tokens.tolist():
        piece = tokenizer.decode([one], skip_special_tokens=False)
        if "\n" in piece or piece.startswith("<|"):
            break
        pieces.append(piece)
    return pieces


def compute() -> dict:
    """Return what the page shows before the model is loaded."""
    model, tokenizer = load_smollm2()
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
        [sentence_of(tokenizer, one) for one in part] for part in written.split(sizes)
    )
    words, without = both
    first, of_alone, *_ = first.split(sizes)
    likely = first.amax(dim=0).topk(TOP).indices
    likely = likely[first[0, likely].argsort(descending=True, stable=True)]
    moved = (of_alone - first[0]).abs().sum(dim=-1) / 2
    elsewhere = []
    for text in ELSEWHERE:
        two, _ = write(model, encode(tokenizer, text)[0], [[], OFF])
        elsewhere.append([text, *("".join(sentence_of(tokenizer, one)) for one in two)])

    _, weights = run(model, tokens)
    rows, columns = torch.tril_indices(len(pieces), len(pieces))
    induction = torch.cat([induction_score(one, tokens) for one in weights])
    return {
        "model": f"{SMOLLM2.requirement}, {SMOLLM2.name}, SHA-256 {SMOLLM2.sha256}",
        "text": TEXT,
        "pieces": pieces,
        "off": OFF,
        "words": words,
        "without": without,
        # What is written without one head, and without it and the last of OFF; null: as with all.
        "alone": [None if one == words else one for one in alone],
        "pairs": [None if one == words else one for one in pairs],
        # Each draw: its heads, and what is written without them.
        "draws": [
            [list(heads), None if one == words else one]
            for heads, one in zip(draws, by_lot, strict=True)
        ],
        "elsewhere": elsewhere,
        "next": [
            [tokenizer.decode([one]), *(round(p.item(), 4) for p in first[:, one])]
            for one in likely.tolist()
        ],
        "scores": {
            "effect when off": packed_shares(moved),
            "previous token": packed_shares(
                torch.cat([previous_token_score(one) for one in weights])
            ),
            "first token": packed_shares(torch.cat([first_token_score(one) for one in weights])),
            "induction": None if induction.isnan().any() else packed_shares(induction),
        },
        "weights": packed_shares(torch.cat(weights)[..., rows, columns]),
    }


def main() -> int:
    text = json.dumps(compute(), ensure_ascii=False, separators=(",", ":"))
    text = text.replace("],[[", "],\n[[")  # a draw stands on a line of its own
    (ROOT / BROKEN).write_text(text + "\n", encoding="utf-8")
    print(f"{BROKEN}: written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
