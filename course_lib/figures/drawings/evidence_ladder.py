"""Lesson 11: the four rungs of evidence for a claim about a head, with the claim of lesson 10."""

from types import SimpleNamespace
from typing import cast

import torch

from course_lib.attention.masks import causal_mask
from course_lib.attention.multi_head import MultiHeadAttention
from course_lib.data.checkpoints import load_checkpoint, manifest
from course_lib.data.tasks import repeated_sequences
from course_lib.figures.drawings.canvas import Canvas
from course_lib.figures.drawings.drawing import Drawing
from course_lib.model.language_model import DecoderLM
from course_lib.study.ablation import by_head, run
from course_lib.study.heads import previous_token_score

HEAD = (0, 2)  # layer and head: the previous-token head of the trained model
RUNGS = {"prediction": 92, "intervention": 192, "number": 292, "picture": 392}  # heights
NEEDED, EXAMPLE, OPEN = 226, 432, 650  # where the columns begin
NEEDS = {
    "picture": ("a map in which you", "recognise something"),
    "number": ("a score over many texts,", "beside a baseline"),
    "intervention": ("ablation: what is lost,", "patching: what it carries,", "others beside it"),
    "prediction": ("a result written down", "before, on new texts"),
}
LEAVES_OPEN = {
    "picture": ("this text, the colours, chance,", "your wish to see something"),
    "number": ("whether anything depends on", "where the head looks"),
    "intervention": ("what the head does elsewhere,", "and who else can do its work"),
    "prediction": ("other models, other data,", "larger models"),
}


def evidence_ladder_example() -> SimpleNamespace:
    """What is known of one head: for each rung what was found, and what stands beside it."""
    model = load_checkpoint("induction")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        untrained = DecoderLM(**manifest()["induction"]["options"]).eval()
        never = torch.stack([torch.randperm(48)[:47] for _ in range(32)])  # no symbol twice
    repeats = repeated_sequences(32, generator=torch.Generator().manual_seed(0))
    texts, answers = repeats.tokens[:, :-1], repeats.tokens[:, 1:]  # (32, 47) each
    counts = repeats.is_predictable[:, 1:]

    def score(network: DecoderLM, tokens: torch.Tensor) -> dict[tuple[int, int], float]:
        return by_head(previous_token_score, run(network, tokens)[1])

    def accuracy(head: tuple[int, int]) -> float:
        logits, _ = run(model, texts, [head])
        return (logits.argmax(dim=-1) == answers)[counts].float().mean().item()

    late = cast(MultiHeadAttention, model.stack.blocks[1].attention).k_proj
    kept: list[torch.Tensor] = []
    with late.register_forward_hook(lambda _, inputs, output: kept.append(output)):
        run(model, texts)
    with late.register_forward_hook(lambda _, inputs, output: kept[0]):
        keys_only = accuracy(HEAD)  # the keys of layer 1 are made as if the head were there
    on_previous = score(model, texts)[HEAD]
    others = [accuracy((0, head)) for head in (0, 1, 3)]
    return SimpleNamespace(
        # (12, 12): its weights on one text
        picture=run(model, texts[:1, :12])[1][0][0, HEAD[1]],
        # weight on the previous token: this head, the best untrained one
        number=(on_previous, max(score(untrained, texts).values())),
        # accuracy without it, without one other of its layer (the mean), with its path by keys only
        intervention=(accuracy(HEAD), sum(others) / 3, keys_only),
        # the same weight, said before and found where nothing repeats
        prediction=(on_previous, score(model, never)[HEAD]),
    )


def evidence_ladder() -> Drawing:
    """Draw the four rungs, from a picture to a prediction, and how one claim climbed them."""
    example = evidence_ladder_example()
    canvas = Canvas("claim", *reversed(RUNGS))
    part = canvas["claim"]
    part.note(NEEDED, 22, "WHAT IT NEEDS", "start wide")
    part.note(EXAMPLE, 22, "“HEAD 2 LOOKS ONE BACK”", "start")
    part.note(OPEN, 22, "WHAT IT LEAVES OPEN", "start wide")
    shown = ("its weights on one text", "weight one back", "accuracy", "no symbol twice")
    rungs = []
    for i, (name, y) in enumerate(reversed(RUNGS.items())):
        part = canvas[name]
        for rail in (50, 176):
            part.arrow("input", (rail, y + 50), (rail, y - 50), tip=False)
        part.operation(113, y, f"{i + 1}  {name}", "input", 154)
        needs, leaves_open = NEEDS[name], LEAVES_OPEN[name]
        part.lines(NEEDED, y - 4, *needs, kind="start wide", step=16)
        part.lines(OPEN, y - 4, *leaves_open, kind="start wide", step=16)
        both = ("It needs", " ".join(needs)), ("It leaves open", " ".join(leaves_open))
        for x, lines in zip((NEEDED, OPEN), both, strict=True):
            part.lines(x, y - 4, *lines, kind="start narrow")
        texts = " & ".join(f"[{' '.join(lines)}]" for lines in both)
        rungs.append(f"{i + 1}  {name} > {shown[i]} > {texts}")

    part, y = canvas["picture"], RUNGS["picture"]
    part.weights(EXAMPLE, y - 36, example.picture, (6, 6), allowed=causal_mask(12))
    part.lines(EXAMPLE + 86, y - 4, "its weights", "on one text", kind="start", step=16)
    for name, above, numbers, below in (
        ("number", "weight one back", example.number, ("this head", "best untrained")),
        ("intervention", "accuracy", example.intervention, ("without it", "another", "keys only")),
        ("prediction", "no symbol twice", example.prediction, ("said before", "found")),
    ):
        part, y = canvas[name], RUNGS[name]
        part.note(EXAMPLE, y - 24, above, "start")
        for i, (number, words) in enumerate(zip(numbers, below, strict=True)):
            x = EXAMPLE + (90 if len(numbers) == 2 else 74) * i
            cell, is_weight = torch.full((1, 1), number), name != "intervention"
            if is_weight:
                part.weights(x, y - 14, cell, (60, 24))
            else:  # an accuracy
                part.grid(x, y - 14, 0.5 * cell, "input", (60, 24))
            part.number(x + 30, y + 3, number, f"{number:.2f}", is_weight=is_weight)
            part.note(x, y + 28, words, "start")
    sentences = [
        "A ladder of four rungs, and beside each what it needs, one example, and what it leaves "
        "open. The example is the claim of lesson 10 that head 2 of layer 0 looks one token back.",
        "Rung 1, a picture: a map of the head's weights, strong just below the diagonal.",
        f"Rung 2, a number with a baseline: weight {example.number[0]:.2f} on the token before, "
        f"and {example.number[1]:.2f} for the best untrained head.",
        "Rung 3, an intervention with a control: accuracy "
        f"{example.intervention[0]:.2f} without it, {example.intervention[1]:.2f} without another "
        f"head of its layer, and {example.intervention[2]:.2f} where it acts through the keys of "
        "layer 1 only.",
        "Rung 4, a prediction: on texts where no symbol comes twice the weight should be "
        f"{example.prediction[0]:.2f} again, and {example.prediction[1]:.2f} was found.",
        "Each leaves something open: "
        + "; ".join(f"the {name}, {' '.join(LEAVES_OPEN[name])}" for name in reversed(RUNGS))
        + ".",
    ]
    rows = "[“HEAD 2 LOOKS ONE BACK”] > " + " > ".join(rungs[::-1])
    return canvas.drawing("The ladder of evidence", sentences, 452, rows=rows)
