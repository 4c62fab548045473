# wrong: the chosen ones themselves, shuffled by the lot
# named: chosen_themselves
def matched_control(chosen, order):
    return [head for head in order if head in chosen]
