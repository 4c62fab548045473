"""The ten maps of "Caption or chance?": docs/bets.json, from the course's checkpoints.

    python -m tools.site.bets

Five heads are of lesson 11's trained models, five of models that nobody trained. Each has the
caption that fits its one map best, and beside it what the map does not say: the caption's number on
other sentences, what an ablation does, and the number on sentences of another kind.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import torch

from course_lib.data.checkpoints import load_checkpoint, manifest
from course_lib.data.tasks import (
    PLURAL_VERBS,
    SINGULAR_VERBS,
    AgreementBatch,
    agreement_ids,
    agreement_sentences,
)
from course_lib.model.language_model import DecoderLM
from course_lib.study.ablation import Head, run
from course_lib.widgets.packed_numbers import packed_shares
from tools.notebooks.notebook_files import ROOT

BETS = Path("docs/bets.json")
SENTENCE = ["<start>", "the", "keys", "near", "the", "cabinet", "behind", "the", "door"]
SUBJECT = 2
LAYERS, HEADS = 2, 8
TRAINED = ("agreement", "agreement_other")
UNTRAINED = range(10)  # seeds
NEEDED = "agreement", (0, 5)  # lesson 11's best subject head, without which the model errs
EACH = 5  # so many are trained, so many are not
SAME_CAPTION = 2  # at most so many of each kind
ORDER_SEED = 3

# A caption: the key that it names for each query, or None where it names none.
CAPTIONS: dict[str, Callable[[int, int], int | None]] = {
    "It looks at the word before.": lambda query, subject: query - 1 if query else None,
    "Each word looks at itself.": lambda query, subject: query if query else None,
    "It looks at the start.": lambda query, subject: 0 if query else None,
    "It finds the subject.": lambda query, subject: subject if query > subject else None,
}


@dataclass(frozen=True)
class Candidate:
    model: str  # a checkpoint, or "untrained" and its seed
    head: Head
    caption: str
    lift: float  # the caption's number on the one sentence, less what equal weights would have


def models() -> Iterator[tuple[str, DecoderLM]]:
    """Yield each model with its name, in eval mode."""
    for name in TRAINED:
        yield name, load_checkpoint(name)
    options = manifest()[TRAINED[0]]["options"]
    for seed in UNTRAINED:
        torch.manual_seed(seed)
        yield f"untrained {seed}", DecoderLM(positions="learned", **options).eval()


def number_of(caption: str, weights: torch.Tensor, subject: int) -> torch.Tensor:
    """Return the mean weight on the keys that a caption names.

    Args:
        weights: (..., length, length).
        subject: the position of the subject.
    """
    length = weights.shape[-1]
    named = [
        weights[..., query, key]
        for query in range(length)
        if (key := CAPTIONS[caption](query, subject)) is not None
    ]
    return torch.stack(named).mean(dim=0)


def on_sentences(model: DecoderLM, sentences: AgreementBatch) -> dict[str, torch.Tensor]:
    """Return each caption's mean number on the words before the verb, (layers, heads)."""
    weights = torch.stack(run(model, sentences.tokens[:, :-1])[1])  # (layers, batch, heads, T, T)
    before = int(sentences.verb_positions[0])
    subject = int(sentences.subject_positions[0])
    shown = weights[..., :before, :before]
    return {name: number_of(name, shown, subject).mean(dim=1) for name in CAPTIONS}


def accuracy(model: DecoderLM, sentences: AgreementBatch, off: list[Head]) -> float:
    """Return how often the likelier verb has the subject's number."""
    rows = torch.arange(len(sentences.tokens))
    logits = run(model, sentences.tokens[:, :-1], off)[0][rows, sentences.verb_positions - 1]
    singular, plural = (
        logits[:, agreement_ids(*verbs)].amax(dim=-1) for verbs in (SINGULAR_VERBS, PLURAL_VERBS)
    )
    return ((plural > singular) == sentences.is_plural).float().mean().item()


