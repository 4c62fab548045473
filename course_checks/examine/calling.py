"""How to call a layer that somebody brings."""

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import torch
from torch import nn

from course_checks.examine.forms import MaskForm, ResultReader

MASK_NAMES = (
    "mask",
    "attn_mask",
    "attention_mask",
    "src_mask",
    "tgt_mask",
    "slf_attn_mask",
    "self_attn_mask",
)
PADDING_NAMES = (
    "key_padding_mask",
    "src_key_padding_mask",
    "tgt_key_padding_mask",
    "padding_mask",
    "pad_mask",
)
CAUSAL_NAMES = ("is_causal", "causal", "use_causal_mask")
WEIGHTS_NAMES = (
    "need_weights",
    "return_weights",
    "return_attn",
    "return_attention",
    "return_attention_scores",
    "output_attentions",
)
KEY_VALUE_NAMES = {("key", "value"), ("value", "key"), ("keys", "values"), ("k", "v")}
MEMORY_MASK_NAMES = (
    "memory_mask",
    "memory_key_padding_mask",
    "context_mask",
    "encoder_attention_mask",
)
MEMORY_NAMES = ("mem", "context", "enc_out", "encoder", "key_value", "kv", "values")  # parts


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
    required_masks: tuple[str, ...] = ()  # arguments that are always given
    takes_keys: bool = False
    order: str = "qkv"  # in which query, key and value are given
    question: str = ""  # what has to be said before a mask can be given
    mask_form: MaskForm = MaskForm()
    padding_form: MaskForm = MaskForm("(batch, key_len)")
    mask_replaces_causal: bool = False  # then the mask that is given has to hide the future too
    mask_brings_causal: bool = False  # it is always given, for the layer has no causal mask else
    memory: torch.Tensor | None = None  # (1, length, d_model), the second input of a decoder
    moves_memory: bool = False  # then x is given as the memory, and ``memory`` in x's place
    memory_masks: dict[str, str] = field(default_factory=dict)  # what each was found to do
    options: Mapping = field(default_factory=dict)
    changed_input: torch.Tensor | None = None  # (batch, length), in the last call
    reader: ResultReader = field(default_factory=ResultReader)

    def __call__(
        self,
        x: torch.Tensor,
        *,
        keys: torch.Tensor | None = None,
        values: torch.Tensor | None = None,
        memory: torch.Tensor | None = None,
        mask: torch.Tensor | None = None,
        padding: torch.Tensor | None = None,
        causal: bool = False,
        with_weights: bool | None = None,
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Return output (batch, query_len, features) and weights (..., query_len, key_len) or None.

        ``keys`` (batch, key_len, d_model) serve as key and, without ``values``, as value; the
        ``memory`` of a decoder (batch, memory_len, d_model) is its own where none is given.
        ``mask`` is (query_len, key_len), and ``padding`` (batch, key_len) marks the real keys.
        """
        keys = x if keys is None else keys
        values = keys if values is None else values
        if memory is None and self.num_inputs == 2:
            memory = keys if self.memory is None else self.memory.expand(len(x), -1, -1)
        if self.batched:
            return self._call(x, keys, values, memory, mask, padding, causal, with_weights)
        results, changed = [], []
        for i in range(len(x)):
            second, real = (None if part is None else part[i] for part in (memory, padding))
            result = self._call(x[i], keys[i], values[i], second, mask, real, causal, with_weights)
            results.append(result)
            changed += [] if self.changed_input is None else [self.changed_input]
        self.changed_input = torch.stack(changed)
        weights = [weights for _, weights in results if weights is not None]
        output = torch.stack([output for output, _ in results])
        return output, torch.stack(weights) if weights else None

    def _call(self, x, keys, values, memory, mask, padding, causal, with_weights):
        given = dict(self.options)
        query_len, key_len = lengths = (x.shape[-2], keys.shape[-2])
        if mask is None and self.mask_argument in self.required_masks:
            mask = torch.ones(query_len, key_len, dtype=torch.bool, device=x.device)
        if padding is None and self.padding_argument in self.required_masks:
            padding = torch.ones(keys.shape[:-1], dtype=torch.bool, device=x.device)
        if mask is not None and self.mask_replaces_causal:
            mask = mask & torch.ones_like(mask).tril(key_len - query_len)
        for name, table, form in (
            (self.mask_argument, mask, self.mask_form),
            (self.padding_argument, padding, self.padding_form),
        ):
            if table is not None and name is not None:
                given[name] = form.give(table, x, self.true_means_blocked)
        given |= {name: None for name in self.required_masks if name not in given}
        if self.causal_argument is not None:
            given[self.causal_argument] = causal
        if self.weights_argument is not None and with_weights is not None:
            given[self.weights_argument] = with_weights
        result, self.changed_input = self._run(x, keys, values, memory, given)
        lead = tuple(x.shape[:-1])
        is_turned = self.batched and not self.batch_first
        lead = (lead[1], lead[0]) if is_turned else lead
        output, weights = self.reader.read(result, lead, x.shape[-1], lengths)
        return output.transpose(0, 1) if is_turned else output, weights

    def _run(self, x, keys, values, memory, given):
        """Call the layer with copies, and see whether it changed its input (batch, length)."""
        inputs = [x.clone()]
        if self.num_inputs == 3 or self.num_inputs == 1 and not torch.equal(keys, x):
            three = {"q": inputs[0], "k": keys.clone(), "v": values.clone()}
            inputs = [three[letter] for letter in self.order]
        elif self.num_inputs == 2:
            inputs.append(memory.clone())
            inputs = inputs[::-1] if self.moves_memory else inputs
        if self.batched and not self.batch_first:
            inputs = [tensor.transpose(0, 1).contiguous() for tensor in inputs]
        result = self.layer(*inputs, **given)
        after = inputs[self.order.index("q") if self.num_inputs == 3 else int(self.moves_memory)]
        after = after.transpose(0, 1) if self.batched and not self.batch_first else after
        return result, (after != x).any(dim=-1).cpu()


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


def order_of(parameters: Mapping[str, inspect.Parameter]) -> str:
    """In which order query, key and value come, by their names; "qkv" where these do not say."""
    order = "".join(name[0].lower() for name in list(parameters)[:3])
    return order if sorted(order) == ["k", "q", "v"] else "qkv"


def takes_keys(parameters: Mapping[str, inspect.Parameter]) -> bool:
    """Whether key and value can be given beside the query."""
    return tuple(list(parameters)[1:3]) in KEY_VALUE_NAMES


def modules_of(layer: Callable) -> list[nn.Module]:
    """Return the module, or those that a function gets from around it, as a wrapper does."""
    modules: list[nn.Module] = []
    seen: set[int] = set()
    waiting: list[object] = [layer]
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, nn.Module):
            modules.append(value)
        elif inspect.ismethod(value):
            waiting += [value.__self__, value.__func__]
        elif isinstance(value, functools.partial):
            waiting += [value.func, *value.args, *value.keywords.values()]
        elif inspect.isfunction(value):
            around = inspect.getclosurevars(value)
            waiting += around.nonlocals.values()
            for other in around.globals.values():
                is_torchs = (getattr(other, "__module__", None) or "").startswith("torch")
                if isinstance(other, nn.Module) or inspect.isfunction(other) and not is_torchs:
                    waiting.append(other)
    return modules


def parameters_in(layer: Callable) -> dict[str, nn.Parameter]:
    """Return the parameters of a layer by name, of a function those of the modules around it."""
    modules = modules_of(layer)
    return {name: part for module in modules for name, part in module.named_parameters()}


def place_of(layer: Callable) -> tuple[torch.device, torch.dtype]:
    """Return device and dtype of a module's first floating tensor; CPU and float32 otherwise."""
    for module in modules_of(layer):
        for tensor in (*module.parameters(), *module.buffers()):
            if tensor.is_floating_point():
                return tensor.device, tensor.dtype
    return torch.device("cpu"), torch.float32
