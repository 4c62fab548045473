"""What a model loses without some of its heads, beside what it loses without as many others.

The outputs of heads are replaced by zero, by their means or by what they say on other texts. A head
is a pair (layer, head), both counted from 0. ``heads_off`` and ``patched`` do so in any model of
ours or of transformers, while the ``with`` block runs; ``run`` runs a ``DecoderLM`` once. Lesson 10
builds these functions, lesson 11 uses them.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial

import torch
from torch import nn

from course_lib.model.language_model import DecoderLM
from course_lib.study.head_outputs import (
    ablate_by_row,
    ablate_heads,
    head_outputs,
    mean_head_outputs,
)
from course_lib.study.head_places import heads_of, layers_of
from course_lib.validation.layer_inputs import (
    check_boolean,
    check_not_negative,
    check_positive,
    check_tokens,
)

Head = tuple[int, int]  # (layer, head)


def run(
    model: nn.Module,
    tokens: torch.Tensor,
    off: Collection[Head] = (),
    instead: Mapping[nn.Module, torch.Tensor] | None = None,
    *,
    logits_to_keep: int | None = None,
) -> tuple[torch.Tensor, list[torch.Tensor]]:
    """Return a model's logits and weights, without gradients, while some heads are ablated.

    Args:
        model: a ``DecoderLM`` or a language model of transformers, in eval mode, on any device.
        tokens: (batch, length), integers.
        off: the heads whose outputs are replaced.
        instead: what stands in their place. None is zero (zero ablation), ``head_means`` gives
            their means (mean ablation), and ``outputs_on`` their outputs on other texts: drawn by
            lot it is resample ablation, chosen for one difference it is activation patching
            (Heimersheim and Nanda 2024).
        logits_to_keep: return the logits of the last so many positions only; see ``DecoderLM``.

    Returns:
        The logits (batch, length or ``logits_to_keep``, vocab_size), and for each layer its weights
        (batch, num_heads, length, length), all on the CPU.

    Raises:
        TypeError: the model of transformers returns no weights.
        ValueError: the model has no such layer or head, or ``instead`` does not fit.
    """
    check_tokens("tokens", tokens)
    if logits_to_keep is not None:
        check_not_negative(logits_to_keep=logits_to_keep)
    tokens = tokens.to(next(model.parameters()).device)
    with torch.no_grad(), ablate_heads(by_attention(model, off), instead):
        if isinstance(model, DecoderLM):
            logits, weights = model(tokens, need_weights=True, logits_to_keep=logits_to_keep)
        else:
            given = model(tokens, output_attentions=True, use_cache=False)
            keep = slice(None if logits_to_keep is None else len(tokens[0]) - logits_to_keep, None)
            logits, weights = given.logits[:, keep], given.attentions
            if not weights or weights[0] is None:
                raise TypeError('load the model with attn_implementation="eager" to get weights')
    return logits.cpu(), [layer.cpu() for layer in weights]


@torch.no_grad()
def write_without(
    model: nn.Module, tokens: torch.Tensor, sets: Sequence[Collection[Head]], length: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Write on without each of several sets of heads, all of them in one batch.

    Args:
        model: a ``DecoderLM`` or a language model of transformers, in eval mode, on any device.
        tokens: (1, prompt_len), integers.
        sets: of heads whose outputs are zero, one writing for each.
        length: how many tokens are written, each the most probable one.

    Returns:
        The new tokens (len(sets), length), and the probabilities (len(sets), vocab_size) of the
        first of them in float32, both on the CPU.

    Raises:
        ValueError: the model has no such layer or head, or learned positions for fewer tokens.
    """
    check_tokens("tokens", tokens)
    check_positive(length=length)
    now = tokens.to(next(model.parameters()).device).expand(len(sets), -1)
    cache = None
    if isinstance(model, DecoderLM):
        cache = model.make_caches(len(sets), tokens.shape[1] + length)
    written: list[torch.Tensor] = []
    with ablate_by_row([by_attention(model, off) for off in sets]):
        while len(written) < length:
            if isinstance(model, DecoderLM):
                logits, _ = model(now, caches=cache, logits_to_keep=1)
            else:
                given = model(now, past_key_values=cache, use_cache=True)
                logits, cache = given.logits, given.past_key_values
            logits = logits[:, -1]  # (rows, vocab_size)
            if not written:
                first = logits.float().softmax(dim=-1).cpu()
            now = logits.argmax(dim=-1, keepdim=True)
            written.append(now.cpu())
    return torch.cat(written, dim=1), first


