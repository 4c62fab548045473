# wrong: the first heads that are not chosen, of any layer
# named: any_layer
def matched_control(chosen, order):
    free = [head for head in order if head not in chosen]
    return free[: len(chosen)]
