"""Checks that say what is wrong: ``checks.stable_softmax(stable_softmax)``.

Each check has the name of the exercise's function, takes that function, and returns a Result:
points for each property of a right answer, and where one fails, the mistake by name or the smallest
input that shows it. It never raises. ``checks.NAME.ready(function)`` says whether the function is
right, for cells that need it.

To add an exercise, write one module like ``stable_softmax.py`` (a reference, properties, mutants)
and add its name here.
"""

from importlib import import_module

from course_lib.checks.engine import Check
from course_lib.checks.feedback import Result


def _check(name: str) -> Check:
    return Check(import_module(f"course_lib.checks.{name}").EXERCISE)


# Lesson 01
attend_by_hand = _check("attend_by_hand")
attend_all = _check("attend_all")
stable_softmax = _check("stable_softmax")
weights_at = _check("weights_at")
rows_sum_to_one = _check("rows_sum_to_one")

# Lesson 02
project_qkv = _check("project_qkv")
scaled_scores = _check("scaled_scores")
is_equivariant = _check("is_equivariant")
single_head = _check("single_head")
softmax_jacobian = _check("softmax_jacobian")

# Lesson 03
concatenate = _check("concatenate")
mix_heads = _check("mix_heads")
make_heads = _check("make_heads")
three_targets = _check("three_targets")
stay_identical = _check("stay_identical")
predict_row = _check("predict_row")

# Lesson 04
split_heads = _check("split_heads")
combine_heads = _check("combine_heads")
probe_layer = _check("probe_layer")
heads_to_matrix = _check("heads_to_matrix")
head_parts = _check("head_parts")
unpack_gpt2 = _check("unpack_gpt2")
unpack_neox = _check("unpack_neox")
trace_shapes = _check("trace_shapes")
relative_costs = _check("relative_costs")

# Lesson 05
causal_mask = _check("causal_mask")
leaks = _check("leaks")
masked_softmax = _check("masked_softmax")
masked_call = _check("masked_call")
expand_mask = _check("expand_mask")
safe_masked_softmax = _check("safe_masked_softmax")
sliding_window_mask = _check("sliding_window_mask")

# Lesson 06
cross_attend = _check("cross_attend")
padding_mask = _check("padding_mask")
combine_masks = _check("combine_masks")
rows_are_queries = _check("rows_are_queries")
attend_safely = _check("attend_safely")
depends_on_neighbours = _check("depends_on_neighbours")

# Lesson 07
sinusoidal_positions = _check("sinusoidal_positions")
add_learned = _check("add_learned")
rotary = _check("rotary")
places_by_time = _check("places_by_time")
depends_on_distance_only = _check("depends_on_distance_only")
alibi_scores = _check("alibi_scores")

# Lesson 08
layer_norm = _check("layer_norm")
feed_forward = _check("feed_forward")
block_step = _check("block_step")
drops_twice = _check("drops_twice")
gpt2_parameters = _check("gpt2_parameters")
encode = _check("encode")
paths_by_length = _check("paths_by_length")

# Lesson 09
entropy_share = _check("entropy_share")
previous_token = _check("previous_token")
induction = _check("induction")
cost_and_control = _check("cost_and_control")
near_share = _check("near_share")
subject_head = _check("subject_head")
rungs = _check("rungs")

ALL = {name: check for name, check in globals().items() if isinstance(check, Check)}

__all__ = ["ALL", "Result", *ALL]
