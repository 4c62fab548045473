# right


def subject_head(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    best = (-1, -1, -1.0)
    for layer in range(layers):
        for head in range(heads):
            total = 0.0
            for b in range(batch):
                total += float(weights[layer, b, head, query_positions[b], subject_positions[b]])
            if total / batch > best[2]:
                best = (layer, head, total / batch)
    return best
