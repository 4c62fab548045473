# wrong: doubles a token, which a LayerNorm takes out again
def rows_are_queries(attend, x, memory):
    _, before = attend(x, memory)
    for i in range(len(x)):
        z = x.clone()
        z[i] *= 2
        moved = (attend(z, memory)[1] - before).abs() > 1e-5
        if moved.any():
            return bool(moved[i].any() and moved.any(dim=1).sum() == 1)
    return False
