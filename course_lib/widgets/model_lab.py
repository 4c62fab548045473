"""Type a sentence, see what comes next, and switch off heads of a language model."""

import base64
import html
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import product
from typing import cast

import torch
import traitlets

from course_lib.figures.map_validation import shortened, spelt_out
from course_lib.model.block import TransformerBlock
from course_lib.model.language_model import DecoderLM
from course_lib.study.ablation import Head, others_like, run
from course_lib.study.heads import (
    first_token_score,
    induction_score,
    previous_token_score,
    same_token_score,
)
from course_lib.validation import check_positive, check_tokens
from course_lib.widgets.checked_traits import (
    Row,
    Text,
    WholeNumber,
    in_range,
    pair_of_head,
)
from course_lib.widgets.course_widget import CourseWidget, css, javascript
from course_lib.widgets.packed_numbers import packed_shares

# Name of a score: how it is computed from a layer's weights and the tokens, and what it says.
SCORES: dict[str, tuple[Callable, str]] = {
    "previous token": (
        lambda weights, tokens: previous_token_score(weights),
        "mean weight on the token just before the query",
    ),
    "first token": (
        lambda weights, tokens: first_token_score(weights),
        "mean weight on the first token of the text, over all later queries",
    ),
    "own token": (
        lambda weights, tokens: same_token_score(weights),
        "mean weight on the query's own token; the first token has no other",
    ),
    "induction": (
        induction_score,
        "mean weight on what came after an earlier token equal to the query's",
    ),
}
DRAWS = 5  # controls by chance
LAST = "from the last token"  # computed in the browser, from the weights
LAST_SAYS = "weight that the last token, which predicts the next one, gives to"


