"""What a model loses without some of its heads, beside what it loses without as many others.

``run`` replaces the outputs of heads by zero, by their means or by what they say on other texts.
A head of a ``DecoderLM`` is a pair (layer, head), both counted from 0. Lesson 10 builds these
functions, lesson 11 uses them.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import cast

import torch

from course_lib.attention.multi_head import MultiHeadAttention
from course_lib.model.language_model import DecoderLM
from course_lib.study.head_outputs import (
    ablate_by_row,
    ablate_heads,
    head_outputs,
    mean_head_outputs,
)

Head = tuple[int, int]  # (layer, head)


def run(
    model: DecoderLM,
    tokens: torch.Tensor,
    off: Collection[Head] = (),
    instead: Mapping[MultiHeadAttention, torch.Tensor] | None = None,
    *,
    logits_to_keep: int | None = None,
) -> tuple[torch.Tensor, list[torch.Tensor]]:
    """Return a model's logits and weights, without gradients, while some heads are ablated.

    Args:
        model: in eval mode, on any device.
        tokens: (batch, length), integers.
        off: the heads whose outputs are replaced.
        instead: what stands in their place. None is zero (zero ablation), ``head_means`` gives
            their means (mean ablation), and ``outputs_on`` their outputs on other texts: drawn by
            lot it is resample ablation, chosen for one difference it is activation patching
            (Heimersheim and Nanda 2024).
        logits_to_keep: compute the logits of the last so many positions only; see ``DecoderLM``.

    Returns:
        The logits (batch, length or ``logits_to_keep``, vocab_size), and for each layer its weights
        (batch, num_heads, length, length), all on the CPU.

    Raises:
        TypeError: an attention of the model is no ``MultiHeadAttention``.
        ValueError: the model has no such layer or head, or ``instead`` does not fit.
    """
    heads = by_attention(model, off)
    with torch.no_grad(), ablate_heads(heads, instead):
        logits, weights = model(
            tokens.to(model.head.weight.device), need_weights=True, logits_to_keep=logits_to_keep
        )
    return logits.cpu(), [layer.cpu() for layer in weights]


@torch.no_grad()
def write_without(
    model: DecoderLM, tokens: torch.Tensor, sets: Sequence[Collection[Head]], length: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Write on without each of several sets of heads, all of them in one batch.

    Args:
        model: in eval mode, on any device.
        tokens: (1, prompt_len), integers.
        sets: of heads whose outputs are zero, one writing for each.
        length: how many tokens are written, each the most probable one.

    Returns:
        The new tokens (len(sets), length), and the probabilities (len(sets), vocab_size) of the
        first of them in float32, both on the CPU.

    Raises:
        ValueError: the model has no such layer or head, or learned positions for fewer tokens.
    """
    now = tokens.to(model.head.weight.device).expand(len(sets), -1)
    caches = model.make_caches(len(sets), tokens.shape[1] + length)
    written: list[torch.Tensor] = []
    with ablate_by_row([by_attention(model, off) for off in sets]):
        while len(written) < length:
            logits = model(now, caches=caches, logits_to_keep=1)[0][:, -1]  # (rows, vocab_size)
            if not written:
                first = logits.float().softmax(dim=-1).cpu()
            now = logits.argmax(dim=-1, keepdim=True)
            written.append(now.cpu())
    return torch.cat(written, dim=1), first


def by_attention(model: DecoderLM, heads: Collection[Head]) -> dict[MultiHeadAttention, list[int]]:
    """Return the numbers of these heads, by layer, as ``head_outputs.ablate_heads`` takes them.

    Raises:
        ValueError: the model has no such layer.
    """
    layers = _attentions(model)
    numbers: dict[MultiHeadAttention, list[int]] = {}
    for layer, head in heads:
        if not 0 <= layer < len(layers):
            raise ValueError(f"off: a layer must be between 0 and {len(layers) - 1}, got {layer}")
        numbers.setdefault(layers[layer], []).append(head)
    return numbers


def head_means(model: DecoderLM, tokens: torch.Tensor) -> dict[MultiHeadAttention, torch.Tensor]:
    """Return the mean output of every head over reference texts, for ``run``'s mean ablation.

    The texts (batch, length) are of the kind that the model is tested on. For each layer's
    attention comes (num_heads, head_dim), see ``head_outputs.mean_head_outputs``.
    """
    tokens = tokens.to(model.head.weight.device)
    return mean_head_outputs(_attentions(model), lambda: model(tokens, logits_to_keep=0))


def outputs_on(model: DecoderLM, tokens: torch.Tensor) -> dict[MultiHeadAttention, torch.Tensor]:
    """Return the output of every head on these texts, for ``run``'s resample ablation and patching.

    The texts (batch, length) have the shape of those that are run with them. For each layer's
    attention comes (batch, length, num_heads, head_dim), see ``head_outputs.head_outputs``.
    """
    tokens = tokens.to(model.head.weight.device)
    return head_outputs(_attentions(model), lambda: model(tokens, logits_to_keep=0))


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


def _attentions(model: DecoderLM) -> list[MultiHeadAttention]:
    """Return the attention of each layer."""
    return [cast(MultiHeadAttention, block.attention) for block in model.stack.blocks]
