# wrong: adds 1 to every feature of a token, which a LayerNorm takes out again
# named: same_token
def rows_are_queries(attend, x, memory):
    _, before = attend(x, memory)
    for i in range(len(x)):
        z = x.clone()
        z[i] += 1
        moved = (attend(z, memory)[1] - before).abs() > 1e-5
        if moved.any():
            return bool(moved.any(dim=1).sum() == 1)
    return True
