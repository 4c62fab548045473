"""The reference implementation of the attention course.

Students build each piece in a notebook first and compare it with the one here at the end.
Masks are boolean everywhere and True means "may attend".
"""

from course_lib.attention import MultiHeadAttention, scaled_dot_product_attention
from course_lib.beams import beam_search
from course_lib.cache import KVCache
from course_lib.conversion import merge_heads, separate_heads
from course_lib.device import best_device
from course_lib.encoder_decoder import EncoderDecoder
from course_lib.feed_forward import FeedForward
from course_lib.language_model import DecoderLM
from course_lib.latent_attention import LatentAttention, LatentCache
from course_lib.masks import causal_mask, combine_masks, padding_mask, window_mask
from course_lib.positions import (
    LearnedPositions,
    RotaryEmbedding,
    SinusoidalPositions,
    sinusoidal_table,
)
from course_lib.single_head import SingleHead
from course_lib.transformer import TransformerBlock, TransformerStack
from course_lib.windows import WindowCache

__all__ = [
    "DecoderLM",
    "EncoderDecoder",
    "FeedForward",
    "KVCache",
    "LatentAttention",
    "LatentCache",
    "LearnedPositions",
    "MultiHeadAttention",
    "RotaryEmbedding",
    "SingleHead",
    "SinusoidalPositions",
    "TransformerBlock",
    "TransformerStack",
    "WindowCache",
    "beam_search",
    "best_device",
    "causal_mask",
    "combine_masks",
    "merge_heads",
    "padding_mask",
    "scaled_dot_product_attention",
    "separate_heads",
    "sinusoidal_table",
    "window_mask",
]
