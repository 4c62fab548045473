"""What a layer's dropout does, seen from outside: with values in which each weight can be read."""

from collections.abc import Callable

import torch
from torch import eye, isclose, zeros

BATCH = 8


def dropout_seen(module, num_heads: int, head_dim: int, p: float) -> list[torch.Tensor]:
    """The weights of each call that ``dropout_fault`` asks for; the module is in eval mode.

    The values and out_proj are the identity, and the value of token j is 1 in two features of each
    head: so these two features of an output are the weight on token j, or 0 where it was dropped.
    """
    length, seen = head_dim // 2, []

    def ask(is_training: bool, **options) -> torch.Tensor:
        module.train(is_training)
        seen.append(_twice(module, x, num_heads, **options))
        module.eval()
        return seen[-1]

    with torch.no_grad():
        for name in ("v_proj", "out_proj"):
            weight = getattr(module, name).weight
            weight.copy_(eye(len(weight), dtype=weight.dtype))
        dtype = module.v_proj.weight.dtype
        x = eye(length, dtype=dtype).repeat(1, 2 * num_heads).expand(BATCH, -1, -1).clone()
        dropout_fault(ask, p)
    return seen


def dropout_fault(ask: Callable[..., torch.Tensor], p: float) -> str:
    """What is wrong with it, as a sentence; "" where nothing is.

    ``ask(is_training, **options)`` gives the weights of one more call.
    """
    weights = ask(False)
    if not torch.equal(weights, ask(False)):
        return "in eval mode, two calls with one input give two outputs."
    first, second = ask(True), ask(True)
    if isclose(first, weights, atol=1e-5).all():
        return "in training, nothing is dropped."
    dropped = first == 0  # of each weight two features, and of values and outputs some
    if (dropped == dropped[:, :1]).all() and not torch.equal(*dropped.unbind(dim=-2)):
        return "in training, some features of a token's value get lost, for all queries alike."
    if not torch.equal(*dropped.unbind(dim=-2)):
        return "in training, some features of a token's value get lost, and others of it do not."
    kept = first != 0
    if kept.all():
        return "in training no weight is 0, although the output is another one than in eval mode."
    factors, wanted = first[kept] / weights[kept], 1 / (1 - p)
    if not isclose(factors, torch.full_like(factors, wanted), rtol=1e-3).all():
        least, most = float(factors.min()), float(factors.max())
        factor = f"{least:.2f}" if most - least < 1e-3 else "now more and now less than"
        return (
            f"in training with dropout={p}, what is not dropped should be {wanted:.2f} times the "
            f"weight in eval mode, 1 / (1 - {p}). It is {factor} times that weight."
        )
    if torch.equal(first, second):
        return "in training, the same weights are dropped in each call."
    every = torch.ones(2 * (weights.shape[-1],), dtype=torch.bool)
    for options, words in (({"is_causal": True}, "is_causal=True"), ({"mask": every}, "a mask")):
        in_eval = ask(False, **options)
        if isclose(ask(True, **options), in_eval, atol=1e-5).all():
            return f"in training, nothing is dropped with {words}."
    for dim, shared in enumerate(("sentences", "queries", "heads")):
        if torch.equal(kept, kept.narrow(dim, 0, 1).expand_as(kept)):
            return f"in training, all {shared} lose the same weights: each is dropped by itself."
    return ""


def _twice(module, x, num_heads: int, **options):
    """The weights, each seen in two features: (batch, seq_len, num_heads, 2, seq_len)."""
    output = module(x, **options)[0].detach()
    if output.shape != x.shape:
        return zeros(len(x), x.shape[1], num_heads, 2, x.shape[1], dtype=x.dtype)
    return output.unflatten(-1, (num_heads, 2, -1))
