# wrong: no tolerance for rounding
# named: exactly_zero
def broken_loops(records):
    found = []
    for r in records:
        if r["twice"] != 0:
            found.append(2)
        elif r["last_loss"] > 0.9 * r["first_loss"]:
            found.append(1)
        elif r["later"] != 0:
            found.append(3)
        elif r["source"] == 0:
            found.append(4)
        elif r["forced"] - r["free"] > 0.2:
            found.append(5)
        else:
            found.append(0)
    return found
