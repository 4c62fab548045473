"""Type a sentence, see what comes next, and switch off heads of a language model."""

import base64
import html
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import product
from typing import cast

import torch
import traitlets
from torch import nn

from course_lib.study.ablation import Head, others_like, run, write_without
from course_lib.validation import traits
from course_lib.validation.labels import shortened, spelt_out
from course_lib.validation.layer_inputs import check_positive, check_tokens
from course_lib.widgets import model_runs
from course_lib.widgets.course_widget import CourseWidget, javascript
from course_lib.widgets.model_runs import SCORES
from course_lib.widgets.picture import still_table

DRAWS = 20  # controls by chance
NEW = 8  # tokens that are written
LAST = "from the last token"  # computed in the browser, from the weights
LAST_SAYS = "weight that the last token, which predicts the next one, gives to"


class ModelLab(CourseWidget):
    """What a model writes after a text, every head of it, and what changes without some heads.

    The model runs in Python. Where none runs, the widget shows the stored runs, which are computed
    when it is made. The traits ``text, off, layer, head, score`` follow what is typed and clicked
    and can be set: ``lab.off = [(3, 2)]`` switches off head 2 of layer 3. Without some heads, what
    the model wrote before is struck through, and beside it stands what it writes without as many
    others, 20 times by chance. When a text fails or is too long, the widget says so and keeps the
    last picture. It is the board of the site's page "Break the model".

    Weights and scores go to the browser in 255 steps, so they are shown with an error of at most
    1/510. A run of n tokens takes n(n + 1)/2 bytes for each head, and a third more in base64.

    Args:
        model: a ``DecoderLM`` or a language model of transformers, with
            ``attn_implementation="eager"``, in eval mode, on any device.
        encode: takes a text, returns its tokens (1, length) and the piece of text of each token;
            or a tokenizer of transformers, and no ``decode``.
        decode: takes the number of a token, returns its text, with the space before it if it has
            one. A line ends with a text that holds a new line or begins with ``<|``.
        text: the first text; the run with all heads on is stored.
        runs: the other runs that are stored, each a text and the heads that are off, as pairs
            (layer, head), both counted from 0. The lab opens on the first of them that is
            one of ``text``.
        max_tokens: the longest text.
        top: how many next tokens are shown: the likeliest with all heads on or without some.
        layer, head: what is chosen at first; the head with the highest score when both are None.
        score: "previous token", "first token", "own token", "induction" or "from the last token".

    Raises:
        TypeError, ValueError: the model does not write or trains, its layers have different
            numbers of heads, or a text, a head or a setting does not fit.
        TraitError: off, layer, head or score is set to what there is not.
    """

    _esm = javascript("model_lab")
    _stored = traitlets.List(traitlets.Dict()).tag(sync=True, page=True)
    _live = traitlets.Dict().tag(sync=True, page=True)  # the last run that is not stored
    text = traits.Text().tag(sync=True, page=True)
    off: traitlets.List = traits.Row().tag(sync=True, page=True)
    layer = traits.WholeNumber(0).tag(sync=True, page=True)
    head = traits.WholeNumber(0).tag(sync=True, page=True)
    score = traits.Text(next(iter(SCORES))).tag(sync=True, page=True)
    # To which text and heads the answer is, and what went wrong.
    answer = traitlets.Dict().tag(sync=True, page=True)

    def __init__(
        self,
        model: nn.Module,
        encode: Callable,
        decode: Callable[[int], str] | None = None,
        text: str = "The capital of France is",
        *,
        runs: Sequence[tuple[str, Collection[Head]]] = (),
        max_tokens: int = 48,
        top: int = 10,
        layer: int | None = None,
        head: int | None = None,
        score: str = "previous token",
    ):
        if hasattr(encode, "convert_ids_to_tokens"):
            if decode is not None:
                raise TypeError("decode must be None with a tokenizer; write text= for a text")
            encode, decode = _both_ways(encode)
        for name, function in (("encode", encode), ("decode", decode)):
            if not callable(function):
                raise TypeError(f"{name} must be a function, got {type(function).__name__}")
        if not isinstance(text, str):
            raise TypeError(f"text must be a text, got {type(text).__name__}")
        model_runs.check_writes("model", model)
        check_positive(max_tokens=max_tokens, top=top)
        self._model, self._encode = model, encode
        self._decode = cast(Callable[[int], str], decode)
        self._max_tokens = max_tokens
        self._layers, self._heads, vocab_size = model_runs.sizes_of(model)
        self._longest = model_runs.most_positions(model)
        self._top = min(top, vocab_size)
        stored: list[dict] = []
        with_all: dict[str, tuple[str, torch.Tensor]] = {}
        for wanted, heads in ((text, ()), *_checked_runs(runs)):
            try:
                off = traits.heads_in_order("off", heads, self._layers, self._heads)
            except traitlets.TraitError as error:
                raise ValueError(f"runs: {error}") from error
            if not any((known["text"], known["off"]) == (wanted, off) for known in stored):
                stored += list(self._runs(wanted, off, with_all))[-1:]
        opening = [known for known in stored if known["text"] == text and known["off"]]
        shown = (opening or stored)[0]
        if layer is None and head is None:  # the head with the highest score, or the first
            sent = shown["scores"].get(score) if isinstance(score, str) else None
            of_heads = base64.b64decode(sent) if sent else b"\0"
            layer, head = divmod(of_heads.index(max(of_heads)), self._heads)
        super().__init__(
            _data={
                "layers": self._layers,
                "heads": self._heads,
                "scores": {name: says for name, (_, says) in SCORES.items()} | {LAST: LAST_SAYS},
            },
            _stored=stored,
            text=text,
            off=shown["off"],
            layer=0 if layer is None else layer,
            head=0 if head is None else head,
            score=score,
            answer={"text": text, "off": shown["off"], "message": ""},
        )
        self.observe(self._read, ["text", "off"])

    def _runs(
        self,
        text: str,
        off: list[list[int]],
        with_all: dict[str, tuple[str, torch.Tensor]] | None = None,
    ) -> Iterator[dict]:
        """Yield what the browser shows of the model's run, and again with the control by chance.

        ``with_all`` holds, and gets, what is written after a text with all heads on.
        """
        with_all = {} if with_all is None else with_all
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
        chosen = [(layer, head) for layer, head in off]
        weights = [layer.float() for layer in run(self._model, tokens, chosen, logits_to_keep=0)[1]]
        lines, first = self._written(tokens, [chosen] if text in with_all else [[], chosen])
        before, likely = with_all.setdefault(text, (lines[0], first[0]))
        after, without = lines[-1], first[-1]
        shown = {
            "text": text,
            "off": off,
            "pieces": [spelt_out(piece) for piece in pieces],
            "weights": model_runs.packed_maps(weights),
            "scores": model_runs.packed_scores(weights, tokens.cpu()),
            "before": before,
            "after": after,
            "next": model_runs.likeliest(self._decode, likely, without, None, self._top),
            "control": None,
        }
        yield shown
        every = product(range(self._layers), range(self._heads))
        free = [head for head in every if head not in chosen]
        if chosen and len(free) >= len(chosen):
            others = [others_like(chosen, free, draw) for draw in range(DRAWS)]
            lines, chances = self._written(tokens, others)
            tokens_next = model_runs.likeliest(self._decode, likely, without, chances, self._top)
            yield shown | {"next": tokens_next, "control": model_runs.by_chance(before, lines)}

    def _written(
        self, tokens: torch.Tensor, sets: Sequence[Collection[Head]]
    ) -> tuple[list[str], torch.Tensor]:
        """Return a line without each of these sets of heads, and what is likely (sets, words)."""
        room = NEW if self._longest is None else min(NEW, self._longest - tokens.shape[1])
        new, first = write_without(self._model, tokens, sets, max(room, 1))
        return ["".join(model_runs.sentence_of(self._decode, written)) for written in new], first

    def _read(self, _) -> None:
        """Answer the newest text and heads: with a run, or by saying what is wrong."""
        text, off = self.text, self.off
        if (text, off) == (self.answer["text"], self.answer["off"]):
            return  # text and heads came together, and the answer is to both
        try:
            computed = [*self._stored, *([self._live] if self._live else [])]
            known = [shown for shown in computed if (shown["text"], shown["off"]) == (text, off)]
            for shown in known[:1] or self._runs(text, off):
                if not known:
                    self._live = shown  # the browser draws it while the control is computed
                self.answer = {"text": text, "off": off, "message": ""}
        except Exception as error:  # whatever encode or the model raises: the widget says it
            message = f"{type(error).__name__}: {error}"
            self.answer = {"text": text, "off": off, "message": message}

    def describe(self) -> str:
        number = len(self._stored)
        runs = f"{number} stored run" + ("s" if number > 1 else "")
        return f"ModelLab({self._layers} layers of {self._heads} heads, {runs})"

    def still(self, picture: bool = True) -> str:
        lines = ""
        for shown in self._stored:
            off = ", ".join(f"L{layer}H{head}" for layer, head in shown["off"]) or "none"
            off = off if len(shown["off"]) <= 3 else f"{len(shown['off'])} heads"
            token, _, probability, *_ = max(shown["next"], key=lambda entry: entry[2])
            # Whole percents: further digits may differ on another processor.
            lines += (
                f"<tr><td><bdi>{html.escape(shown['text'])}</bdi></td><td>{off}</td>"
                f"<td><bdi>{html.escape(token)}</bdi></td><td>{probability:.0%}</td></tr>"
            )
        columns = ("text", "heads off", "likeliest next token", "probability")
        return still_table("Stored runs; run the cell to see every head.", columns, lines)

    @traitlets.validate("off")
    def _check_off(self, proposal):
        return traits.heads_in_order("off", proposal["value"], self._layers, self._heads)

    @traitlets.validate("layer", "head")
    def _check_choice(self, proposal):
        name, value = proposal["trait"].name, proposal["value"]
        return traits.in_range(name, value, {"layer": self._layers, "head": self._heads}[name])

    @traitlets.validate("score")
    def _check_score(self, proposal):
        return traits.checked_choice("score", proposal["value"], [*SCORES, LAST])


def _both_ways(tokenizer) -> tuple[Callable, Callable[[int], str]]:
    """Return ``encode`` and ``decode`` of a tokenizer of transformers."""

    def decode(token: int) -> str:
        return tokenizer.decode([token])

    def encode(text: str) -> tuple[torch.Tensor, list[str]]:
        tokens = torch.tensor([tokenizer(text)["input_ids"]])
        return tokens, [decode(token) for token in tokens[0].tolist()]

    return encode, decode


def _checked_runs(runs) -> list[tuple[str, Collection[Head]]]:
    """Return the runs, each a text and the heads that are off."""
    expected = "runs must hold pairs of a text and the heads that are off"
    if not isinstance(runs, list | tuple):
        raise TypeError(f"{expected}, got {shortened(runs)}")
    for pair in runs:
        if not (isinstance(pair, list | tuple) and len(pair) == 2 and isinstance(pair[0], str)):
            raise ValueError(f"{expected}, got {shortened(pair)}")
        off = pair[1]
        if isinstance(off, str) or not isinstance(off, Collection):
            raise ValueError(f"{expected}, such as ('The bank', [(0, 1)]), got {shortened(off)}")
    return list(runs)
