"""Checks that say what is wrong: ``checks.stable_softmax(stable_softmax)``.

Each check has the name of the exercise's function, takes that function, and returns a Result:
points for each property of a right answer, and where one fails, the mistake by name or the smallest
input that shows it. Whatever that function raises, a check does not.
``checks.NAME.ready(function)`` says whether the function is right, for cells that need it.

The judge stands in ``judge/``, the vocabulary of exercises in ``exercise.py``, and the exercises of
each topic in a folder of its own. To add one, write a module like ``soft_lookup/stable_softmax.py``
(a reference, properties, mistakes) and add its name here.
"""

import os
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from course_lib.checks.judge.engine import Check
from course_lib.checks.judge.feedback import Result


def _check(name: str) -> Check:
    return Check(import_module(f"course_lib.checks.{name}").EXERCISE)


# Lesson 01
attend_by_hand = _check("soft_lookup.attend_by_hand")
attend_all = _check("soft_lookup.attend_all")
stable_softmax = _check("soft_lookup.stable_softmax")
weights_at = _check("soft_lookup.weights_at")
rows_sum_to_one = _check("soft_lookup.rows_sum_to_one")

# Lesson 02
project_qkv = _check("single_head.project_qkv")
scaled_scores = _check("single_head.scaled_scores")
is_equivariant = _check("single_head.is_equivariant")
single_head = _check("single_head.single_head")
softmax_jacobian = _check("single_head.softmax_jacobian")
MyHead = _check("single_head.MyHead")

# Lesson 03
MyHeads = _check("many_heads.MyHeads")
mix_heads = _check("many_heads.mix_heads")
make_heads = _check("many_heads.make_heads")
three_targets = _check("many_heads.three_targets")
stay_identical = _check("many_heads.stay_identical")
predict_row = _check("many_heads.predict_row")

# Lesson 04
split_heads = _check("heads_in_one_matrix.split_heads")
combine_heads = _check("heads_in_one_matrix.combine_heads")
probe_layer = _check("heads_in_one_matrix.probe_layer")
heads_to_matrix = _check("heads_in_one_matrix.heads_to_matrix")
head_parts = _check("heads_in_one_matrix.head_parts")
unpack_gpt2 = _check("heads_in_one_matrix.unpack_gpt2")
unpack_neox = _check("heads_in_one_matrix.unpack_neox")
trace_shapes = _check("heads_in_one_matrix.trace_shapes")
relative_costs = _check("heads_in_one_matrix.relative_costs")
MyMultiHead = _check("heads_in_one_matrix.MyMultiHead")

# Lesson 05
causal_mask = _check("causal_masking.causal_mask")
leaks = _check("causal_masking.leaks")
masked_softmax = _check("causal_masking.masked_softmax")
masked_call = _check("causal_masking.masked_call")
expand_mask = _check("causal_masking.expand_mask")
safe_masked_softmax = _check("causal_masking.safe_masked_softmax")
sliding_window_mask = _check("causal_masking.sliding_window_mask")
MyAttention = _check("causal_masking.MyAttention")

# Lesson 06
cross_attend = _check("cross_attention.cross_attend")
padding_mask = _check("cross_attention.padding_mask")
combine_masks = _check("cross_attention.combine_masks")
rows_are_queries = _check("cross_attention.rows_are_queries")
attend_safely = _check("cross_attention.attend_safely")
depends_on_neighbours = _check("cross_attention.depends_on_neighbours")

# Lesson 07
sinusoidal_positions = _check("positions.sinusoidal_positions")
add_learned = _check("positions.add_learned")
rotary = _check("positions.rotary")
places_by_time = _check("positions.places_by_time")
depends_on_distance_only = _check("positions.depends_on_distance_only")
alibi_scores = _check("positions.alibi_scores")

# Lesson 08
layer_norm = _check("transformer_block.layer_norm")
feed_forward = _check("transformer_block.feed_forward")
block_step = _check("transformer_block.block_step")
drops_twice = _check("transformer_block.drops_twice")
gpt2_parameters = _check("transformer_block.gpt2_parameters")
encode = _check("transformer_block.encode")
paths_by_length = _check("transformer_block.paths_by_length")

