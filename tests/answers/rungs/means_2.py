# wrong: averages over the seeds before comparing
# named: mean_over_seeds


def rungs(claims, margin):
    out = []
    for seeds in claims:
        m = {k: sum(s[k] for s in seeds) / len(seeds) for k in seeds[0]}
        r = [
            m["score"] - m["baseline"] > margin,
            m["cost"] - m["control"] > margin,
            abs(m["found"] - m["predicted"]) < margin,
            False,
        ]
        out.append(1 + r.index(False))
    return out
