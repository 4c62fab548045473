"""A small language model whose logits differ enough to be told apart, and whose positions count."""

import torch

from course_lib import DecoderLM


def model_that_tells_apart(positions, attention=None):
    """With ``attention(rotary)`` in the place of each block's, where it is given."""
    torch.manual_seed(0)
    model = DecoderLM(11, 16, 4, 2, positions=positions, max_len=32, dropout=0.3)
    with torch.no_grad():
        model.embedding.weight.mul_(40)
        if positions == "learned":
            model.positions.weight.mul_(40)
    for block in model.stack.blocks:
        if attention is not None:
            block.attention = attention(block.attention.rotary)
    return model.eval()
