# right


def subject_head(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    n = weights.shape[-1]
    q = query_positions.view(1, -1, 1, 1, 1).expand(layers, batch, heads, 1, n)
    rows = weights.gather(3, q)[:, :, :, 0]
    k = subject_positions.view(1, -1, 1, 1).expand(layers, batch, heads, 1)
    means = rows.gather(3, k)[..., 0].mean(dim=1)
    return int(means.max(1).values.argmax()), int(means.max(0).values.argmax()), means.max().item()
