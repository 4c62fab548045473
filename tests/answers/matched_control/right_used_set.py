# right
def matched_control(chosen, order):
    used = set(chosen)
    result = []
    for layer, head in chosen:
        for candidate in order:
            if candidate[0] == layer and candidate not in used:
                result.append(candidate)
                used.add(candidate)
                break
    return result
