# wrong: head + 1 without asking whether there is one
# named: next_number
def matched_control(chosen, order):
    return [(layer, head + 1) for layer, head in chosen]
