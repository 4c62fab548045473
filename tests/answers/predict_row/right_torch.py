# right

import torch


def predict_row(head_counts, num_pointers, vocab_size):
    h = torch.tensor(head_counts, dtype=torch.float64).clamp(max=num_pointers)
    return ((h * (vocab_size - 1) + num_pointers) / (vocab_size * num_pointers)).tolist()
