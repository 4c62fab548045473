"""Type a sentence, press Enter, and see the heads of a model."""

from collections.abc import Callable, Mapping

import torch
import traitlets

from course_lib.widgets.attention_explorer import MOST_TOKENS, AttentionExplorer, scores_of_weights
from course_lib.widgets.course_widget import javascript


class SentenceLab(AttentionExplorer):
    """An ``AttentionExplorer`` with a text field. The model runs in Python, so it needs a kernel.

    When the model fails on a sentence, or there are too many tokens, the widget says so and keeps
    the last picture. The trait ``text`` follows what is typed and can be set.

    Args:
        model_fn: a function of the text. It returns the tokens and the scores before the softmax,
            ``(tokens, scores)``, or ``(tokens, scores, values)``; shapes as in
            ``AttentionExplorer``. None with ``variants``.
        text: the first sentence.
        variants: name -> function, such as the model before and after training; the same tokens.
        max_tokens: at most 128.
        gives: "scores", or "weights" for a model that returns finished weights in eval().
        arguments: causal, temperature, head, layer, query, untrained of ``AttentionExplorer``.

    Raises:
        TypeError, ValueError: what the functions return for the first text does not fit, or
            ``max_tokens`` or ``gives`` is none of the above.
    """

    _esm = javascript("sentence_lab")
    text = traitlets.Unicode().tag(sync=True, page=True)
    answer = traitlets.Dict().tag(sync=True, page=True)  # {"to": text, "message": what went wrong}

    def __init__(
        self,
        model_fn: Callable | None,
        text: str,
        *,
        variants: Mapping[str, Callable] | None = None,
        max_tokens: int = 64,
        gives: str = "scores",
        **arguments,
    ):
        if variants is not None and model_fn is None:
            self._functions = dict(variants)
        elif variants is None and model_fn is not None:
            self._functions = {"": model_fn}
        else:
            raise ValueError("give either model_fn or variants, and None for the other")
        if not 1 <= max_tokens <= MOST_TOKENS:
            raise ValueError(f"max_tokens must be from 1 to {MOST_TOKENS}, got {max_tokens}")
        if gives not in ("scores", "weights"):
            raise ValueError(f'gives must be "scores" or "weights", got {gives!r}')
        self._has_variants = variants is not None
        self._max_tokens, self._gives = max_tokens, gives
        self._untrained = arguments.pop("untrained", False)
        self._causal_at_first = arguments.get("causal", False)
        # The explorer's own checks run on what the model returns for the first text.
        tokens, inputs = self._ask(text)
        super().__init__(tokens=tokens, untrained=self._untrained, **inputs, **arguments)
        self.text, self.answer = text, {"to": text, "message": ""}
        self.observe(self._read_text, "text")

    def _ask(self, text: str) -> tuple[list[str], dict]:
        """Return the tokens, and what AttentionExplorer takes besides them."""
        if not text.strip():
            raise ValueError("the sentence is empty")
        pairs: dict[str, tuple] = {}
        masks: dict[str, torch.Tensor | None] = {}
        tokens: list[str] = []
        for name, function in self._functions.items():
            result = function(text)
            if not isinstance(result, tuple) or len(result) not in (2, 3):
                raise TypeError(
                    "model_fn must return (tokens, scores) or (tokens, scores, values), "
                    f"got {type(result).__name__}"
                )
            if pairs and list(result[0]) != tokens:
                raise ValueError(f"variant {name!r} must return the same tokens as the first one")
            tokens = list(result[0])
            if len(tokens) > self._max_tokens:
                raise ValueError(
                    f"at most {self._max_tokens} tokens fit, this sentence has {len(tokens)}"
                )
            scores, mask = result[1], None
            if self._gives == "weights":
                scores, mask = scores_of_weights(scores)
            pairs[name] = (scores, result[2] if len(result) == 3 else None)
            masks[name] = mask
        if self._has_variants:
            return tokens, {"scores": None, "values": None, "mask": masks, "variants": pairs}
        scores, values = pairs[""]
        return tokens, {"scores": scores, "values": values, "mask": masks, "variants": None}

    def _read_text(self, change) -> None:
        """Show the new text's heads, or say what is wrong with it."""
        text = change["new"]
        try:
            tokens, inputs = self._ask(text)
            self._load(
                tokens=tokens,
                key_tokens=None,
                causal=self._causal_at_first,
                untrained=self._untrained,
                **inputs,
            )
        except Exception as error:  # whatever the student's model raises: the widget says it
            self.answer = {"to": text, "message": f"{type(error).__name__}: {error}"}
            return
        layers, heads, query_len, _ = self._scores[self.variant].shape
        with self.hold_trait_notifications():
            self.layer = min(self.layer, layers - 1)
            self.head = min(self.head, heads - 1)
            self.query = min(self.query, query_len - 1)
            self._data = self._content
            self.answer = {"to": text, "message": ""}

    def describe(self) -> str:
        return super().describe().replace("AttentionExplorer", "SentenceLab")