class ModelLab(CourseWidget):
    """The next tokens of a text, every head of the model, and what changes without some heads.

    The model runs in Python. Where none runs, the widget shows the stored runs, which are computed
    when it is made. The traits ``text, off, layer, head, score`` follow what is typed and clicked
    and can be set: ``lab.off = [(3, 2)]`` switches off head 2 of layer 3. Without some heads, it
    shows beside the new probabilities those without as many others, five times by chance. When a
    text fails or is too long, the widget says so and keeps the last picture.

    Weights and scores go to the browser in 255 steps, so they are shown with an error of at most
    1/510. A run of n tokens takes n(n + 1)/2 bytes for each head, and a third more in base64.

    Args:
        model: in eval mode, on any device.
        encode: takes a text, returns its tokens (1, length) and the piece of text of each token.
        decode: takes the number of a token, returns its text.
        text: the first text; the run with all heads on is stored.
        runs: the other runs that are stored, each a text and the heads that are off, as pairs
            (layer, head), both counted from 0. The lab opens on the first of them that is
            one of ``text``.
        max_tokens: the longest text.
        top: how many next tokens are shown: the likeliest with all heads on or without some.
        layer, head: what is chosen at first; the head with the highest score when both are None.
        score: "previous token", "first token", "own token", "induction" or "from the last token".

    Raises:
        TypeError, ValueError: the model is no ``DecoderLM`` in eval mode, or a text, a head or a
            setting does not fit.
        TraitError: off, layer, head or score is set to what there is not.
    """

    _esm = javascript("model_lab")
    _css = css()
    _data = traitlets.Dict().tag(sync=True, page=True)
    _stored = traitlets.List(traitlets.Dict()).tag(sync=True, page=True)
    _live = traitlets.Dict().tag(sync=True, page=True)  # the last run that is not stored
    text = Text().tag(sync=True, page=True)
    off: traitlets.List = Row().tag(sync=True, page=True)
    layer = WholeNumber(0).tag(sync=True, page=True)
    head = WholeNumber(0).tag(sync=True, page=True)
    score = Text(next(iter(SCORES))).tag(sync=True, page=True)
    # To which text and heads the answer is, and what went wrong.
    answer = traitlets.Dict().tag(sync=True, page=True)

    def __init__(
        self,
        model: DecoderLM,
        encode: Callable[[str], tuple[torch.Tensor, Sequence[str]]],
        decode: Callable[[int], str],
        text: str,
        *,
        runs: Sequence[tuple[str, Collection[Head]]] = (),
        max_tokens: int = 48,
        top: int = 10,
        layer: int | None = None,
        head: int | None = None,
        score: str = "previous token",
    ):
        for name, function in (("encode", encode), ("decode", decode)):
            if not callable(function):
                raise TypeError(f"{name} must be a function, got {type(function).__name__}")
        if not isinstance(text, str):
            raise TypeError(f"text must be a text, got {type(text).__name__}")
        if not isinstance(model, DecoderLM):
            raise TypeError(f"model must be a DecoderLM, got {type(model).__name__}")
        if model.training:
            raise ValueError("model must be in eval mode, call model.eval() first")
        check_positive(max_tokens=max_tokens, top=top)
        self._model, self._encode, self._decode = model, encode, decode
        self._max_tokens = max_tokens
        self._top = min(top, model.head.out_features)
        attentions = [
            block.attention for block in cast(Iterable[TransformerBlock], model.stack.blocks)
        ]
        self._layers, self._heads = len(attentions), attentions[0].num_heads
        self._with_all: tuple[str, torch.Tensor] | None = None
        stored: list[dict] = []
        for one, heads in ((text, ()), *_checked_runs(runs)):
            try:
                off = self._checked_heads(heads)
            except traitlets.TraitError as error:
                raise ValueError(f"runs: {error}") from error
            if not any((other["text"], other["off"]) == (one, off) for other in stored):
                stored.append(self._compute(one, off))
        self._shown = next((one for one in stored if one["text"] == text and one["off"]), stored[0])
        if layer is None and head is None:
            layer, head = divmod(self._best_head(score), self._heads)
        super().__init__(
            _data={
                "layers": self._layers,
                "heads": self._heads,
                "scores": {name: says for name, (_, says) in SCORES.items()} | {LAST: LAST_SAYS},
            },
            _stored=stored,
            text=text,
            off=self._shown["off"],
            layer=0 if layer is None else layer,
            head=0 if head is None else head,
            score=score,
            answer={"text": text, "off": self._shown["off"], "message": ""},
        )
        self.observe(self._read, ["text", "off"])

    @property
    def next_tokens(self) -> list[tuple[str, float, float]]:
        """The likeliest next tokens: text, probability with all heads on, and without ``off``.

        After a text that failed, those of the last picture.
        """
        return [tuple(one[:3]) for one in self._shown["next"]]

    @property
    def by_chance(self) -> list[tuple[str, float, float, float]]:
        """The same tokens without as many other heads: text, mean, lowest, highest probability.

        Empty while no head is off, or where there are not as many others.
        """
        return [(text, *chance) for text, _, _, *chance in self._shown["next"] if chance]

    def _best_head(self, score: object) -> int:
        """Return the place of the head with the highest score, layer by layer; 0 without one."""
        sent = self._shown["scores"].get(score) if isinstance(score, str) else None
        grid = base64.b64decode(sent) if sent else b"\0"
        return grid.index(max(grid))

    def _find(self, text: str, off: list[list[int]]) -> dict | None:
        """Return the run of this text and these heads, if it was computed."""
        for known in (*self._stored, self._live):
            if (known.get("text"), known.get("off")) == (text, off):
                return known
        return None

    def _compute(self, text: str, off: list[list[int]]) -> dict:
        """Return what the browser shows of the model's run."""
        if not text.strip():
            raise ValueError(f"text must not be empty, got {text!r}")
        tokens, pieces = self._encode(text)
        check_tokens("tokens from encode", tokens)
        length = tokens.shape[1]
        if length > self._max_tokens:
            raise ValueError(f"at most {self._max_tokens} tokens fit, this text has {length}")
        if tuple(tokens.shape) != (1, len(pieces)):
            raise ValueError(
                "encode must return tokens (1, length) and a piece for each of them, "
                f"got {tuple(tokens.shape)} and {len(pieces)} pieces"
            )
        logits, weights = run(self._model, tokens, [(layer, head) for layer, head in off])
        probabilities = _probabilities(logits)
        if not off:
            self._with_all = (text, probabilities)
        elif self._with_all is None or self._with_all[0] != text:
            self._with_all = (text, _probabilities(run(self._model, tokens)[0]))
        weights = [layer.float() for layer in weights]  # (1, num_heads, length, length)
        tokens = tokens.cpu()
        maps = torch.cat(weights)  # (layers, num_heads, length, length)
        rows, columns = torch.tril_indices(length, length)
        return {
            "text": text,
            "off": off,
            "pieces": [spelt_out(piece) for piece in pieces],
            "weights": packed_shares(maps[..., rows, columns]),
            "scores": {
                name: _score_text([score(layer, tokens) for layer in weights])
                for name, (score, _) in SCORES.items()
            },
            "next": self._next(self._with_all[1], probabilities, self._by_chance(tokens, off)),
        }

    def _by_chance(self, tokens: torch.Tensor, off: list[list[int]]) -> torch.Tensor | None:
        """Return the probabilities (draws, vocab_size) without as many other heads, by lot."""
        chosen = [(layer, head) for layer, head in off]
        every = product(range(self._layers), range(self._heads))
        free = [head for head in every if head not in chosen]
        if not chosen or len(free) < len(chosen):
            return None
        others = [others_like(chosen, free, draw) for draw in range(DRAWS)]
        return torch.stack([_probabilities(run(self._model, tokens, one)[0]) for one in others])

    def _next(
        self, with_all: torch.Tensor, without: torch.Tensor, chance: torch.Tensor | None
    ) -> list[list]:
        """Return text and probabilities of the likeliest tokens, best first.

        Args:
            with_all, without: (vocab_size,).
            chance: (draws, vocab_size), of which mean, lowest and highest are returned.
        """
        likely = torch.maximum(with_all, without).topk(self._top).indices
        likely = likely[with_all[likely].argsort(descending=True, stable=True)]
        columns = [with_all, without]
        if chance is not None:
            columns += [chance.mean(dim=0), chance.amin(dim=0), chance.amax(dim=0)]
        return [
            [
                spelt_out(self._decode(number) or f"token {number}"),
                *(round(column[number].item(), 5) for column in columns),
            ]
            for number in likely.tolist()
        ]

    def _read(self, _) -> None:
        """Answer the newest text and heads: with a run, or by saying what is wrong."""
        text, off = self.text, self.off
        if (text, off) == (self.answer["text"], self.answer["off"]):
            return  # text and heads came together, and the answer is to both
        message = ""
        try:
            known = self._find(text, off)
            if known is None:
                self._live = known = self._compute(text, off)
            self._shown = known
        except Exception as error:  # whatever encode or the model raises: the widget says it
            message = f"{type(error).__name__}: {error}"
        self.answer = {"text": text, "off": off, "message": message}

    def _checked_heads(self, heads: Collection[Sequence[int]]) -> list[list[int]]:
        """Return the heads in order, each once."""
        pairs = [pair_of_head("off", head, self._layers, self._heads) for head in heads]
        return [list(head) for head in sorted({tuple(head) for head in pairs})]

    def describe(self) -> str:
        number = len(self._stored)
        runs = f"{number} stored run" + ("s" if number > 1 else "")
        return f"ModelLab({self._layers} layers of {self._heads} heads, {runs})"

    def still(self, picture: bool = True) -> str:
        # Whole percents: further digits may differ on another processor.
        lines = "".join(
            f"<tr><td><bdi>{html.escape(one['text'])}</bdi></td><td>{_heads_off(one['off'])}</td>"
            f"<td><bdi>{html.escape(token)}</bdi></td><td>{probability:.0%}</td></tr>"
            for one in self._stored
            for token, _, probability, *_ in [max(one["next"], key=lambda entry: entry[2])]
        )
        names = ("text", "heads off", "likeliest next token", "probability")
        header = "".join(f"<th>{name}</th>" for name in names)
        style = "white-space: nowrap; text-align: left"
        return (
            f'<table><caption style="{style}">Stored runs; run the cell to see every head.'
            f"</caption><tr>{header}</tr>{lines}</table>"
        )

    @traitlets.validate("off")
    def _check_off(self, proposal):
        return self._checked_heads(proposal["value"])

    @traitlets.validate("layer", "head")
    def _check_choice(self, proposal):
        name, value = proposal["trait"].name, proposal["value"]
        return in_range(name, value, {"layer": self._layers, "head": self._heads}[name])

    @traitlets.validate("score")
    def _check_score(self, proposal):
        if proposal["value"] not in (*SCORES, LAST):
            raise traitlets.TraitError(
                f"score must be one of {[*SCORES, LAST]}, got {proposal['value']!r}"
            )
        return proposal["value"]


