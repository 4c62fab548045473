# wrong: times the warm-up call as one more round
# named: warm_up_counted
def relative_costs(functions, timer, rounds):
    times = [[] for _ in functions]
    for _ in range(rounds + 1):
        for function, mine in zip(functions, times):
            start = timer()
            function()
            mine.append(timer() - start)
    medians = [sorted(mine)[(rounds + 1) // 2] for mine in times]
    return [median / medians[0] for median in medians]
