"""Activation patching: what a head, or a path between heads, carries from one text to another.

Two texts differ in one thing, such as the number of the subject. One run keeps its text, and takes
one part from the run on the other text. How far the answer moves is what this part carries. Parts
were heads in Vig et al. 2020, "Causal Mediation Analysis for Interpreting Neural NLP", positions of
a layer in Meng et al. 2022, "Locating and Editing Factual Associations in GPT" (causal tracing),
and paths in Wang et al. 2023, "Interpretability in the Wild". What a result shows and what it does
not: Heimersheim and Nanda 2024, "How to use and interpret activation patching".

To patch heads, use ``ablation.patched``, or give ``ablation.run`` their outputs on the other text:

    logits, _ = run(model, tokens, [(0, 5)], outputs_on(model, other_tokens))

This module adds the paths, and the number that is reported.
"""

from collections.abc import Collection, Mapping
from contextlib import ExitStack

import torch

from course_lib.attention.multi_head import MultiHeadAttention
from course_lib.model.language_model import DecoderLM
from course_lib.study.ablation import Head, by_attention, outputs_on
from course_lib.study.circuits import rows_of_head
from course_lib.study.head_outputs import ablate_heads
from course_lib.validation.layer_inputs import check_number, check_tokens

Receiver = tuple[int, int, str]  # (layer, head, "query", "key" or "value")
PROJECTIONS = {"query": "q_proj", "key": "k_proj", "value": "v_proj"}


def normalised_effect(patched: float, before: float, source: float) -> float:
    """Return how far a patch has moved a measurement, from 0 (not at all) to 1 (all the way).

    The measurement, such as the mean lead of the right word, was ``before`` in the run as it was,
    ``source`` in the run from which the patch was taken, and ``patched`` in the patched run. The
    effect, (patched - before) / (source - before), can lie below 0 or above 1.

    Raises:
        ValueError: the two runs measure the same, so that there is nothing to carry.
    """
    check_number(patched=patched, before=before, source=source)
    if source == before:
        raise ValueError(f"source must differ from before, got {source} for both")
    return (patched - before) / (source - before)


def patch_paths(
    model: DecoderLM,
    tokens: torch.Tensor,
    senders: Collection[Head],
    receivers: Collection[Receiver] | None,
    instead: Mapping[torch.nn.Module, torch.Tensor] | None = None,
) -> torch.Tensor:
    """Return the logits when only some receivers are told that the senders say something else.

    Path patching (Wang et al. 2023): run the texts with the senders' outputs replaced and every
    other head held at what it says; keep what the receivers read there. Then run the texts
    unchanged but for that. So the senders act on the receivers directly, or through norms and
    feed-forward networks, and on nothing else: neither through other heads nor past the receivers.

    Args:
        model: in eval mode, on any device.
        tokens: (batch, length), integers.
        senders: pairs (layer, head).
        receivers: triples (layer, head, "query", "key" or "value"), in layers after all senders;
            or None for the logits (the direct effect). Heads that share a key head
            (``num_kv_heads``) get its patched keys and values together.
        instead: what the senders say, as in ``ablation.run``; zero when it is None.

    Returns:
        The logits (batch, length, vocab_size), without gradients, on the CPU.

    Raises:
        TypeError: the attention of a receiver is no ``MultiHeadAttention``.
        ValueError: there is no such layer, head or role, a receiver is not behind all senders, or
            ``instead`` does not fit.
    """
    check_tokens("tokens", tokens)
    tokens = tokens.to(model.head.weight.device)
    as_it_was = outputs_on(model, tokens)
    everything = {layer: range(says.shape[-2]) for layer, says in as_it_was.items()}
    read = [_read_by(list(everything), senders, receiver) for receiver in receivers or ()]
    kept: dict[torch.nn.Module, torch.Tensor] = {}  # what the receivers' projections give there

    def keep(projection, inputs, output):
        kept[projection] = output

    with torch.no_grad(), ExitStack() as patches:
        patches.enter_context(ablate_heads(everything, as_it_was))
        patches.enter_context(ablate_heads(by_attention(model, senders), instead))
        for projection, _ in read:
            patches.enter_context(projection.register_forward_hook(keep))
        logits = model(tokens)[0]
    if receivers is not None:
        with torch.no_grad(), ExitStack() as patches:
            for projection, own in read:

                def replace(projection, inputs, output, own=own):
                    output = output.clone()
                    output[..., own] = kept[projection][..., own]
                    return output

                patches.enter_context(projection.register_forward_hook(replace))
            logits = model(tokens)[0]
    return logits.cpu()


def _read_by(
    layers: list[torch.nn.Module], senders: Collection[Head], receiver: Receiver
) -> tuple[torch.nn.Module, slice]:
    """The projection that makes a receiver, and the receiver's part of what it gives."""
    layer, head, role = receiver
    if role not in PROJECTIONS:
        raise ValueError(f"receivers: a role must be query, key or value, got {role!r}")
    first = 1 + max((sender[0] for sender in senders), default=-1)
    if not first <= layer < len(layers):
        raise ValueError(
            f"receivers: a layer must be behind all senders, from {first} to {len(layers) - 1}, "
            f"got {layer}"
        )
    attention = layers[layer]
    if not isinstance(attention, MultiHeadAttention):
        got = type(attention).__name__
        raise TypeError(f"receivers: layer {layer} must be a MultiHeadAttention, got {got}")
    rows, kv_rows = rows_of_head(attention, head)
    return getattr(attention, PROJECTIONS[role]), rows if role == "query" else kv_rows