def drawn_sentences() -> tuple[AgreementBatch, AgreementBatch]:
    """Return sentences with two phrases, an attractor last; and the same with "old" in front."""
    drawn = agreement_sentences(3000, generator=torch.Generator().manual_seed(43))
    chosen = drawn.is_attractor & (drawn.verb_positions == len(SENTENCE))
    test = AgreementBatch(*(part[chosen] for part in drawn))
    old = agreement_ids("old").expand(len(test.tokens), 1)
    moved = torch.cat((test.tokens[:, :2], old, test.tokens[:, 2:-1]), dim=1)
    places = test.subject_positions + 1, test.verb_positions + 1
    return test, test._replace(tokens=moved, subject_positions=places[0], verb_positions=places[1])


def candidates(name: str, model: DecoderLM) -> Iterator[Candidate]:
    """Yield every head of a model with the caption that fits its one map best."""
    weights = torch.stack(run(model, agreement_ids(*SENTENCE)[None])[1])[:, 0]
    equal = torch.ones(len(SENTENCE), len(SENTENCE)).tril()
    equal = equal / equal.sum(dim=-1, keepdim=True)
    for layer, head in product(range(LAYERS), range(HEADS)):
        lifts = {
            caption: (
                number_of(caption, weights[layer, head], SUBJECT)
                - number_of(caption, equal, SUBJECT)
            ).item()
            for caption in CAPTIONS
        }
        best = max(lifts, key=lambda caption: lifts[caption])
        yield Candidate(name, (layer, head), best, lifts[best])


def chosen(everyone: list[Candidate]) -> list[Candidate]:
    """Return the untrained heads that fit best, and trained ones that fit about as well.

    The head that lesson 11's model needs is among them.
    """
    untrained = [candidate for candidate in everyone if candidate.model not in TRAINED]
    untrained = _few_of_a_caption(sorted(untrained, key=lambda candidate: -candidate.lift))
    like = sum(candidate.lift for candidate in untrained) / len(untrained)
    trained = [candidate for candidate in everyone if candidate.model in TRAINED]
    trained.sort(key=lambda head: ((head.model, head.head) != NEEDED, abs(head.lift - like)))
    both = _few_of_a_caption(trained)
    both += untrained
    order = torch.randperm(len(both), generator=torch.Generator().manual_seed(ORDER_SEED))
    return [both[i] for i in order]


def _few_of_a_caption(ordered: list[Candidate]) -> list[Candidate]:
    taken: list[Candidate] = []
    count: Counter[str] = Counter()
    for candidate in ordered:
        if count[candidate.caption] < SAME_CAPTION and len(taken) < EACH:
            count[candidate.caption] += 1
            taken.append(candidate)
    return taken


def compute() -> dict:
    """Return the ten bets and what they are about."""
    known = dict(models())
    test, moved = drawn_sentences()
    numbers = {name: on_sentences(model, test) for name, model in known.items()}
    bets = []
    for bet in chosen([head for name, model in known.items() for head in candidates(name, model)]):
        model, (layer, head) = known[bet.model], bet.head
        weights = run(model, agreement_ids(*SENTENCE)[None])[1][layer][0, head]
        rows, columns = torch.tril_indices(*weights.shape)
        others = [other for other in product(range(LAYERS), range(HEADS)) if other != bet.head]
        untrained = [numbers[name][bet.caption].max().item() for name in known if name[0] == "u"]
        bets.append(
            {
                "model": bet.model,
                "head": list(bet.head),
                "caption": bet.caption,
                "weights": packed_shares(weights[rows, columns]),
                "number": round(numbers[bet.model][bet.caption][layer, head].item(), 2),
                "best_untrained": round(max(untrained), 2),
                "moved": round(on_sentences(model, moved)[bet.caption][layer, head].item(), 2),
                "accuracy": round(accuracy(model, test, []), 2),
                "without": round(accuracy(model, test, [bet.head]), 2),
                "without_another": round(
                    sum(accuracy(model, test, [other]) for other in others) / len(others), 2
                ),
            }
        )
    return {"words": SENTENCE, "sentences": len(test.tokens), "bets": bets}


def bets_stored(root: Path = ROOT) -> dict:
    """Return what docs/bets.json holds."""
    return json.loads((root / BETS).read_text(encoding="utf-8"))


def main() -> int:
    page = compute()
    (ROOT / BETS).write_text(json.dumps(page, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(f"{BETS}: {len(page['bets'])} bets on {page['sentences']} sentences")
    return 0


if __name__ == "__main__":
    sys.exit(main())
