"""Drawings of how data flow: one for each lesson from 01 to 14, two for lesson 15,
and one for lesson 17.

Lessons 06 and 09 share one. Each function returns a ``Drawing``, which shows itself where it is the
last line of a cell. Where a lesson goes through a drawing part by part, ``lit`` names the part at
hand: it stands out, and the others fade. None shows all alike, and another name is a ValueError.
``solved=False`` leaves a part to be found.
"""

from course_lib.figures.drawings.attention_in_tiles import attention_in_tiles
from course_lib.figures.drawings.bounded_memory import bounded_memory
from course_lib.figures.drawings.cached_heads import cached_heads
from course_lib.figures.drawings.causal_head import causal_head
from course_lib.figures.drawings.drawing import Drawing
from course_lib.figures.drawings.evidence_ladder import evidence_ladder
from course_lib.figures.drawings.heads_across_devices import heads_across_devices
from course_lib.figures.drawings.heads_in_one_matrix import heads_in_one_matrix
from course_lib.figures.drawings.induction_circuit import induction_circuit
from course_lib.figures.drawings.many_heads import many_heads
from course_lib.figures.drawings.pages_of_a_cache import pages_of_a_cache
from course_lib.figures.drawings.single_head import single_head
from course_lib.figures.drawings.soft_lookup import soft_lookup
from course_lib.figures.drawings.sum_in_a_ring import sum_in_a_ring
from course_lib.figures.drawings.three_attentions import three_attentions
from course_lib.figures.drawings.transformer_block import transformer_block
from course_lib.figures.drawings.where_positions_enter import where_positions_enter

__all__ = [
    "Drawing",
    "attention_in_tiles",
    "bounded_memory",
    "cached_heads",
    "causal_head",
    "evidence_ladder",
    "heads_across_devices",
    "heads_in_one_matrix",
    "induction_circuit",
    "many_heads",
    "pages_of_a_cache",
    "single_head",
    "soft_lookup",
    "sum_in_a_ring",
    "three_attentions",
    "where_positions_enter",
    "transformer_block",
]
