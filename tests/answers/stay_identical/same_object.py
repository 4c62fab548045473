# wrong: asks whether the heads are one and the same object
# named: rejects_everything


def stay_identical(heads, out_proj, x):
    return all(head is heads[0] for head in heads)
