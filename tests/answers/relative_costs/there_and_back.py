# right


def relative_costs(functions, timer, rounds):
    n = len(functions)
    times = [[] for _ in range(n)]
    for f in functions:
        f()
    for r in range(rounds):
        for i in range(n) if r % 2 == 0 else reversed(range(n)):
            start = timer()
            functions[i]()
            end = timer()
            times[i].append(end - start)
    middle = [sorted(t)[rounds // 2] for t in times]
    return [m / middle[0] for m in middle]
