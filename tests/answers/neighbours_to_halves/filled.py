# right
import torch


def neighbours_to_halves(weight, num_heads):
    head_dim = weight.shape[0] // num_heads
    answer = torch.empty_like(weight)
    for h in range(num_heads):
        for i in range(head_dim // 2):
            answer[h * head_dim + i] = weight[h * head_dim + 2 * i]
            answer[h * head_dim + i + head_dim // 2] = weight[h * head_dim + 2 * i + 1]
    return answer
