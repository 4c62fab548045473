# wrong: the last head comes first
# named: heads_reversed
import torch


def neighbours_to_halves(weight, num_heads):
    answer = weight[:0]
    for head in weight.chunk(num_heads):
        answer = torch.cat([head[::2], head[1::2], answer])
    return answer
