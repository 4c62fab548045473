"""What the exercises of lessons 10 and 11 measure: weights of many heads, and their masks."""

import torch

from course_checks.exercise import randn
from course_lib.attention.masks import masked_softmax


def causal(length):
    return torch.ones(length, length, dtype=torch.bool, device="cpu").tril()


def draw_weights(generator, *shape, mask=None):
    """Weights (..., query_len, key_len) of heads that prefer some keys; an empty row is zeros."""
    scores = 1.5 * randn(generator, *shape)
    if mask is None:
        return torch.softmax(scores, dim=-1)
    return masked_softmax(scores, mask.expand(scores.shape))
