# wrong: the same number, one layer further on
def matched_control(chosen, order):
    return [(layer + 1, head) for layer, head in chosen if (layer + 1, head) not in chosen]
