# wrong: means over the seeds
# named: mean_over_seeds
def rungs(claims, margin):
    answers = []
    for seeds in claims:
        m = {k: sum(row[k] for row in seeds) / len(seeds) for k in seeds[0]}
        rung = 1
        if m["score"] > m["baseline"] + margin:
            rung = 2
            if m["cost"] > m["control"] + margin:
                rung = 3
                if abs(m["found"] - m["predicted"]) < margin:
                    rung = 4
        answers.append(rung)
    return answers
