# right


def subject_head(weights, query_positions, subject_positions):
    L, B, H, n, _ = weights.shape
    flat = weights.flatten(-2)
    index = (query_positions * n + subject_positions).view(1, B, 1, 1).expand(L, B, H, 1)
    means = flat.gather(-1, index).squeeze(-1).mean(dim=1)
    best = max((means[a, b].item(), -a, -b) for a in range(L) for b in range(H))
    return -best[1], -best[2], best[0]
