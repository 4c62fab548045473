# right
def rows_are_queries(attend, x, memory):
    def step(i):
        z = x.clone()
        z[i] = z[i].flip(0) * 1.7 - 0.4
        return (attend(z, memory)[1] - start).abs()

    start = attend(x, memory)[1]
    changes = [step(i) for i in range(x.shape[0])]
    biggest = max(changes, key=lambda change: float(change.max()))
    rows = int((biggest.amax(dim=1) > 1e-6).sum())
    columns = int((biggest.amax(dim=0) > 1e-6).sum())
    return rows < columns
