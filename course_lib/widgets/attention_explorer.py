"""Every head at a glance, and one head, one query up close."""

import base64
import math
from collections.abc import Mapping, Sequence

import torch
import traitlets

from course_lib.heads import attention_entropy
from course_lib.map_inputs import SUM_TOLERANCE
from course_lib.masks import causal_mask, masked_softmax
from course_lib.widgets.checking import (
    checked_temperature,
    checked_tokens,
    finite_floats,
    floats,
)
from course_lib.widgets.course_widget import CourseWidget, css, javascript
from course_lib.widgets.picture import maps_image, weights_table

MOST_TOKENS = 128


class AttentionExplorer(CourseWidget):
    """Look at attention: click a head, pick a query, switch the mask, turn the temperature.

    The scores before the softmax go to the browser, which computes all the rest, so nothing waits
    for Python. The traits ``head, layer, query, causal, temperature, variant`` follow what is
    clicked and can be set: ``explorer.head = 2``.

    Args:
        scores: (query_len, key_len), (heads, query_len, key_len) or (layers, heads, query_len,
            key_len), before the softmax and already scaled. None with ``variants``.
        tokens: query_len texts, at least 1 and at most 128.
        values: what the weights average: the scores' leading dimensions, then (key_len, head_dim).
        key_tokens: key_len texts, for cross-attention; the tokens themselves when it is None.
        mask: boolean, broadcastable to the scores. True = may attend.
        causal: whether the causal mask is on at first; it comes on top of ``mask``.
        temperature: the scores are divided by it; above 0.
        head, layer, query: what is chosen at first.
        variants: name -> scores, or name -> (scores, values): pictures to switch between, such as
            before and after training. All have one shape.
        untrained: mark the map as one of weights that were never trained. With ``variants``, the
            one that is called "untrained" is marked.

    Raises:
        TypeError: scores or values are not floating, the mask is not boolean, tokens is a text.
        ValueError: shapes or lengths that do not fit, NaN or infinite scores where attention is
            allowed, a temperature that is not above 0.
        TraitError: head, layer or query is out of range (also when it is set later).
    """

    _esm = javascript("attention_explorer")
    _css = css()
    _data = traitlets.Dict().tag(sync=True, page=True)
    head = traitlets.Int(0).tag(sync=True, page=True)
    layer = traitlets.Int(0).tag(sync=True, page=True)
    query = traitlets.Int(0).tag(sync=True, page=True)
    causal = traitlets.Bool(False).tag(sync=True, page=True)
    temperature = traitlets.Float(1.0).tag(sync=True, page=True)
    variant = traitlets.Unicode().tag(sync=True, page=True)

    def __init__(
        self,
        scores: torch.Tensor | None,
        tokens: Sequence[str],
        values: torch.Tensor | None = None,
        *,
        key_tokens: Sequence[str] | None = None,
        mask: torch.Tensor | None = None,
        causal: bool = False,
        temperature: float = 1.0,
        head: int = 0,
        layer: int = 0,
        query: int = 0,
        variants: Mapping | None = None,
        untrained: bool = False,
    ):
        self._load(scores, tokens, values, key_tokens, mask, causal, variants, untrained)
        super().__init__(
            _data=self._content,
            causal=causal,
            temperature=temperature,
            head=head,
            layer=layer,
            query=query,
            variant=next(iter(self._scores)),
        )

    def _load(self, scores, tokens, values, key_tokens, mask, causal, variants, untrained):
        """Check the inputs and keep them as (layers, heads, ...) tensors, by variant.

        ``mask`` may hold one for each variant. When anything is wrong, nothing is kept.
        """
        pairs = _variant_pairs(scores, values, variants)
        tokens = checked_tokens("tokens", tokens, MOST_TOKENS)
        keys = (
            tokens if key_tokens is None else checked_tokens("key_tokens", key_tokens, MOST_TOKENS)
        )
        all_scores: dict[str, torch.Tensor] = {}
        all_values: dict[str, torch.Tensor | None] = {}
        for name, (scores, values) in pairs.items():
            label = "scores" if variants is None else f"scores of variant {name!r}"
            scores = _checked_scores(label, scores, tokens, keys, key_tokens is not None)
            previous = next(iter(all_scores.values()), scores)
            if scores.shape != previous.shape:
                raise ValueError(
                    f"{label} must have the first variant's shape {tuple(previous.shape)} "
                    f"(layers, heads, query_len, key_len), got {tuple(scores.shape)}"
                )
            own_mask = mask[name] if isinstance(mask, Mapping) else mask
            all_scores[name] = _masked(label, scores, own_mask, causal)
            all_values[name] = None if values is None else _checked_values(values, scores)
        dims = {None if v is None else v.shape[-1] for v in all_values.values()}
        if len(dims) > 1:
            raise ValueError(f"values must have the same head_dim in all variants, got {dims}")
        self._tokens, self._keys = tokens, keys
        self._scores, self._values = all_scores, all_values
        layers, heads = previous.shape[:2]
        self._content = {
            "queries": tokens,
            "keys": keys,
            "layers": layers,
            "heads": heads,
            "head_dim": dims.pop() or 0,
            "maskable": key_tokens is None or causal,
            "variants": [
                {
                    "name": name,
                    "untrained": untrained or (variants is not None and name == "untrained"),
                    "scores": _base64(scores),
                    "values": None if (values := self._values[name]) is None else _base64(values),
                }
                for name, scores in self._scores.items()
            ],
        }

    @classmethod
    def from_weights(
        cls, weights: torch.Tensor, tokens: Sequence[str], values=None, **arguments
    ) -> "AttentionExplorer":
        """Return an explorer of finished weights: their logarithms serve as the scores.

        A weight of exactly 0 counts as masked.

        Args:
            weights: as ``scores``; each row sums to 1, or to 0 where nothing was allowed.
            tokens, values, arguments: as in ``AttentionExplorer``.

        Raises:
            ValueError: rows that do not sum to 1 (or 0), weights below 0, and what
                ``AttentionExplorer`` refuses.
        """
        scores, allowed = scores_of_weights(weights)
        return cls(scores, tokens, values, **({"mask": allowed} | arguments))

    @property
    def weights(self) -> torch.Tensor:
        """Weights (query_len, key_len) of the chosen head, float64, as the browser shows them."""
        scores, allowed = self._chosen_scores()
        return masked_softmax(scores.nan_to_num(0.0) / self.temperature, allowed)

    @property
    def context(self) -> torch.Tensor:
        """Context vectors (query_len, head_dim) of the chosen head: weights @ values."""
        values = self._values[self.variant]
        if values is None:
            raise ValueError("context needs values: AttentionExplorer(scores, tokens, values)")
        return self.weights @ values[self.layer, self.head]

    @property
    def entropy(self) -> torch.Tensor:
        """Entropy (query_len,) of each row of the chosen head's weights, in nats."""
        return attention_entropy(self.weights)

    def _chosen_scores(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Scores (query_len, key_len) of the chosen head, and where attention is allowed."""
        scores = self._scores[self.variant][self.layer, self.head]
        return scores, self._allowed(scores)

    def _allowed(self, scores: torch.Tensor) -> torch.Tensor:
        allowed = ~scores.isnan()
        return allowed & causal_mask(*scores.shape[-2:]) if self.causal else allowed

    def describe(self) -> str:
        layers, heads, query_len, key_len = self._scores[self.variant].shape
        of_layers = f"{layers} layers of " if layers > 1 else ""
        return f"AttentionExplorer({of_layers}{heads} heads, {query_len} queries, {key_len} keys)"

    def still(self, picture: bool = True) -> str:
        scores = self._scores[self.variant]  # (layers, heads, query_len, key_len)
        allowed = self._allowed(scores)
        weights = masked_softmax(scores.nan_to_num(0.0) / self.temperature, allowed).numpy()
        place = self.layer, self.head, self.query
        row, of_row = weights[place], allowed[place].numpy()
        layer = f"layer {self.layer}, " if len(scores) > 1 else ""
        caption = f"{layer}head {self.head}, query '{self._tokens[self.query]}'"
        table = weights_table(row, of_row, self._keys, caption)
        if not picture:
            return table
        return maps_image(weights, allowed.numpy(), self._tokens, self._keys, place) + table

    @traitlets.validate("head", "layer", "query")
    def _check_choice(self, proposal):
        name, value = proposal["trait"].name, proposal["value"]
        layers, heads, query_len, _ = next(iter(self._scores.values())).shape
        count = {"head": heads, "layer": layers, "query": query_len}[name]
        if not 0 <= value < count:
            raise traitlets.TraitError(f"{name} must be from 0 to {count - 1}, got {value}")
        return value

    @traitlets.validate("temperature")
    def _check_temperature(self, proposal):
        return checked_temperature(proposal["value"])

    @traitlets.validate("variant")
    def _check_variant(self, proposal):
        if proposal["value"] not in self._scores:
            raise traitlets.TraitError(
                f"variant must be one of {list(self._scores)}, got {proposal['value']!r}"
            )
        return proposal["value"]


def scores_of_weights(weights) -> tuple[torch.Tensor, torch.Tensor]:
    """Return scores that have these weights, and where the weights are above 0."""
    weights = floats("weights", weights)
    sums = weights.sum(dim=-1)
    wrong = ~(((sums - 1).abs() <= SUM_TOLERANCE) | (sums == 0))  # true for NaN
    if wrong.any() or (weights < 0).any():
        got = f"a sum of {sums[wrong][0]:.4g}" if wrong.any() else "a weight below 0"
        raise ValueError(
            f"weights must be 0 or more and sum to 1 over the keys, got {got}. "
            "Was the model in eval()? In train(), dropout changes the weights that some "
            "layers return."
        )
    return weights.log(), weights > 0


def _variant_pairs(scores, values, variants) -> dict[str, tuple]:
    """Return name -> (scores, values)."""
    if variants is None:
        if scores is None:
            raise ValueError("scores must be a tensor when there are no variants, got None")
        return {"": (scores, values)}
    if scores is not None or values is not None:
        raise ValueError("scores and values must be None when variants are given: put them there")
    if not variants:
        raise ValueError("variants must hold at least one name, got none")
    return {
        str(name): pair if isinstance(pair, tuple) else (pair, None)
        for name, pair in variants.items()
    }


def _checked_scores(name, scores, tokens, keys, is_cross) -> torch.Tensor:
    """Return the scores as (layers, heads, query_len, key_len)."""
    scores = floats(name, scores)
    if not 2 <= scores.dim() <= 4:
        raise ValueError(
            f"{name} must have shape (query_len, key_len), (heads, query_len, key_len) or "
            f"(layers, heads, query_len, key_len), got {tuple(scores.shape)}"
        )
    if 0 in scores.shape[:-2]:
        raise ValueError(f"{name} must hold at least one head, got shape {tuple(scores.shape)}")
    if scores.shape[-2] != len(tokens):
        raise ValueError(
            f"tokens must hold one text for each query: {scores.shape[-2]} "
            f"({name} has shape {tuple(scores.shape)}), got {len(tokens)}"
        )
    if scores.shape[-1] != len(keys):
        remedy = "" if is_cross else "; for cross-attention, give key_tokens"
        raise ValueError(
            f"{'key_tokens' if is_cross else 'tokens'} must hold one text for each key: "
            f"{scores.shape[-1]} ({name} has shape {tuple(scores.shape)}), got {len(keys)}{remedy}"
        )
    return (
        scores.reshape(-1 if scores.dim() == 4 else 1, *scores[None].shape[-3:])
        if (scores.dim() > 2)
        else scores[None, None]
    )


def _masked(name, scores, mask, causal) -> torch.Tensor:
    """Return the scores as the browser gets them: float32, NaN where attention is never allowed."""
    if mask is None:
        allowed = torch.ones_like(scores, dtype=torch.bool)
    else:
        mask = torch.as_tensor(mask).detach().cpu()
        if mask.dtype != torch.bool:
            raise TypeError(f"mask must be boolean with True = may attend, got {mask.dtype}")
        try:
            allowed = mask.expand(scores.shape)
        except RuntimeError as error:
            raise ValueError(
                f"mask must broadcast to the scores' shape {tuple(scores.shape)}, "
                f"got {tuple(mask.shape)}"
            ) from error
    scores = scores.float()  # what the browser gets; an overflow shows as infinite
    if causal:  # scores that are already masked this way, with -inf, are fine
        allowed = allowed & (causal_mask(*scores.shape[-2:]) | scores.isfinite())
    wrong = allowed & ~scores.isfinite()
    if wrong.any():
        index = tuple(wrong.nonzero()[0].tolist())
        raise ValueError(
            f"{name} must be finite wherever the mask allows attention, got {scores[index]} at "
            f"(layer, head, query, key) {index} and {int(wrong.sum())} such numbers. "
            "Say with mask (True = may attend) or causal=True what is masked."
        )
    return scores.masked_fill(~allowed, math.nan).double()


def _checked_values(values, scores) -> torch.Tensor:
    """Return the values as (layers, heads, key_len, head_dim)."""
    values = finite_floats("values", values)
    layers, heads, _, key_len = scores.shape
    fits = values.dim() >= 2 and values.shape[-1] > 0
    wanted = (layers, heads, key_len, values.shape[-1] if fits else 1)
    leading = values.shape[:-1]
    if not fits or leading not in (
        (layers, heads, key_len),
        *([(heads, key_len)] * (layers == 1)),
        *([(key_len,)] * (layers == heads == 1)),
    ):
        raise ValueError(
            f"values must have shape (layers={layers}, heads={heads}, key_len={key_len}, "
            f"head_dim), without the leading 1s if you like, got {tuple(values.shape)}"
        )
    return values.reshape(wanted)


def _base64(tensor: torch.Tensor) -> str:
    """Return the numbers as little-endian float32, in base64."""
    return base64.b64encode(tensor.numpy().astype("<f4").tobytes()).decode()
