# wrong: looks at the weight of the subject's query on the verb's place
# named: axes_exchanged
import torch


def subject_head(weights, query_positions, subject_positions):
    b = torch.arange(weights.shape[1])
    means = weights[:, b, :, subject_positions, query_positions].mean(dim=0)
    layer, head = divmod(means.argmax().item(), means.shape[1])
    return layer, head, means[layer, head].item()
