# wrong: a list of rows is returned instead of a tensor
def padding_mask(lengths, max_len):
    return [[[[p < n for p in range(max_len)]]] for n in lengths.tolist()]
