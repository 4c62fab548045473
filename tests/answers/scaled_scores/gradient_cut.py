# wrong: computes under no_grad, so nothing before the scores can learn
# named: cut_off

import math

import torch


def scaled_scores(query, key):
    with torch.no_grad():
        return query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
