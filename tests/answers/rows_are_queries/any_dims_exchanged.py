# wrong: any(dim=0) is taken for the rows
# named: inverted
def rows_are_queries(attend, x, memory):
    before = attend(x, memory)[1]
    for i in range(len(x)):
        z = x.clone()
        z[i] = -z[i]
        moved = (attend(z, memory)[1] - before).abs() > 1e-5
        if moved.any():
            return int(moved.any(dim=0).sum()) == 1
    return True
