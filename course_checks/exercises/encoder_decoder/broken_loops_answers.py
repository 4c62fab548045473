"""Answers to broken_loops (lesson 09, exercise 6), right and wrong, as students write them."""


# wrong: the gap is asked first
# named: gap_first
def gap(records):
    found = []
    for r in records:
        if r["twice"] > 1e-4:
            found.append(2)
        elif r["last_loss"] > 0.9 * r["first_loss"]:
            found.append(1)
        elif r["forced"] - r["free"] > 0.2:
            found.append(5)
        elif r["later"] > 1e-4:
            found.append(3)
        elif r["source"] < 1e-4:
            found.append(4)
        else:
            found.append(0)
    return found


# wrong: the gap is asked before dropout
# named: gap_before_all
def gap_at_once(records):
    found = []
    for r in records:
        if r["forced"] - r["free"] > 0.2:
            found.append(5)
        elif r["twice"] > 1e-4:
            found.append(2)
        elif r["last_loss"] > 0.9 * r["first_loss"]:
            found.append(1)
        elif r["later"] > 1e-4:
            found.append(3)
        elif r["source"] < 1e-4:
            found.append(4)
        else:
            found.append(0)
    return found


# wrong: only forced is looked at
# named: forced_alone
def high_forced(records):
    found = []
    for r in records:
        if r["twice"] > 1e-4:
            found.append(2)
        elif r["last_loss"] > 0.9 * r["first_loss"]:
            found.append(1)
        elif r["later"] > 1e-4:
            found.append(3)
        elif r["source"] < 1e-4:
            found.append(4)
        elif r["forced"] > 0.9:
            found.append(5)
        else:
            found.append(0)
    return found


# wrong: dropout is asked behind the look ahead
# named: twice_too_late
def in_the_order_of_numbers_but_twice(records):
    found = []
    for r in records:
        if r["last_loss"] > 0.9 * r["first_loss"]:
            found.append(1)
        elif r["later"] > 1e-4:
            found.append(3)
        elif r["twice"] > 1e-4:
            found.append(2)
        elif r["source"] < 1e-4:
            found.append(4)
        elif r["forced"] - r["free"] > 0.2:
            found.append(5)
        else:
            found.append(0)
    return found


# wrong: the last loss alone
# named: loss_alone
def large_loss(records):
    found = []
    for r in records:
        if r["twice"] > 1e-4:
            found.append(2)
        elif r["last_loss"] > 2:
            found.append(1)
        elif r["later"] > 1e-4:
            found.append(3)
        elif r["source"] < 1e-4:
            found.append(4)
        elif r["forced"] - r["free"] > 0.2:
            found.append(5)
        else:
            found.append(0)
    return found


# wrong: the loss must not fall at all
# named: must_rise
def loss_not_lower(records):
    found = []
    for r in records:
        if r["twice"] > 1e-4:
            found.append(2)
        elif r["last_loss"] >= r["first_loss"]:
            found.append(1)
        elif r["later"] > 1e-4:
            found.append(3)
        elif r["source"] < 1e-4:
            found.append(4)
        elif r["forced"] - r["free"] > 0.2:
            found.append(5)
        else:
            found.append(0)
    return found


# wrong: only free is looked at
# named: free_alone
def low_free(records):
    found = []
    for r in records:
        if r["twice"] > 1e-4:
            found.append(2)
        elif r["last_loss"] > 0.9 * r["first_loss"]:
            found.append(1)
        elif r["later"] > 1e-4:
            found.append(3)
        elif r["source"] < 1e-4:
            found.append(4)
        elif r["free"] < 0.8:
            found.append(5)
        else:
            found.append(0)
    return found


# wrong: nothing is sound
# named: never_sound
def no_zero(records):
    found = []
    for r in records:
        if r["twice"] > 1e-4:
            found.append(2)
        elif r["last_loss"] > 0.9 * r["first_loss"]:
            found.append(1)
        elif r["later"] > 1e-4:
            found.append(3)
        elif r["source"] < 1e-4:
            found.append(4)
        else:
            found.append(5)
    return found


# wrong: dropout is not asked
# named: twice_too_late
def not_twice(records):
    found = []
    for r in records:
        if r["last_loss"] > 0.9 * r["first_loss"]:
            found.append(1)
        elif r["later"] > 1e-4:
            found.append(3)
        elif r["source"] < 1e-4:
            found.append(4)
        elif r["forced"] - r["free"] > 0.2:
            found.append(5)
        else:
            found.append(0)
    return found


# right
def right_chain(records):
    found = []
    for r in records:
        if r["twice"] > 1e-4:
            found.append(2)
        elif r["last_loss"] > 0.9 * r["first_loss"]:
            found.append(1)
        elif r["later"] > 1e-4:
            found.append(3)
        elif r["source"] < 1e-4:
            found.append(4)
        elif r["forced"] - r["free"] > 0.2:
            found.append(5)
        else:
            found.append(0)
    return found


# right
# a model that learned nothing has no dropout that shows
def right_loss_first(records):
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


# wrong: the comparison of source is turned round
# named: source_turned_round
def source_read(records):
    found = []
    for r in records:
        if r["twice"] > 1e-4:
            found.append(2)
        elif r["last_loss"] > 0.9 * r["first_loss"]:
            found.append(1)
        elif r["later"] > 1e-4:
            found.append(3)
        elif r["source"] > 1e-4:
            found.append(4)
        elif r["forced"] - r["free"] > 0.2:
            found.append(5)
        else:
            found.append(0)
    return found


# wrong: no tolerance for rounding
# named: exactly_zero
def zero(records):
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


# wrong: gap as a size in both directions
# named: gap_either_way
def gap_either_way_too(records):
    out = []
    for r in records:
        if r["twice"] > 1e-4:
            out.append(2)
        elif r["last_loss"] > 0.9 * r["first_loss"]:
            out.append(1)
        elif r["later"] > 1e-4:
            out.append(3)
        elif r["source"] <= 1e-4:
            out.append(4)
        elif abs(r["forced"] - r["free"]) > 0.2:
            out.append(5)
        else:
            out.append(0)
    return out


# wrong: the gap counts from 0.25 on
def a_larger_gap(records):
    names = []
    for r in records:
        if r["twice"] > 1e-4:
            names.append(2)
        elif r["last_loss"] > 0.9 * r["first_loss"]:
            names.append(1)
        elif r["later"] > 1e-4:
            names.append(3)
        elif r["source"] <= 1e-4:
            names.append(4)
        else:
            names.append(5 if r["forced"] - r["free"] > 0.25 else 0)
    return names


# wrong: who is seldom right has learned nothing, whatever the loss says
def by_the_accuracy(records):
    out = []
    for r in records:
        if r["twice"] > 1e-4:
            out.append(2)
        elif r["forced"] < 0.2:
            out.append(1)
        elif r["later"] > 1e-4:
            out.append(3)
        elif r["source"] <= 1e-4:
            out.append(4)
        elif r["forced"] - r["free"] > 0.2:
            out.append(5)
        else:
            out.append(0)
    return out


# wrong: a missing shift is told by a tiny loss, not by the gap
def not_shifted_by_the_loss(records):
    def one(r):
        if r["twice"] > 1e-4:
            return 2
        if r["last_loss"] > 0.9 * r["first_loss"]:
            return 1
        if r["later"] > 1e-4:
            return 3
        if r["source"] <= 1e-4:
            return 4
        return 5 if r["last_loss"] < 0.015 else 0

    return [one(r) for r in records]
