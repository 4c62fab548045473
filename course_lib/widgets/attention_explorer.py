"""Every head at a glance, and one head, one query up close."""

import math
from collections.abc import Mapping, Sequence

import torch
import traitlets

from course_lib.attention.masks import causal_mask, masked_softmax
from course_lib.validation import traits
from course_lib.validation.labels import checked_mapping
from course_lib.validation.layer_inputs import check_flags
from course_lib.widgets import explorer_maps, explorer_weights
from course_lib.widgets.course_widget import CourseWidget, javascript
from course_lib.widgets.packed_numbers import COLDEST, MOST_WEIGHT_ERROR
from course_lib.widgets.picture import maps_image, weights_table

VIEWS = ("lines", "bars", "text", "steps")
# What is looked at, in the order in which `state` tells it.
PLACE = ("layer", "head", "query", "key", "asks", "temperature", "causal")
STATE = (*PLACE, "view", "stretch", "order", "best", "pinned", "compare", "overlay")


class AttentionExplorer(CourseWidget):
    """Look at attention: click a head, pick a query, switch the mask, turn the temperature.

    The scores before the softmax go to the browser, which computes all the rest, so nothing waits
    for Python. What is clicked arrives in the traits, and can be set there: ``explorer.head = 2``.
    ``state`` holds all of them. Many scores are sent in fewer bits; ``rounding`` says by how much
    a number may differ for that. No weight differs by more than 0.005.

    Args:
        scores: (query_len, key_len), (heads, query_len, key_len) or (layers, heads, query_len,
            key_len), or a list with one for each layer, before the softmax and already scaled.
            Numbers above -9000: say with ``mask`` what is masked.
        tokens: query_len texts, at least 1 and at most 512.
        values: what the weights average: the scores' leading dimensions, then (key_len, head_dim).
        key_tokens: key_len texts, for cross-attention; the tokens themselves when it is None.
        mask: boolean, broadcastable to the scores. True = may attend.
        causal: whether the causal mask is on at first; it comes on top of ``mask``.
        temperature: the scores are divided by it; above 0.
        head, layer, query: what is chosen at first.
        untrained: mark the map as one of weights that were never trained.
        state: what ``state`` of another explorer gave.

    Raises:
        TypeError: scores or values are not floating, the mask is not boolean, tokens is a text or
            a set.
        ValueError: shapes or lengths that do not fit, scores that are NaN, infinite or a fill such
            as -1e9 where attention is allowed, a state with unknown names.
        TraitError: head, layer, query or temperature is out of range, also when it is set later.
    """

    _esm = javascript("attention_explorer")
    head = traits.WholeNumber(0).tag(sync=True, page=True)
    layer = traits.WholeNumber(0).tag(sync=True, page=True)
    query = traits.WholeNumber(0).tag(sync=True, page=True)
    # None: the key with the largest weight, until somebody chooses another.
    key = traits.WholeNumber(None, allow_none=True).tag(sync=True, page=True)
    causal = traits.YesNo(False).tag(sync=True, page=True)
    temperature = traits.Temperature(1.0).tag(sync=True, page=True)
    # "query": where it looks; "key": who looks at it.
    asks = traits.Choice(("query", "key"), "query").tag(sync=True, page=True)
    view = traits.Choice(VIEWS, "lines").tag(sync=True, page=True)
    # Whether the colours reach from 0 to the map's largest weight, instead of to 1.
    stretch = traits.YesNo(False).tag(sync=True, page=True)
    # By what the heads are ordered, and how many of the best are shown; 0: all.
    order = traits.Text("layer").tag(sync=True, page=True)
    best = traits.WholeNumber(0).tag(sync=True, page=True)
    # The head [layer, head] to compare with, or [].
    pinned: traitlets.List = traits.Row().tag(sync=True, page=True)
    compare = traits.Choice(("this", "pinned", "difference"), "this").tag(sync=True, page=True)
    # Further heads [layer, head] that are drawn over the chosen one.
    overlay: traitlets.List = traits.Row().tag(sync=True, page=True)

    def __init__(
        self,
        scores: torch.Tensor | explorer_weights.LogWeights,
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
        untrained: bool = False,
        state: Mapping | None = None,
    ):
        check_flags(causal=causal, untrained=untrained)
        causal, untrained = bool(causal), bool(untrained)  # of NumPy's
        state = checked_mapping("state", {} if state is None else state, "name -> value")
        # The slider goes down to COLDEST; who begins colder, or gives it in the state, stays true.
        colder = [
            traits.checked_temperature(t) for t in (temperature, state.get("temperature", 1.0))
        ]
        self._maps: explorer_maps.Maps = explorer_maps.checked_maps(
            scores, tokens, values, key_tokens, mask, causal
        )
        self._content = explorer_maps.content_for_the_browser(
            self._maps,
            is_self=key_tokens is None,
            causal=causal,
            untrained=untrained,
            coldest=min(COLDEST, *colder),
            of_weights=isinstance(scores, explorer_weights.LogWeights),
        )
        super().__init__(
            _data=self._content,
            causal=causal,
            temperature=temperature,
            head=head,
            layer=layer,
            query=query,
        )
        self.state = state

    @classmethod
    def from_weights(
        cls,
        weights: torch.Tensor | Sequence[torch.Tensor],
        tokens: Sequence[str] | None = None,
        values: torch.Tensor | None = None,
        *,
        batch: int | None = None,
        elsewhere: bool = False,
        around: int | None = None,
        picture=None,
        **arguments,
    ) -> "AttentionExplorer":
        """Return an explorer of finished weights: their logarithms serve as the scores.

        A weight of exactly 0 counts as masked, unless ``mask`` allows it: then it was rounded to 0.
        Who switches the causal mask on later sees what a softmax without the hidden keys gives.

        Args:
            weights: as ``scores``; each row sums to 1, or to 0 where nothing was allowed. A layer,
                and with ``batch`` a single tensor, may also be (batch, heads, query_len, key_len):
                ``outputs.attentions`` of a transformers model, or what torch's layers return with
                ``average_attn_weights=False``. Or ``attentions`` of what ``generate(...,
                output_attentions=True, return_dict_in_generate=True)`` returns: its tokens are the
                prompt and what was written, without the last, which was not read. A layer with
                fewer heads has empty maps at its end.
            tokens, values, arguments: as in ``AttentionExplorer``. ``mask`` and ``causal`` may hide
                weights of 0 only.
            batch: which element of the batch to show; needed where there are several.
            elsewhere: for a model with attention sinks, whose rows sum to less than 1: the rest is
                shown as a key called "elsewhere", before all others.
            around: of a text of more than 512 tokens, the 511 around this one are shown, and the
                first ones when it is None; what went to other keys as with ``elsewhere``.
            picture: of a model that sees an image, which its keys are patches of: (H, W) or
                (H, W, 3), uint8 or floats from 0 to 1, in the shape that the model saw. There are
                as many keys as square patches, or one more in front, [CLS]. Their weights then lie
                on the picture, and without ``tokens`` each patch is called "row,column".

        Raises:
            TypeError: there are no weights, as from a model that does not return them.
            ValueError: rows that do not sum to 1 (or 0), weights below 0, layers of different
                shapes, as Swin's windows of an image, rows over a band, as Longformer's, a batch
                where there is none, a mask that hides weight, a picture of another shape, and what
                ``AttentionExplorer`` refuses.
        """
        options = {"batch": batch, "elsewhere": elsewhere, "around": around, "picture": picture}
        shown, content = explorer_weights.shown_as_scores(
            weights, tokens, values, **options, **arguments
        )
        explorer = cls(**shown)
        explorer._data = explorer._content = explorer._content | content
        if picture is not None and arguments.get("state") is None:
            explorer.state = {"view": "text", "stretch": True}
        return explorer

    @property
    def state(self) -> dict:
        """What is looked at. The widget's "copy state" writes the same, to be given back here.

        ``explorer.state = {"head": 3, "view": "lines"}`` changes what it names.
        """
        return {name: getattr(self, name) for name in STATE}

    @state.setter
    def state(self, state: Mapping) -> None:
        if unknown := [name for name in state if name not in STATE]:
            raise ValueError(f"state must hold only {', '.join(STATE)}; got {', '.join(unknown)}")
        before = self.state
        try:
            for name in STATE:
                if name in state:
                    setattr(self, name, state[name])
        except Exception:
            for name, value in before.items():
                setattr(self, name, value)
            raise

    @property
    def rounding(self) -> dict[str, float]:
        """The most by which a score and a number in the values differ in the browser.

        Of very many weights it is the most by which a weight differs.
        """
        sent = {part: self._content[part] for part in ("scores", "values")}
        return {part: numbers["error"] if numbers else 0.0 for part, numbers in sent.items()}

    @property
    def weights(self) -> torch.Tensor:
        """Weights (query_len, key_len) of the chosen head, float64."""
        return self._weights_of(self._maps.scores[self.layer, self.head])[0]

    def _weights_of(self, scores: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The weights of scores (..., query_len, key_len), and where attention is allowed."""
        allowed = ~scores.isnan()
        if self.causal:
            allowed = allowed & causal_mask(*scores.shape[-2:])
        largest = scores.masked_fill(~allowed, -math.inf).amax(dim=-1, keepdim=True)
        # Divided first, great scores would lose their last digits.
        below_largest = (scores - largest).nan_to_num(0.0)
        return masked_softmax(below_largest / self.temperature, allowed), allowed

    def describe(self) -> str:
        layers, heads, query_len, key_len = self._maps.scores.shape
        of_layers = f"{layers} layers of " if layers > 1 else ""
        part = f", {self._content['part'].lower()}" if self._content["part"] else ""
        size = f"{heads} heads, {query_len} queries, {key_len} keys"
        return f"AttentionExplorer({of_layers}{size}{part})"

    def still(self, picture: bool = True) -> str:
        scores = self._maps.scores  # (layers, heads, query_len, key_len)
        queries, keys = self._maps.queries, self._maps.keys
        of_layer = f"layer {self.layer}, " if len(scores) > 1 else ""
        caption = f"{of_layer}head {self.head}, query '{queries[self.query]}'"
        weights, allowed = self._weights_of(scores[self.layer, self.head])
        row = weights[self.query].numpy(), allowed[self.query].numpy()
        table = weights_table(*row, keys, caption)
        if not picture:
            return table
        weights, allowed = torch.empty_like(scores), torch.empty_like(scores, dtype=torch.bool)
        for layer, one_layer in enumerate(scores):  # one at a time: they may be large
            weights[layer], allowed[layer] = self._weights_of(one_layer)
        place = self.layer, self.head, self.query
        return maps_image(weights.numpy(), allowed.numpy(), queries, keys, place) + table

    @traitlets.validate("head", "layer", "query", "key")
    def _check_choice(self, proposal):
        name, value = proposal["trait"].name, proposal["value"]
        if value is None:  # of the key
            return None
        shape = self._maps.scores.shape
        count = dict(zip(("layer", "head", "query", "key"), shape, strict=True))[name]
        return traits.in_range(name, value, count)

    @traitlets.validate("temperature")
    def _check_temperature(self, proposal):
        temperature, error = proposal["value"], self.rounding["scores"]
        if self._content["fixed"]:
            if temperature != 1:
                raise traitlets.TraitError(
                    f"temperature must be 1 for so many weights, got {temperature}: show fewer "
                    "layers or heads"
                )
            return temperature
        if error > 2 * temperature * MOST_WEIGHT_ERROR:
            raise traitlets.TraitError(
                f"temperature must be at least {error / (2 * MOST_WEIGHT_ERROR):.2g}: scores are "
                f"rounded by {error}, and colder, weights would be wrong by more than "
                f"{MOST_WEIGHT_ERROR}; give it in the call, got {temperature}"
            )
        return temperature

    @traitlets.validate("order")
    def _check_order(self, proposal):
        return traits.checked_choice("order", proposal["value"], list(explorer_maps.ORDERS))

    @traitlets.validate("best")
    def _check_best(self, proposal):
        if proposal["value"] < 0:
            raise traitlets.TraitError(f"best must be 0 (all) or more, got {proposal['value']}")
        return proposal["value"]

    @traitlets.validate("pinned")
    def _check_pinned(self, proposal):
        pinned = proposal["value"]
        return traits.pair_of_head("pinned", pinned, *self._maps.scores.shape[:2]) if pinned else []

    @traitlets.validate("overlay")
    def _check_overlay(self, proposal):
        return [
            traits.pair_of_head("overlay", head, *self._maps.scores.shape[:2])
            for head in proposal["value"]
        ]
