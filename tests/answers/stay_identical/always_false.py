# wrong: says that heads never stay the same
# named: rejects_everything


def stay_identical(heads, out_proj, x):
    return False
