# wrong: the first half is overwritten before the odd rows are read
# named: overwritten
import torch


def neighbours_to_halves(weight, num_heads):
    answer = weight.clone()
    for head in torch.chunk(answer, num_heads):
        half = len(head) // 2
        head[:half] = head[::2].clone()
        head[half:] = head[1::2].clone()
    return answer
