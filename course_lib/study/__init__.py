"""What trained heads do: ``heads`` scores them, ``head_places`` says where they are in a model,
``head_outputs`` reads and replaces what they hand on, ``ablation``, ``effects`` and
``patching`` do so in whole models, and ``circuits`` joins them.

Lessons 10 and 11. ``peak_memory`` measures what a computation holds at once (12).
"""

# What is asked for most; in the reference, each name stands where it is defined.
from course_lib.study.ablation import head_means as head_means
from course_lib.study.ablation import heads_off as heads_off
from course_lib.study.ablation import outputs_on as outputs_on
from course_lib.study.ablation import patched as patched
from course_lib.study.effects import head_effects as head_effects
from course_lib.study.head_places import find_heads as find_heads

__all__: list[str] = []
