# wrong: shifts the sentences
# named: over_sentences


def shift_right(target, start):
    read = target.roll(1, dims=0)
    read[0] = start
    return read
