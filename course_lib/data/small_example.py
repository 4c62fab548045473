"""The course's sentence in numbers that can be followed by hand.

Each word is a vector of four numbers, which say how much it has to do with water and with money,
and whether it is a thing or a deed. Nobody learned these numbers: they were chosen so that a
calculation fits on paper. Two heads of two numbers each look for water and for money.

The matrices are laid out as in ``nn.Linear``: ``query = x @ W_QUERY.T``. Rows 0 and 1 of W_QUERY,
W_KEY and W_VALUE belong to head 0, rows 2 and 3 to head 1.
"""

import torch

TOKENS = ["The", "bank", "by", "the", "river", "approved", "my", "loan"]
FEATURES = ["water", "money", "thing", "deed"]
NUM_HEADS = 2

X = torch.tensor(  # (8 tokens, 4 features)
    [
        [0.0, 0.0, 0.0, 0.0],  # The
        [1.0, 1.0, 1.0, 0.0],  # bank: of a river, or of money?
        [0.0, 0.0, 0.0, 0.0],  # by
        [0.0, 0.0, 0.0, 0.0],  # the
        [2.0, 0.0, 1.0, 0.0],  # river
        [0.0, 1.0, 0.0, 2.0],  # approved
        [0.0, 0.0, 0.0, 0.0],  # my
        [0.0, 2.0, 1.0, 0.0],  # loan
    ]
)
W_QUERY = torch.tensor(  # (2 heads of 2, 4 features)
    [
        [1.0, 0.0, 0.0, 0.0],  # head 0 looks for water,
        [0.0, 0.0, 1.0, 0.0],  # and a thing looks for a deed
        [0.0, 1.0, 0.0, 0.0],  # head 1 looks for money,
        [0.0, 0.0, 0.0, 1.0],  # and a deed looks for a thing
    ]
)
W_KEY = torch.tensor(
    [
        [2.0, 0.0, 0.0, 0.0],  # head 0: water can be found,
        [0.0, 0.0, 0.0, 1.0],  # and a deed
        [0.0, 2.0, 0.0, 0.0],  # head 1: money can be found,
        [0.0, 0.0, 1.0, 0.0],  # and a thing
    ]
)
W_VALUE = torch.tensor(
    [
        [1.0, 0.0, 0.0, 0.0],  # head 0 hands over water
        [0.0, 0.0, 0.0, 1.0],  # and deed,
        [0.0, 1.0, 0.0, 0.0],  # head 1 money
        [0.0, 0.0, 1.0, 0.0],  # and thing
    ]
)
W_OUT = torch.tensor(  # puts what the heads hand over back into the order of FEATURES
    [
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, 0.0, 1.0],
        [0.0, 1.0, 0.0, 0.0],
    ]
)
