# right
def matched_control(chosen, order):
    def go(rest, taken):
        if not rest:
            return taken
        (layer, _), *rest = rest
        free = [o for o in order if o[0] == layer and o not in chosen and o not in taken]
        return go(rest, taken + free[:1])

    return go(chosen, [])
