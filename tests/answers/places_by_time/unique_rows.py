# right
def places_by_time(add_positions, x):
    same = x[-1:, -1:].repeat(1, x.shape[1], 1)
    rows = (add_positions(same)[0] * 1e6).round().unique(dim=0)
    if len(rows) < x.shape[1]:
        return False
    whole = add_positions(x)
    return not any(
        (add_positions(x[b][None])[0] - whole[b]).abs().max().item() > 1e-5
        for b in range(x.shape[0])
    )
