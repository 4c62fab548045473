"""How to call a layer that somebody brings, and how to read what it returns."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import torch
from torch import nn

MASK_NAMES = ("mask", "attn_mask", "attention_mask", "src_mask")
PADDING_NAMES = ("key_padding_mask", "src_key_padding_mask", "padding_mask")
CAUSAL_NAMES = ("is_causal", "causal", "use_causal_mask")
WEIGHTS_NAMES = (
    "need_weights",
    "return_weights",
    "return_attention",
    "return_attention_scores",
    "output_attentions",
)
KEY_VALUE_NAMES = {("key", "value"), ("value", "key"), ("keys", "values"), ("k", "v")}


@dataclass
class BroughtLayer:
    """A layer with what is known of its arguments. In here a mask's True = may attend.

    Tensors are (batch, length, d_model) on this side, whatever the layer takes.
    """

    layer: Callable
    num_inputs: int
    batch_first: bool = True
    batched: bool = True
    mask_argument: str | None = None
    padding_argument: str | None = None
    causal_argument: str | None = None
    weights_argument: str | None = None
    true_means_blocked: bool = False
    mask_is_required: bool = False
    takes_keys: bool = False
    question: str = ""  # what has to be said before a mask can be given
    mask_dims: int = 2
    options: Mapping = field(default_factory=dict)

    def __call__(
        self,
        x: torch.Tensor,
        *,
        keys: torch.Tensor | None = None,
        mask: torch.Tensor | None = None,
        padding: torch.Tensor | None = None,
        causal: bool = False,
        with_weights: bool | None = None,
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Return output (batch, query_len, d_model) and weights (..., query_len, key_len) or None.

        ``keys`` (batch, key_len, d_model) serve as key and value, ``mask`` is
        (query_len, key_len), and ``padding`` (batch, key_len) marks the real keys.
        """
        keys = x if keys is None else keys
        if self.batched:
            return self._call(x, keys, mask, padding, causal, with_weights)
        one_by_one = [
            self._call(x[i], keys[i], mask, None if padding is None else padding[i], causal,
                       with_weights)
            for i in range(len(x))
        ]  # fmt: skip
        weights = [weights for _, weights in one_by_one if weights is not None]
        output = torch.stack([output for output, _ in one_by_one])
        return output, torch.stack(weights) if weights else None

    def find_mask_shape(self, x: torch.Tensor) -> None:
        """Find out whether a mask needs dimensions for batch and heads; 2 where nothing works."""
        everything = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device)
        for dims in (2, 4, 3):
            self.mask_dims = dims
            try:
                self(x, mask=everything)
                return
            except Exception:  # whatever somebody's layer raises
                continue
        self.mask_dims = 2

    def _call(self, x, keys, mask, padding, causal, with_weights):
        given = dict(self.options)
        if mask is None and self.mask_is_required:
            mask = torch.ones(x.shape[-2], keys.shape[-2], dtype=torch.bool, device=x.device)
        if mask is not None and self.mask_dims > 2:
            mask = mask.expand(*(1, 1)[: self.mask_dims - 2], -1, -1)
        for name, table in ((self.mask_argument, mask), (self.padding_argument, padding)):
            if table is not None:
                given[name] = ~table if self.true_means_blocked else table
        if self.causal_argument is not None:
            given[self.causal_argument] = causal
        if self.weights_argument is not None and with_weights is not None:
            given[self.weights_argument] = with_weights
        lengths = (x.shape[-2], keys.shape[-2])
        if self.batched and not self.batch_first:
            x, keys = x.transpose(0, 1), keys.transpose(0, 1)  # (length, batch, d_model)
        apart = self.num_inputs == 3 or keys is not x and not torch.equal(keys, x)
        result = self.layer(*((x, keys, keys) if apart else (x,)), **given)
        output, weights = read_result(result, x.shape, lengths)
        if self.batched and not self.batch_first:
            output = output.transpose(0, 1)  # (batch, length, d_model)
        return output, weights


def read_result(
    result, output_shape: torch.Size, lengths: tuple[int, int]
) -> tuple[torch.Tensor, torch.Tensor | None]:
    """Find the output and the weights in a tensor, a tuple, a mapping or an object."""
    if isinstance(result, torch.Tensor):
        parts = [result]
    elif isinstance(result, tuple | list):
        parts = list(result)
    elif isinstance(result, Mapping):
        parts = list(result.values())
    else:
        parts = list(getattr(result, "__dict__", {}).values())
    tensors = [part for part in parts if isinstance(part, torch.Tensor)]
    output = next((tensor for tensor in tensors if tensor.shape == output_shape), None)
    if output is None:
        came = [tuple(tensor.shape) for tensor in tensors] or type(result).__name__
        raise ValueError(
            f"layer must return an output of the shape of its input {tuple(output_shape)}, "
            f"alone or in a tuple or an object, got {came}"
        )
    square = (tensor for tensor in tensors if tensor is not output and tensor.dim() >= 2)
    return output, next((t for t in square if tuple(t.shape[-2:]) == lengths), None)


def parameters_of(layer: Callable) -> dict[str, inspect.Parameter]:
    """Return the parameters of a function or of a module's forward; {} where Python cannot tell."""
    function = layer.forward if isinstance(layer, nn.Module) else layer
    try:
        return dict(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return {}


def required_inputs(parameters: Mapping[str, inspect.Parameter]) -> list[str]:
    """Return the names of the inputs without a default, masks left out."""
    by_place = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [
        name
        for name, parameter in parameters.items()
        if parameter.kind in by_place
        and parameter.default is parameter.empty
        and name not in MASK_NAMES + PADDING_NAMES
    ]


def takes_keys(parameters: Mapping[str, inspect.Parameter]) -> bool:
    """Whether key and value can be given beside the query."""
    return tuple(list(parameters)[1:3]) in KEY_VALUE_NAMES


def place_of(layer: Callable) -> tuple[torch.device, torch.dtype]:
    """Return device and dtype of a module's first floating tensor; CPU and float32 otherwise."""
    if isinstance(layer, nn.Module):
        for tensor in (*layer.parameters(), *layer.buffers()):
            if tensor.is_floating_point():
                return tensor.device, tensor.dtype
    return torch.device("cpu"), torch.float32
