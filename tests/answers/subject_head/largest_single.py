# wrong: takes the largest weight in any sentence instead of the mean
# named: largest_in_any_sentence
import torch


def subject_head(weights, query_positions, subject_positions):
    b = torch.arange(weights.shape[1])
    best = weights[:, b, :, query_positions, subject_positions].amax(dim=0)
    layer, head = divmod(best.argmax().item(), best.shape[1])
    return layer, head, best[layer, head].item()
