"""What the heads of SmolLM2 do on each of four texts, by lesson 16's scores: docs/habits.json.

    python -m tools.site.habits

A text is 40 tokens of a passage, twice, so that there is something to copy. A head has a habit
where its score is at least a half on each of the four. The page "Break the model" says it in words,
with the mean over the four texts, and that of all heads. Tests measure it again.
"""

import json
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import torch

from course_lib.data.passages import PASSAGES
from course_lib.data.real_model import encode, load_smollm2
from course_lib.model.language_model import DecoderLM
from course_lib.study.ablation import run
from course_lib.study.heads import (
    first_token_score,
    induction_score,
    previous_token_score,
    same_token_score,
)
from tools.notebooks.notebook_files import ROOT

if TYPE_CHECKING:
    from tokenizers import Tokenizer

HABITS = ROOT / "docs" / "habits.json"
TEXTS, PERIOD = PASSAGES[1:], 40
LEAST = 0.5


MEASURES: dict[str, Callable[[torch.Tensor, torch.Tensor], torch.Tensor]] = {
    "previous token": lambda weights, _: previous_token_score(weights),
    "first token": lambda weights, _: first_token_score(weights),
    "own token": lambda weights, _: same_token_score(weights),
    "induction": induction_score,
}


def scores(
    model: DecoderLM, tokenizer: "Tokenizer", texts: Sequence[str]
) -> dict[str, torch.Tensor]:
    """Return each score of all heads on each text: (texts, layers, heads)."""
    once = torch.cat([encode(tokenizer, text)[0][:, :PERIOD] for text in texts])
    tokens = torch.cat((once, once), dim=1)
    _, weights = run(model, tokens, logits_to_keep=0)
    by_text = [
        (row, torch.stack([layer[i : i + 1] for layer in weights]))
        for i, row in enumerate(tokens.split(1))
    ]
    return {
        name: torch.stack(
            [torch.stack([score(layer, row) for layer in layers]) for row, layers in by_text]
        )
        for name, score in MEASURES.items()
    }


def habits(measured: dict[str, torch.Tensor]) -> dict:
    """Return what the page reads: of each score its mean over all heads, and who has it."""
    return {
        "texts": len(TEXTS),
        "least": LEAST,
        "all": {name: round(by_text.mean().item(), 3) for name, by_text in measured.items()},
        "heads": {
            name: {
                f"{layer}.{head}": round(by_text[:, layer, head].mean().item(), 3)
                for layer, head in (by_text.amin(dim=0) >= LEAST).nonzero().tolist()
            }
            for name, by_text in measured.items()
        },
    }


def main() -> int:
    text = json.dumps(habits(scores(*load_smollm2(), TEXTS))).replace('}, "', '},\n"')
    HABITS.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
