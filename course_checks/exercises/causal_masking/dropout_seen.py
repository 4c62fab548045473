"""What a layer's dropout does, seen from outside: with values in which each weight can be read."""

import torch
from torch import eye, isclose, zeros

BATCH = 8


def dropout_seen(module, num_heads: int, head_dim: int) -> list[torch.Tensor]:
    """The weights of two calls in eval mode, in which the module is, and of two in training.

    The values and out_proj are the identity, and the value of token j is 1 in two features of each
    head: so these two features of an output are the weight on token j, or 0 where it was dropped.
    """
    length = head_dim // 2
    with torch.no_grad():
        for name in ("v_proj", "out_proj"):
            weight = getattr(module, name).weight
            weight.copy_(eye(len(weight), dtype=weight.dtype))
        dtype = module.v_proj.weight.dtype
        x = eye(length, dtype=dtype).repeat(1, 2 * num_heads).expand(BATCH, -1, -1).clone()
        seen = [_twice(module, x, num_heads) for _ in range(2)]
        module.train()
        seen += [_twice(module, x, num_heads) for _ in range(2)]
        module.eval()
    return seen


def dropout_fault(seen: list[torch.Tensor], p: float) -> str:
    """What is wrong with what was seen, as a sentence; "" where nothing is."""
    weights, again, first, second = seen
    if not torch.equal(weights, again):
        return "in eval mode, two calls with one input give two outputs."
    if isclose(first, weights, atol=1e-5).all():
        return "in training, nothing is dropped."
    one, other = first.unbind(dim=-2)
    if not torch.equal(one == 0, other == 0):
        return "in training, some features of a token's value get lost, and others of it do not."
    kept = first != 0
    if kept.all():
        return "in training no weight is 0, although the output is another one than in eval mode."
    factors, wanted = first[kept] / weights[kept], 1 / (1 - p)
    if not isclose(factors, torch.full_like(factors, wanted), rtol=1e-3).all():
        least, most = float(factors.min()), float(factors.max())
        found = f"{least:.2f}" if most - least < 1e-3 else f"{least:.2f} to {most:.2f}"
        return (
            f"in training with dropout={p}, what is not dropped should be {wanted:.2f} times the "
            f"weight in eval mode, 1 / (1 - {p}). It is {found} times that weight."
        )
    if torch.equal(first, second):
        return "in training, the same weights are dropped in each call."
    for dim, shared in enumerate(("sentences", "queries", "heads")):
        if torch.equal(kept, kept.narrow(dim, 0, 1).expand_as(kept)):
            return f"in training, all {shared} lose the same weights: each is dropped by itself."
    return ""


def _twice(module, x, num_heads: int):
    """The weights, each seen in two features: (batch, seq_len, num_heads, 2, seq_len)."""
    output = module(x)[0]
    if output.shape != x.shape:
        return zeros(len(x), x.shape[1], num_heads, 2, x.shape[1], dtype=x.dtype)
    return output.unflatten(-1, (num_heads, 2, -1))
