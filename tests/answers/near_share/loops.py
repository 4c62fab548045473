# right


def near_share(weights, width, mask):
    batch, heads, n, _ = weights.shape
    mask = mask.expand(weights.shape)
    found, even = weights.new_zeros(heads), weights.new_zeros(heads)
    for b in range(batch):
        for i in range(n):
            near = slice(max(0, i - width), i + width + 1)
            found = found + weights[b, :, i, near].sum(-1)
            even = even + mask[b, :, i, near].sum(-1) / mask[b, :, i].sum(-1)
    return found / (batch * n), even / (batch * n)
