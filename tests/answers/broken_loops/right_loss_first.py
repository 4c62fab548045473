# right
# a model that learned nothing has no dropout that shows
def broken_loops(records):
    found = []
    for r in records:
        if r["twice"] > 1e-4:
            found.append(2)
        elif r["later"] > 1e-4:
            found.append(3)
        elif r["source"] < 1e-4:
            found.append(4)
        elif r["last_loss"] > 0.9 * r["first_loss"]:
            found.append(1)
        elif r["forced"] - r["free"] > 0.2:
            found.append(5)
        else:
            found.append(0)
    return found
