# wrong: draws a lot of its own
# named: varies
import random


def matched_control(chosen, order):
    free = [head for head in order if head not in chosen]
    random.shuffle(free)
    control = []
    for layer, _ in chosen:
        same = [h for h in free if h[0] == layer and h not in control]
        control += same[:1]
    return control
