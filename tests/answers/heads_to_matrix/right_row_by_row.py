# right
import torch


def heads_to_matrix(heads):
    rows, numbers = [], []
    for head in heads:
        for row, number in zip(head.weight, head.bias):
            rows.append(row)
            numbers.append(number)
    return torch.stack(rows), torch.stack(numbers)
