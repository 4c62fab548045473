# wrong: also blocks the queries at the padding, which makes empty rows
# named: queries_too


def combine_masks(padding, causal):
    return padding & padding.transpose(-1, -2) & causal
