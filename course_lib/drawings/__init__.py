"""Drawings of how data flow, with numbers or shapes: one for each lesson from 01 to 15.

Lessons 06 and 09 share one. Each function returns a ``Drawing``, which shows itself where it is the
last line of a cell. With ``lit`` one part stands out, and the others fade.
"""

from course_lib.drawings.attention_in_tiles import attention_in_tiles
from course_lib.drawings.bounded_memory import bounded_memory
from course_lib.drawings.cached_heads import cached_heads
from course_lib.drawings.canvas import Drawing
from course_lib.drawings.causal_head import causal_head
from course_lib.drawings.evidence_ladder import evidence_ladder
from course_lib.drawings.heads_across_devices import heads_across_devices
from course_lib.drawings.heads_in_one_matrix import heads_in_one_matrix
from course_lib.drawings.induction_circuit import induction_circuit
from course_lib.drawings.many_heads import many_heads
from course_lib.drawings.single_head import single_head
from course_lib.drawings.soft_lookup import soft_lookup
from course_lib.drawings.three_attentions import three_attentions
from course_lib.drawings.transformer_block import transformer_block
from course_lib.drawings.where_positions_enter import where_positions_enter

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
    "single_head",
    "soft_lookup",
    "three_attentions",
    "where_positions_enter",
    "transformer_block",
]