@contextmanager
def heads_off(
    model: nn.Module,
    heads: Collection[Head],
    instead: Mapping[nn.Module, torch.Tensor] | None = None,
    *,
    kind: str | None = None,
    positions: torch.Tensor | None = None,
) -> Iterator[None]:
    """Switch heads of a model off while the ``with`` block runs, whatever runs it there.

        with heads_off(model, {(16, 0), (23, 4)}):
            logits = model(**inputs).logits

    It works with gradients and padding, in half precision, and in ``generate`` with its cache.

    Args:
        model: ours or transformers', not compiled, and without gradient checkpointing in training.
        heads: pairs (layer, head of queries), both counted from 0.
        instead: what the heads say; zero when it is None, their means from ``head_means``, or what
            they say of another text from ``outputs_on``.
        kind: "encoder", "decoder" or "cross", for a model that has several; blocks can be nested.
        positions: (query_len,) or (batch, query_len), boolean, True = off here; everywhere when it
            is None. With a cache the model reads one token at a time, so there it is refused.

    Raises:
        ValueError: the model has no such layer or head, ``instead`` or ``positions`` does not fit,
            or the model is compiled or checkpointed.
        RuntimeError: in a run, a layer's heads did not go to its output map: none was off there.
    """
    if positions is not None:
        check_boolean("positions", positions, "off here")
    parts = list(model.modules())
    if any(hasattr(part, "_orig_mod") or part._compiled_call_impl for part in parts):
        raise ValueError("model must not be compiled: its code may leave out what is put into it")
    if any(part.training and getattr(part, "gradient_checkpointing", False) for part in parts):
        raise ValueError(
            "model must not use gradient checkpointing: the backward pass would run the layers "
            "again with all heads on"
        )
    chosen = by_attention(model, heads, kind)
    ran: set[nn.Module] = set()
    maps = [heads_of(attention).output_map for attention in chosen]
    with ExitStack() as hooks:
        for part in (model, *maps):
            hooks.enter_context(part.register_forward_hook(lambda part, *_: ran.add(part)))
        hooks.enter_context(ablate_heads(chosen, instead, positions))
        yield
    if model in ran and not ran.issuperset(maps):
        raise RuntimeError(
            "heads were not switched off in every layer: the model ran without the map behind "
            "these heads. Does one fused kernel compute its attention, or did a part of it run?"
        )


@contextmanager
def patched(
    model: nn.Module,
    heads: Collection[Head],
    source: torch.Tensor | Mapping,
    *,
    kind: str | None = None,
    positions: torch.Tensor | None = None,
) -> Iterator[None]:
    """Let heads say what they say of another text: activation patching (Vig et al. 2020).

        with patched(model, {(5, 1)}, tokenizer(other_text, return_tensors="pt")):
            logits = model(**inputs).logits

    Args:
        model, heads, kind, positions: as in ``heads_off``.
        source: tokens, or a mapping of the model's arguments, as long as what is run in the block.

    Raises:
        ValueError, RuntimeError: as ``heads_off``.
    """
    with heads_off(model, heads, outputs_on(model, source, kind), kind=kind, positions=positions):
        yield


def by_attention(
    model: nn.Module, heads: Collection[Head], kind: str | None = None
) -> dict[nn.Module, list[int]]:
    """Return the numbers of these heads, by layer, as ``head_outputs.ablate_heads`` takes them.

    Raises:
        ValueError: they are no pairs (layer, head), the model has no such layer, or several kinds
            of heads and ``kind`` is None.
    """
    layers = layers_of(model, kind)
    numbers: dict[nn.Module, list[int]] = {}
    for pair in heads:
        if not isinstance(pair, Sequence) or len(pair) != 2:
            raise ValueError(f"heads must be pairs (layer, head), as in {{(3, 2)}}, got {heads!r}")
        layer, head = pair
        if layer not in layers:
            known = f"between 0 and {len(layers) - 1}"
            if list(layers) != list(range(len(layers))):
                known = f"one of {list(layers)}, for the others have no heads that can be cut"
            raise ValueError(f"heads: a layer must be {known}, got {layer}")
        numbers.setdefault(layers[layer].module, []).append(head)
    return numbers


