# wrong: scales by the width of the values
# named: scaled_by_value_width
import math


def attend_safely(query, key, value, mask):
    some = mask.any(dim=-1, keepdim=True)
    s = query @ key.mT / math.sqrt(value.shape[-1])
    w = s.masked_fill(~mask & some, -math.inf).softmax(-1).masked_fill(~some, 0.0)
    return w @ value, w
