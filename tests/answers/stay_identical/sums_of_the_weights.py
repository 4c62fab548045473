# wrong: compares the sums of the weights
# named: sums_compared


def stay_identical(heads, out_proj, x):
    sums = [sum(p.sum().item() for p in head.parameters()) for head in heads]
    blocks = [b.sum().item() for b in out_proj.weight.chunk(len(heads), dim=1)]
    return max(sums) - min(sums) < 1e-4 and max(blocks) - min(blocks) < 1e-4
