"""What the inputs of more than one topic are made with."""

import torch

from course_lib.attention import masks


def attention_with(weights_of):
    def attention(query, key, value):
        weights = weights_of(query @ key.transpose(-2, -1))
        return weights @ value, weights

    return attention


def random_masks(generator, *shape):
    """No row is empty."""
    mask = torch.rand(*shape, generator=generator) < 0.5
    mask[..., -1] |= ~mask.any(dim=-1)
    return mask


def masked_weights(scores, mask):
    return masks.masked_softmax(scores, mask)
