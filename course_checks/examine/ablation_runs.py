"""A model and somebody's way to switch a head off: what the model says with it, and without."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager

import torch
from torch import nn

from course_checks.examine.report import FAILED, NOT_APPLICABLE, PASSED
from course_lib.model.language_model import DecoderLM
from course_lib.study.ablation import Head, heads_off
from course_lib.study.head_places import layers_of


class Runs:
    """A model, a way to switch heads off, and the outputs with all heads on."""

    def __init__(self, model: nn.Module, switch_off: Callable, inputs, kind, instead, runs_itself):
        self.model, self.switch_off, self.runs_itself = model, switch_off, runs_itself
        self.kind, self.instead = kind, instead
        self.inputs: torch.Tensor | dict = _on_device_of(model, inputs)
        self.layers = layers_of(model, kind)
        numbers = list(self.layers)
        inner = numbers[1:-1] or numbers[:1]  # numbers that are off by one lead to a layer as well
        last_head = min(1, self.layers[inner[0]].num_heads - 1)
        self.probes: list[Head] = list(dict.fromkeys([(inner[0], last_head), (inner[-1], 0)]))
        self.whole = self.run()

    def run(self) -> torch.Tensor:
        """What the model says: (batch, length, words), or (batch, 1, classes)."""
        if isinstance(self.inputs, torch.Tensor):
            return _log_probabilities(self.model(self.inputs))
        return _log_probabilities(self.model(**self.inputs))

    def off(self, *heads: Head, **where) -> AbstractContextManager:
        return heads_off(self.model, heads, self.instead, kind=self.kind, **where)

    def users(self, probe: Head) -> tuple[torch.Tensor, str, bool]:
        """What the model says while the user's way has the head off; how it is put back; and
        whether the output map's weight was another meanwhile."""
        weight = self.layers[probe[0]].output_map.weight
        before, hooks = weight.clone(), sum(map(len, _hooks(self.model)))
        with put_back(self.model):
            changed, given = False, object()
            if self.runs_itself:
                outputs = _log_probabilities(self.switch_off(self.model, *probe, self.inputs))
            else:
                with self.under(probe) as given:
                    outputs = self.run()
                    changed = not torch.equal(weight, before)
            if not self.differ(self.run(), self.whole).any():
                ending = PASSED
            else:  # a function that changes a weight may have no way to undo it
                has_hook = sum(map(len, _hooks(self.model))) > hooks
                ending = NOT_APPLICABLE if given is None and not has_hook else FAILED
        return outputs, ending, changed

    @contextmanager
    def under(self, probe: Head) -> Iterator[object]:
        """Have the head off in the user's way; yield what their function returned."""
        given = self.switch_off(self.model, *probe)
        with ExitStack() as stack:
            for handle in given if isinstance(given, list | tuple) else [given]:
                if hasattr(handle, "__enter__"):  # a context manager, or the handle of a hook
                    stack.enter_context(handle)
                elif hasattr(handle, "remove"):
                    stack.callback(handle.remove)
            yield given

    def differ(self, outputs: torch.Tensor, expected: torch.Tensor) -> torch.Tensor:
        """Which outputs differ, (batch, length): by more than rounding, measured in logarithms of
        probabilities, so that a constant in all logits does not count."""
        if outputs.shape != expected.shape:
            raise ValueError(
                f"outputs have shape {tuple(outputs.shape)}, not {tuple(expected.shape)}"
            )
        scale = torch.finfo(outputs.dtype).eps * expected.abs().max() * 100
        moved = (expected - self.whole[:, -expected.shape[1] :]).abs().max()
        return (outputs - expected).abs().amax(dim=-1) > max(scale, 1e-3 * moved)

    def in_steps(self, during: Callable[[int], AbstractContextManager]) -> torch.Tensor:
        """Read all tokens but two at once, and those two one by one, with a cache."""
        tokens, past, outputs = self.inputs, None, []
        if not isinstance(tokens, torch.Tensor):
            tokens = tokens["tokens" if isinstance(self.model, DecoderLM) else "input_ids"]
        if isinstance(self.model, DecoderLM):
            past = self.model.make_caches(*tokens.shape)
        for number, part in enumerate((tokens[:, :-2], tokens[:, -2:-1], tokens[:, -1:])):
            with during(number):
                if isinstance(self.model, DecoderLM):
                    result = self.model(part, caches=past)
                else:
                    result = self.model(input_ids=part, past_key_values=past, use_cache=True)
                    past = result["past_key_values"]
            outputs.append(_log_probabilities(result))
        return torch.cat(outputs, dim=1)


def _log_probabilities(result) -> torch.Tensor:
    """What a model says, as logarithms of probabilities: (batch, length, words)."""
    result = result[0] if isinstance(result, tuple) else result
    for name in ("logits", "last_hidden_state"):
        result = getattr(result, name, result)
    result = result.detach().to(torch.promote_types(result.dtype, torch.float32)).cpu()
    result = result.log_softmax(dim=-1)
    return result if result.dim() == 3 else result[:, None]


def _hooks(model: nn.Module) -> list[dict]:
    return [
        store
        for part in model.modules()
        for store in (part._forward_hooks, part._forward_pre_hooks)
    ]


@contextmanager
def put_back(model: nn.Module) -> Iterator[None]:
    """At the end, remove the hooks that are new, and give each weight its numbers back."""
    held = [(store, set(store)) for store in _hooks(model)]
    weights = [(part, part.detach().clone()) for part in (*model.parameters(), *model.buffers())]
    try:
        yield
    finally:
        for store, known in held:
            for key in set(store) - known:
                del store[key]
        with torch.no_grad():
            for weight, before in weights:
                weight.copy_(before)


def _on_device_of(model: nn.Module, inputs) -> torch.Tensor | dict:
    device = next(model.parameters()).device
    if isinstance(inputs, torch.Tensor):
        return inputs.to(device)
    parts = inputs.items()
    return {name: part.to(device) if hasattr(part, "to") else part for name, part in parts}
