# wrong: leaves out query 1, whose token before is the first of the text
# named: query_1_left_out
import torch


def previous_token_head(maps):
    found = [t.diagonal(-1, dim1=-2, dim2=-1)[..., 1:] for t in maps]
    scores = torch.cat(found, dim=-1).mean(-1)
    layer, head = divmod(int(scores.argmax()), scores.shape[1])
    return layer, head, float(scores[layer, head])
