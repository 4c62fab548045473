# wrong: cut to the shortest text so that they can be stacked
# named: cut_to_the_shortest
import torch


def previous_token_head(maps):
    n = min(text.shape[-1] for text in maps)
    batch = torch.stack([text[..., :n, :n] for text in maps])
    scores = batch.diagonal(-1, dim1=-2, dim2=-1).mean(dim=(0, -1))
    layer, head = divmod(int(scores.argmax()), scores.shape[1])
    return layer, head, float(scores[layer, head])
