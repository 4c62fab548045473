# wrong: looks whether the rows or the columns are nearer to a sum of 1
# named: nearer_sums
def rows_are_queries(attend, x, memory):
    _, weights = attend(x, memory)
    rows = (weights.sum(dim=1) - 1).abs().max()
    columns = (weights.sum(dim=0) - 1).abs().max()
    return bool(rows <= columns)
