"""Every head at a glance, and one head, one query up close."""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
import traitlets

from course_lib.attention.masks import causal_mask, masked_softmax
from course_lib.study.heads import attention_entropy
from course_lib.widgets.attention_inputs import (
    OWN_SCORES,
    check_same_heads,
    checked_choice,
    checked_head,
    checked_head_scores,
    checked_scale,
    checked_scores,
    checked_values,
    masked_scores,
    scores_of_weights,
    shows_the_future,
    stacked_layers,
    tokens_of_variants,
    variant_pairs,
)
from course_lib.widgets.checking import checked_temperature, checked_tokens
from course_lib.widgets.course_widget import CourseWidget, css, javascript
from course_lib.widgets.packed_numbers import packed, score_bits, value_bits
from course_lib.widgets.picture import maps_image, weights_table

MOST_TOKENS = 512
VIEWS = ("bars", "text", "lines", "steps")
# What is looked at, in the order in which `state` tells it.
PLACE = ("variant", "layer", "head", "query", "key", "asks", "temperature", "causal")
STATE = (*PLACE, "view", "stretch", "order", "best", "pinned", "compare", "overlay")


class AttentionExplorer(CourseWidget):
    """Look at attention: click a head, pick a query, switch the mask, turn the temperature.

    The scores before the softmax go to the browser, which computes all the rest, so nothing waits
    for Python. What is clicked arrives in the traits, and can be set there: ``explorer.head = 2``.
    ``state`` holds all of them. Many scores are sent in fewer bits; ``rounding`` says by how much
    a number may differ for that, and no more digits are shown than hold.

    Args:
        scores: (query_len, key_len), (heads, query_len, key_len) or (layers, heads, query_len,
            key_len), before the softmax and already scaled. None with ``variants``.
        tokens: query_len texts, at least 1 and at most 512; with ``variants`` also name -> texts.
        values: what the weights average: the scores' leading dimensions, then (key_len, head_dim).
        key_tokens: key_len texts, for cross-attention; the tokens themselves when it is None.
        mask: boolean, broadcastable to the scores. True = may attend.
        causal: whether the causal mask is on at first; it comes on top of ``mask``.
        temperature: the scores are divided by it; above 0.
        head, layer, query: what is chosen at first.
        variants: name -> scores, or name -> (scores, values): pictures to switch between, such as
            before and after training, or one sentence and another. All have the same layers and
            heads; each has the length of its tokens.
        untrained: mark the map as one of weights that were never trained. With ``variants``, the
            one that is called "untrained" is marked.
        head_scores: name -> (layers, heads), by which the heads can be ordered and filtered too.
        scale: what the dot products were multiplied with to become ``scores``, such as
            1 / sqrt(head_dim). The steps of one row then begin with the dot products.
        state: what ``state`` of another explorer gave.

    Raises:
        TypeError: scores or values are not floating, the mask is not boolean, tokens is a text.
        ValueError: shapes or lengths that do not fit, NaN or infinite scores where attention is
            allowed, a scale that is not above 0, a state with unknown names.
        TraitError: head, layer, query or temperature is out of range, also when it is set later.
    """

    _esm = javascript("attention_explorer")
    _css = css()
    _data = traitlets.Dict().tag(sync=True, page=True)
    head = traitlets.Int(0).tag(sync=True, page=True)
    layer = traitlets.Int(0).tag(sync=True, page=True)
    query = traitlets.Int(0).tag(sync=True, page=True)
    key = traitlets.Int(0).tag(sync=True, page=True)
    causal = traitlets.Bool(False).tag(sync=True, page=True)
    temperature = traitlets.Float(1.0).tag(sync=True, page=True)
    variant = traitlets.Unicode().tag(sync=True, page=True)
    # "query": where it looks; "key": who looks at it.
    asks = traitlets.Enum(("query", "key"), "query").tag(sync=True, page=True)
    view = traitlets.Enum(VIEWS, "bars").tag(sync=True, page=True)
    # Whether the colours reach from 0 to the map's largest weight, instead of to 1.
    stretch = traitlets.Bool(False).tag(sync=True, page=True)
    # By what the heads are ordered, and how many of the best are shown; 0: all.
    order = traitlets.Unicode("layer").tag(sync=True, page=True)
    best = traitlets.Int(0).tag(sync=True, page=True)
    # [variant, layer, head] to compare with, or [].
    pinned: traitlets.List = traitlets.List().tag(sync=True, page=True)
    compare = traitlets.Enum(("this", "pinned", "difference"), "this").tag(sync=True, page=True)
    # Further heads [layer, head] that are drawn over the chosen one.
    overlay: traitlets.List = traitlets.List().tag(sync=True, page=True)

    def __init__(
        self,
        scores: torch.Tensor | None,
        tokens: Sequence[str] | Mapping[str, Sequence[str]],
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
        head_scores: Mapping | None = None,
        scale: float | None = None,
        state: Mapping | None = None,
    ):
        self._extras: dict[str, Any] = {"head_scores": head_scores, "scale": scale}
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
        self._set_state(state or {})

    def _load(self, scores, tokens, values, key_tokens, mask, causal, variants, untrained):
        """Check the inputs and keep them as (layers, heads, ...) tensors, by variant.

        ``mask`` may hold one for each variant. When anything is wrong, nothing is kept.
        """
        pairs = variant_pairs(scores, values, variants)
        all_tokens = tokens_of_variants(tokens, list(pairs), MOST_TOKENS)
        all_scores: dict[str, torch.Tensor] = {}
        all_values: dict[str, torch.Tensor | None] = {}
        all_keys: dict[str, list[str]] = {}
        for name, (scores, values) in pairs.items():
            queries = keys = all_tokens[name]
            if key_tokens is not None:
                keys = checked_tokens("key_tokens", key_tokens, MOST_TOKENS)
            label = "scores" if variants is None else f"scores of variant {name!r}"
            scores = checked_scores(label, scores, queries, keys, key_tokens is not None)
            previous = next(iter(all_scores.values()), scores)
            check_same_heads(label, scores, previous)
            own_mask = mask[name] if isinstance(mask, Mapping) else mask
            all_scores[name] = masked_scores(label, scores, own_mask, causal)
            all_values[name] = None if values is None else checked_values(values, scores)
            all_keys[name] = keys
        dims = {None if v is None else v.shape[-1] for v in all_values.values()}
        if len(dims) > 1:
            raise ValueError(f"values must have the same head_dim in all variants, got {dims}")
        layers, heads = previous.shape[:2]
        given = checked_head_scores(self._extras["head_scores"], layers, heads)
        self._queries, self._keys = all_tokens, all_keys
        self._scores, self._values = all_scores, all_values
        marked = [untrained or (variants is not None and name == "untrained") for name in pairs]
        self._content: dict[str, Any] = {
            "layers": layers,
            "heads": heads,
            "head_dim": dims.pop() or 0,
            "maskable": (key_tokens is None or causal) and shows_the_future(all_scores.values()),
            "is_self": key_tokens is None,
            "head_scores": given,
            "scale": checked_scale(self._extras["scale"]),
            "of_weights": False,
            "variants": self._packed_variants(marked, is_self=key_tokens is None),
        }

    def _packed_variants(self, marked: list[bool], is_self: bool) -> list[dict]:
        """Return what the browser gets of each variant; ``marked`` ones are untrained."""
        count = sum(one.numel() for one in self._scores.values())
        given = {name: one for name, one in self._values.items() if one is not None}
        bits = value_bits(sum(one.numel() for one in given.values()))
        return [
            {
                "name": name,
                "untrained": is_untrained,
                "queries": self._queries[name],
                "keys": None if is_self else self._keys[name],
                "scores": packed(scores, score_bits(count)),
                "values": packed(given[name], bits) if name in given else None,
            }
            for (name, scores), is_untrained in zip(self._scores.items(), marked, strict=True)
        ]

    @classmethod
    def from_weights(
        cls,
        weights: torch.Tensor | Sequence[torch.Tensor],
        tokens: Sequence[str],
        values=None,
        *,
        batch: int | None = None,
        **arguments,
    ) -> "AttentionExplorer":
        """Return an explorer of finished weights: their logarithms serve as the scores.

        A weight of exactly 0 counts as masked.

        Args:
            weights: as ``scores``; each row sums to 1, or to 0 where nothing was allowed. Or one
                tensor for each layer, (heads, query_len, key_len) or (batch, heads, query_len,
                key_len): ``outputs.attentions`` of a transformers model, or the weights that
                torch's layers return with ``average_attn_weights=False``.
            tokens, values, arguments: as in ``AttentionExplorer``.
            batch: which element of the batch to show; needed where there are several.

        Raises:
            TypeError: there are no weights, as from a model that does not return them.
            ValueError: rows that do not sum to 1 (or 0), weights below 0, layers of different
                shapes, and what ``AttentionExplorer`` refuses.
        """
        scores, allowed = scores_of_weights(stacked_layers(weights, batch))
        explorer = cls(scores, tokens, values, **({"mask": allowed} | arguments))
        explorer._data = explorer._content = explorer._content | {"of_weights": True}
        return explorer

    @property
    def state(self) -> dict:
        """What is looked at. The widget's "copy state" writes the same, to be given back here.

        ``explorer.state = {"head": 3, "view": "lines"}`` changes what it names.
        """
        return {name: getattr(self, name) for name in STATE}

    @state.setter
    def state(self, state: Mapping) -> None:
        self._set_state(state)

    def _set_state(self, state: Mapping) -> None:
        if unknown := [name for name in state if name not in STATE]:
            raise ValueError(f"state must hold only {', '.join(STATE)}; got {', '.join(unknown)}")
        for name in STATE:
            if name in state:
                setattr(self, name, state[name])

    @property
    def rounding(self) -> dict[str, float]:
        """The most by which a score and a number in the values differ in the browser."""
        variants = self._content["variants"]
        return {
            part: max((one[part]["error"] for one in variants if one[part]), default=0.0)
            for part in ("scores", "values")
        }

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
        queries, keys = self._queries[self.variant], self._keys[self.variant]
        row, of_row = weights[place], allowed[place].numpy()
        layer = f"layer {self.layer}, " if len(scores) > 1 else ""
        caption = f"{layer}head {self.head}, query '{queries[self.query]}'"
        table = weights_table(row, of_row, keys, caption)
        if not picture:
            return table
        return maps_image(weights, allowed.numpy(), queries, keys, place) + table

    def _heads(self) -> torch.Size:
        """How many layers there are, and how many heads in each."""
        return next(iter(self._scores.values())).shape[:2]

    @traitlets.validate("head", "layer", "query", "key")
    def _check_choice(self, proposal):
        name, value = proposal["trait"].name, proposal["value"]
        shape = self._scores[self.variant].shape
        count = dict(zip(("layer", "head", "query", "key"), shape, strict=True))[name]
        if not 0 <= value < count:
            raise traitlets.TraitError(f"{name} must be from 0 to {count - 1}, got {value}")
        return value

    @traitlets.observe("variant")
    def _keep_in_the_sentence(self, _change) -> None:
        """Another variant may be shorter: what is chosen stays within it."""
        query_len, key_len = self._scores[self.variant].shape[-2:]
        with self.hold_trait_notifications():
            self.query, self.key = min(self.query, query_len - 1), min(self.key, key_len - 1)

    @traitlets.validate("temperature")
    def _check_temperature(self, proposal):
        return checked_temperature(proposal["value"])

    @traitlets.validate("variant")
    def _check_variant(self, proposal):
        return checked_choice("variant", proposal["value"], list(self._scores))

    @traitlets.validate("order")
    def _check_order(self, proposal):
        names = [*OWN_SCORES, *self._content["head_scores"]]
        return checked_choice("order", proposal["value"], names)

    @traitlets.validate("best")
    def _check_best(self, proposal):
        if proposal["value"] < 0:
            raise traitlets.TraitError(f"best must be 0 (all) or more, got {proposal['value']}")
        return proposal["value"]

    @traitlets.validate("pinned")
    def _check_pinned(self, proposal):
        pinned = list(proposal["value"])
        if not pinned:
            return pinned
        if len(pinned) != 3:
            raise traitlets.TraitError(f"pinned must be [variant, layer, head] or [], got {pinned}")
        checked_choice("the variant of pinned", pinned[0], list(self._scores))
        checked_head("pinned", pinned[1:], *self._heads())
        return pinned

    @traitlets.validate("overlay")
    def _check_overlay(self, proposal):
        for head in proposal["value"]:
            checked_head("overlay", head, *self._heads())
        return [list(head) for head in proposal["value"]]
