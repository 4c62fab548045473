# right
def relative_costs(functions, timer, rounds):
    """The functions take turns, forwards in one round and backwards in the next."""
    for function in functions:
        function()
    times = {i: [] for i in range(len(functions))}
    for r in range(rounds):
        order = range(len(functions)) if r % 2 == 0 else reversed(range(len(functions)))
        for i in order:
            start = timer()
            functions[i]()
            times[i].append(timer() - start)
    middle = [sorted(times[i])[rounds // 2] for i in range(len(functions))]
    return [m / middle[0] for m in middle]
