# wrong: writes to the places that it should read from: the other direction
# named: other_direction
import torch


def neighbours_to_halves(weight, num_heads):
    head_dim = len(weight) // num_heads
    answer = torch.zeros_like(weight)
    order = [*range(0, head_dim, 2), *range(1, head_dim, 2)]
    for h in range(num_heads):
        for i, j in enumerate(order):
            answer[h * head_dim + j] = weight[h * head_dim + i]
    return answer
