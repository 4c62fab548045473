"""Ways for a head to say "nothing here", which a softmax over the keys cannot say.

The weights of a softmax add up to 1 whatever the scores are: a head that finds nothing must still
put its weight somewhere. Trained models put it on the first token, an attention sink (Xiao et al.
2024, arXiv 2309.17453). Three ways out:

    a sink's logit:   weights_j = exp(s_j) / (exp(sink) + sum_k exp(s_k))
    sigmoids:         weights_j = 1 / (1 + exp(-(s_j + bias)))
    a gate:           output = sigmoid(gate) * softmax(s) V
"""

import math

import torch

from course_lib.attention.scaled_dot_product import scores_and_mask
from course_lib.validation.layer_inputs import broadcasts, check_device, check_floating


def attention_with_sink(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    sink_logit: torch.Tensor,
    *,
    mask: torch.Tensor | None = None,
    is_causal: bool = False,
    scale: float | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Attention in which each head has one more score, of a key that is not there.

    It is the same as an extra key with the score ``sink_logit`` and a value of zeros, which no mask
    hides (OpenAI 2025, gpt-oss model card, section 2.2; with a logit of 0, Miller 2023, "Attention
    is off by one"). A query that may attend to nothing gives all its weight to the sink, and gets
    zeros.

    Args:
        query, key, value, mask, is_causal, scale: as in ``scaled_dot_product_attention``.
        sink_logit: the sink's score, (num_heads,) for one per head, or any shape that broadcasts to
            the leading dimensions. It is not scaled.

    Returns:
        output (..., query_len, value_dim), and the weights of the real keys
        (..., query_len, key_len). What a row of them lacks to 1 is the sink's share.

    Raises:
        TypeError, ValueError: the inputs, the mask or the sink's logit do not fit.
    """
    scores, mask = scores_and_mask(query, key, value, mask, is_causal, scale)
    sink = _number_per_head("sink_logit", sink_logit, scores)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    with_sink = torch.cat((scores, sink.expand(*scores.shape[:-1], 1)), dim=-1)
    weights = with_sink.softmax(dim=-1)[..., :-1].to(scores.dtype)  # (..., query_len, key_len)
    return weights @ value, weights


def sigmoid_attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    bias: torch.Tensor | None = None,
    *,
    mask: torch.Tensor | None = None,
    is_causal: bool = False,
    scale: float | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Attention in which each key gets its weight alone, without a word to the others.

    The weights are sigmoid(scores + bias), as in Ramapuram et al. 2025, arXiv 2409.04431, where the
    bias is minus the logarithm of the sequence's length. Here only the keys which the query may see
    are counted, so that a causal query does not learn how long the text will be.

    Args:
        query, key, value, mask, is_causal, scale: as in ``scaled_dot_product_attention``.
        bias: added to the scores, any shape that broadcasts to the leading dimensions, so
            (num_heads,) for one per head. When it is None, minus the logarithm of the number of
            keys that the query may attend to.

    Returns:
        output (..., query_len, value_dim) and weights (..., query_len, key_len), each weight
        between 0 and 1; a row need not sum to 1.

    Raises:
        TypeError, ValueError: the inputs, the mask or the bias do not fit.
    """
    scores, mask = scores_and_mask(query, key, value, mask, is_causal, scale)
    if bias is None:
        seen = torch.full_like(scores[..., :1], key.shape[-2])
        if mask is not None:
            seen = mask.sum(dim=-1, keepdim=True).to(scores.dtype)
        scores = scores - seen.clamp(min=1).log()
    else:
        scores = scores + _number_per_head("bias", bias, scores)
    weights = scores.sigmoid()
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ value, weights


def gated(output: torch.Tensor, gate: torch.Tensor) -> torch.Tensor:
    """Let each head, or each of its features, close: ``output * sigmoid(gate)``.

    The gate is computed from the query's own token, so a head can close where its token asks for
    nothing (Qiu et al. 2025, arXiv 2505.06708).

    Args:
        output: (..., query_len, value_dim), what a head gives out.
        gate: (..., query_len, 1) for one gate per head, or (..., query_len, value_dim) for one
            per feature. 0 lets half through.

    Returns:
        (..., query_len, value_dim).

    Raises:
        TypeError: an argument is no floating tensor.
        ValueError: the shapes or devices do not fit together.
    """
    check_floating("output", output)
    check_floating("gate", gate)
    check_device("gate", gate, output, "output's")
    if not broadcasts(gate.shape, output.shape):
        raise ValueError(
            f"gate must broadcast to output's shape {tuple(output.shape)}, got {tuple(gate.shape)}"
        )
    return output * gate.sigmoid()


def _number_per_head(name: str, numbers: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    """Numbers for the leading dimensions as (..., 1, 1), in the scores' dtype."""
    check_floating(name, numbers)
    check_device(name, numbers, scores, "query's")
    leading = scores.shape[:-2]
    if not broadcasts(numbers.shape, leading):
        raise ValueError(
            f"{name} must broadcast to the leading dimensions {tuple(leading)}, "
            f"got {tuple(numbers.shape)}"
        )
    return numbers.to(scores.dtype)[..., None, None]
