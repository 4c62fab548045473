# wrong: changes one feature by a millionth, which no float shows
# named: always_rows
def rows_are_queries(attend, x, memory):
    before = attend(x, memory)[1]
    for i in range(len(x)):
        z = x.clone()
        z[i, 0] += 1e-6
        moved = (attend(z, memory)[1] - before).abs() > 1e-5
        if moved.any():
            return bool(moved.any(dim=1).sum() == 1)
    return True