# Lesson 09
shift_right = _check("encoder_decoder.shift_right")
three_masks = _check("encoder_decoder.three_masks")
decoder_step = _check("encoder_decoder.decoder_step")
greedy_decode = _check("encoder_decoder.greedy_decode")
beam_search = _check("encoder_decoder.beam_search")
broken_loops = _check("encoder_decoder.broken_loops")

# Lesson 10
entropy_share = _check("induction_heads.entropy_share")
induction = _check("induction_heads.induction")
cost_and_control = _check("induction_heads.cost_and_control")
path_effects = _check("induction_heads.path_effects")

# Lesson 11
near_share = _check("evidence_for_heads.near_share")
subject_head = _check("evidence_for_heads.subject_head")
rungs = _check("evidence_for_heads.rungs")
patched_effect = _check("evidence_for_heads.patched_effect")

# Lesson 12
running_softmax = _check("fast_attention.running_softmax")
merge_parts = _check("fast_attention.merge_parts")
attend_in_tiles = _check("fast_attention.attend_in_tiles")
bytes_moved = _check("fast_attention.bytes_moved")
safe_attention = _check("fast_attention.safe_attention")
document_rule = _check("fast_attention.document_rule")

# Lesson 13
cache_bytes = _check("cache_and_shared_heads.cache_bytes")
cached_attend = _check("cache_and_shared_heads.cached_attend")
grouped_attend = _check("cache_and_shared_heads.grouped_attend")
mean_key_heads = _check("cache_and_shared_heads.mean_key_heads")
absorbed_attend = _check("cache_and_shared_heads.absorbed_attend")
same_with_cache = _check("cache_and_shared_heads.same_with_cache")
rolling_step = _check("cache_and_shared_heads.rolling_step")

# Lesson 14
earliest_seen = _check("bounded_memory.earliest_seen")
sink_attend = _check("bounded_memory.sink_attend")
linear_step = _check("bounded_memory.linear_step")
delta_step = _check("bounded_memory.delta_step")
sum_in_chunks = _check("bounded_memory.sum_in_chunks")
hybrid_bytes = _check("bounded_memory.hybrid_bytes")
choose_layers = _check("bounded_memory.choose_layers")

# Lesson 15
cut_heads = _check("heads_across_devices.cut_heads")
part_of_device = _check("heads_across_devices.part_of_device")
feed_forward_parts = _check("heads_across_devices.feed_forward_parts")
key_heads_of = _check("heads_across_devices.key_heads_of")
ring_output = _check("heads_across_devices.ring_output")
bytes_sent = _check("heads_across_devices.bytes_sent")

# Lesson 16
rms_norm = _check("real_model.rms_norm")
swiglu = _check("real_model.swiglu")
parts_of_head = _check("real_model.parts_of_head")
neighbours_to_halves = _check("real_model.neighbours_to_halves")
next_token_probs = _check("real_model.next_token_probs")
previous_token_head = _check("real_model.previous_token_head")
matched_control = _check("real_model.matched_control")
head_claim = _check("real_model.head_claim")
turn_and_repeat = _check("real_model.turn_and_repeat")

# Lesson 17
page_rows = _check("serving.page_rows")
shared_pages = _check("serving.shared_pages")
check_guesses = _check("serving.check_guesses")
accept_or_draw = _check("serving.accept_or_draw")
quantise = _check("serving.quantise")
attend_to_chosen = _check("serving.attend_to_chosen")

# An instructor's own exercises, FOLDER/NAME.py: docs/instructors.md says how they are written.
VARIANTS = os.environ.get("COURSE_VARIANTS", "")
if VARIANTS:
    __path__.append(VARIANTS)
    for _path in sorted(Path(VARIANTS).glob("*.py")):
        globals()[_path.stem] = _check(_path.stem)

# In the course's order, whatever came first: `single_head` is the name of a topic's folder too.
_found = [check for check in globals().values() if isinstance(check, Check)]
_found.sort(key=lambda check: (check.exercise.lesson, check.exercise.number))
ALL = {check.exercise.name: check for check in _found}

__all__ = ["ALL", "Result", *ALL]


def __getattr__(name: str) -> NoReturn:
    """Say which checks have a similar name."""
    near = get_close_matches(name, globals().get("ALL", ()))
    hint = f" Did you mean {' or '.join(near)}?" if near else " checks.ALL holds them all by name."
    raise AttributeError(f"There is no check named {name!r}.{hint}")
