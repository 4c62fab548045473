# wrong: calls the library's own
# named: closed
from course_lib.ablation import others_like


def matched_control(chosen, order):
    return others_like(chosen, [head for head in order if head not in chosen], draw=0)
