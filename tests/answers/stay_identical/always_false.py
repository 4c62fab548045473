# wrong: says that heads never stay the same


def stay_identical(heads, out_proj, x):
    return False
