# wrong: tests the places, not the batch
# named: places_only
def places_by_time(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gaps = (placed[:, None] - placed).abs().amax(dim=-1)
    gaps.fill_diagonal_(1)
    return bool((gaps > 1e-6).all())
