# wrong: (a - b).abs().max() > 1e-5, which says False where the padding makes NaN
# named: not_a_number
def depends_on_neighbours(model, source, lengths):
    together = model(source, lengths)
    for b, length in enumerate(lengths.tolist()):
        alone = model(source[b : b + 1, :length], lengths[b : b + 1])
        if (alone[0] - together[b]).abs().max() > 1e-5:
            return True
    return False
