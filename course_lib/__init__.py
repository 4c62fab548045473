"""The reference implementation of the attention course: what you build, to compare with.

By lesson, ``course_lib.NAME`` is

    01  scaled_dot_product_attention, best_device
    02  SingleHead
    03  merge_heads, separate_heads
    04  MultiHeadAttention
    05  causal_mask
    06  padding_mask, combine_masks
    07  SinusoidalPositions, LearnedPositions, RotaryEmbedding, sinusoidal_table
    08  FeedForward, TransformerBlock, TransformerStack, DecoderLM
    09  EncoderDecoder
    13  KVCache, LatentAttention, LatentCache
    14  window_mask, WindowCache

Read ``attention/scaled_dot_product.py`` first, then ``attention/multi_head.py``. Masks are boolean
everywhere, and True = may attend.

    from course_lib.figures import attention_heatmap     look at weights; head_grid: at many heads
    from course_lib.widgets import AttentionExplorer     touch them

Beside it stands ``course_checks``, which judges answers to exercises and examines any layer.
"""

import types

from course_lib.attention.cache import KVCache as KVCache
from course_lib.attention.latent import LatentAttention as LatentAttention
from course_lib.attention.latent import LatentCache as LatentCache
from course_lib.attention.masks import causal_mask as causal_mask
from course_lib.attention.masks import combine_masks as combine_masks
from course_lib.attention.masks import padding_mask as padding_mask
from course_lib.attention.masks import window_mask as window_mask
from course_lib.attention.multi_head import MultiHeadAttention as MultiHeadAttention
from course_lib.attention.positions import LearnedPositions as LearnedPositions
from course_lib.attention.positions import RotaryEmbedding as RotaryEmbedding
from course_lib.attention.positions import SinusoidalPositions as SinusoidalPositions
from course_lib.attention.positions import sinusoidal_table as sinusoidal_table
from course_lib.attention.scaled_dot_product import (
    scaled_dot_product_attention as scaled_dot_product_attention,
)
from course_lib.attention.single_head import SingleHead as SingleHead
from course_lib.attention.windows import WindowCache as WindowCache
from course_lib.device import best_device as best_device
from course_lib.model.block import TransformerBlock as TransformerBlock
from course_lib.model.block import TransformerStack as TransformerStack
from course_lib.model.conversion import merge_heads as merge_heads
from course_lib.model.conversion import separate_heads as separate_heads
from course_lib.model.encoder_decoder import EncoderDecoder as EncoderDecoder
from course_lib.model.feed_forward import FeedForward as FeedForward
from course_lib.model.language_model import DecoderLM as DecoderLM


def __dir__() -> list[str]:
    """The public names, for Tab. With `__all__` instead, help() would be the help of them all."""
    things = globals().items()
    names = (name for name, thing in things if not isinstance(thing, types.ModuleType))
    return [name for name in names if not name.startswith("_")]
