# right


def subject_head(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    best = None
    for layer in range(layers):
        for head in range(heads):
            one = weights[layer, :, head]
            rows = one.gather(
                1, query_positions.view(-1, 1, 1).expand(-1, 1, one.shape[-1])
            ).squeeze(1)
            mean = rows.gather(1, subject_positions.view(-1, 1)).mean().item()
            if best is None or mean > best[2]:
                best = (layer, head, mean)
    return best