def _checked_runs(runs) -> list[tuple[str, Collection[Head]]]:
    """Return the runs, each a text and the heads that are off."""
    expected = "runs must hold pairs of a text and the heads that are off"
    if not isinstance(runs, list | tuple):
        raise TypeError(f"{expected}, got {shortened(runs)}")
    for one in runs:
        if not (isinstance(one, list | tuple) and len(one) == 2 and isinstance(one[0], str)):
            raise ValueError(f"{expected}, got {shortened(one)}")
        if isinstance(one[1], str) or not isinstance(one[1], Collection):
            raise ValueError(f"{expected}, such as ('The bank', [(0, 1)]), got {shortened(one[1])}")
    return list(runs)


def _probabilities(logits: torch.Tensor) -> torch.Tensor:
    """Return the probabilities (vocab_size,) of the token after the last one."""
    return logits[0, -1].float().softmax(dim=-1)


def _score_text(scores: list[torch.Tensor]) -> str | None:
    """Return the scores of all layers for the browser; None where the text has no such pair."""
    grid = torch.stack(scores)  # (layers, num_heads)
    return None if grid.isnan().any() else packed_shares(grid)


def _heads_off(off: list[list[int]]) -> str:
    if len(off) > 3:
        return f"{len(off)} heads"
    return ", ".join(f"{layer}.{head}" for layer, head in off) or "none"
