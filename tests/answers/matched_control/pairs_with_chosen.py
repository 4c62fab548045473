# wrong: returns (chosen head, partner)
# named: pairs_of_heads
def matched_control(chosen, order):
    pairs, taken = [], list(chosen)
    for own in chosen:
        for other in order:
            if other[0] == own[0] and other not in taken:
                pairs.append((own, other))
                taken.append(other)
                break
    return pairs
