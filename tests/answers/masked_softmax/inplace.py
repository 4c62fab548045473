# wrong: masked_fill_ changes the caller's scores
# named: changes_input
import math


def masked_softmax(scores, mask):
    return scores.masked_fill_(mask.logical_not(), -math.inf).softmax(dim=-1)
