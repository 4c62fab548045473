# right
def matched_control(chosen, order):
    by_layer = {}
    for layer, head in order:
        if (layer, head) not in chosen:
            by_layer.setdefault(layer, []).append((layer, head))
    waiting = {layer: iter(heads) for layer, heads in by_layer.items()}
    picked = [next(waiting.get(layer, iter(())), None) for layer, _ in chosen]
    return [head for head in picked if head is not None]