def head_means(
    model: nn.Module, texts: torch.Tensor | Mapping, kind: str | None = None
) -> dict[nn.Module, torch.Tensor]:
    """Return the mean output of every head over reference texts, for mean ablation.

    The texts are of the kind that the model is tested on: tokens (batch, length), or a mapping of
    the model's arguments, as transformers' tokenizers return it. What its ``attention_mask`` hides
    does not count; in a decoder beside an encoder, its ``decoder_attention_mask``. For each layer's
    attention comes (num_heads, head_dim), see ``head_outputs.mean_head_outputs``.
    """
    layers, call, counted = layers_of(model, kind), partial(_call, model, texts), None
    if isinstance(texts, Mapping):
        beside = _has_encoder(model) and next(iter(layers.values())).kind != "encoder"
        counted = texts.get("decoder_attention_mask" if beside else "attention_mask")
    counts = None if counted is None else counted.bool()
    return mean_head_outputs([layer.module for layer in layers.values()], call, counts)


def outputs_on(
    model: nn.Module, texts: torch.Tensor | Mapping, kind: str | None = None
) -> dict[nn.Module, torch.Tensor]:
    """Return the output of every head on these texts, for resample ablation and patching.

    The texts, as ``head_means`` takes them, have the shape of those that are run with them. For
    each layer comes (batch, length, num_heads, head_dim), see ``head_outputs.head_outputs``.
    """
    attentions = [layer.module for layer in layers_of(model, kind).values()]
    return head_outputs(attentions, partial(_call, model, texts))


def _has_encoder(model: nn.Module) -> bool:
    return getattr(getattr(model, "config", None), "is_encoder_decoder", False)


def _call(model: nn.Module, texts: torch.Tensor | Mapping) -> None:
    if not isinstance(texts, Mapping if _has_encoder(model) else Mapping | torch.Tensor):
        wanted = "a mapping of the model's arguments" + ", or tokens" * (not _has_encoder(model))
        raise TypeError(f"texts must be {wanted}, got {type(texts).__name__}")
    device = next(model.parameters()).device
    if isinstance(texts, Mapping):
        model(**{name: part.to(device) for name, part in texts.items()})
    elif isinstance(model, DecoderLM):
        model(texts.to(device), logits_to_keep=0)
    else:
        model(texts.to(device))


def by_head(
    score: Callable[[torch.Tensor], torch.Tensor], weights: Sequence[torch.Tensor]
) -> dict[Head, float]:
    """Return the score of every head of every layer, the highest first.

    ``score`` takes a layer's weights (batch, num_heads, length, length), returns (num_heads,), as
    ``previous_token_score`` does; ``weights`` holds one such tensor for each layer.
    """
    scores = {
        (layer, head): number.item()
        for layer, part in enumerate(weights)
        for head, number in enumerate(score(part))
    }
    return dict(sorted(scores.items(), key=lambda entry: -entry[1]))


def others_like(chosen: Sequence[Head], free: Sequence[Head], draw: int) -> list[Head]:
    """Return a matched control: as many heads, by lot, of the same layers as far as there are any.

    ``free`` are the heads that may be drawn, and all of them are if they are fewer than the chosen
    ones. ``draw`` is the seed of the lot.
    """
    generator = torch.Generator().manual_seed(draw)
    free = [free[i] for i in torch.randperm(len(free), generator=generator)]
    picked = []
    for layer, _ in chosen[: len(free)]:
        same_layer = [head for head in free if head[0] == layer] or free
        picked.append(same_layer[0])
        free.remove(same_layer[0])
    return picked


def ablations(
    scores: dict[Head, float],
    accuracy: Callable[[list[Head]], float],
    limit: float = 0.3,
    spared: Collection[Head] = (),
) -> dict[str, float]:
    """Return the accuracy without the heads of a high score, and without as many others.

    Args:
        scores: of all heads, the highest first, as ``by_head`` returns them.
        accuracy: takes a list of heads, returns the accuracy of the model without them.
        limit: a head is chosen if its score is above this.
        spared: heads that the control may not draw.

    Returns:
        "without_best" (of the head with the highest score), "only_best" (without the other chosen
        ones), "without_all" (the chosen ones), "without_others" (the mean over five controls by
        ``others_like``), "number" of chosen heads and "number_of_others" in a control.
    """
    chosen = [head for head, score in scores.items() if score > limit]
    free = [head for head in scores if head not in chosen and head not in spared]
    controls = [others_like(chosen, free, draw) for draw in range(5)]
    return {
        "without_best": accuracy(list(scores)[:1]),
        "only_best": accuracy(chosen[1:]),
        "without_all": accuracy(chosen),
        "without_others": sum(accuracy(control) for control in controls) / 5,
        "number": len(chosen),
        "number_of_others": len(controls[0]),
    }
