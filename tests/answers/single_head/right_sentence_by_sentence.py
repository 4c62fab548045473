# right

import torch


def single_head(x, w_query, w_key, w_value):
    if x.dim() > 2:
        pairs = [single_head(sentence, w_query, w_key, w_value) for sentence in x]
        return torch.stack([p[0] for p in pairs]), torch.stack([p[1] for p in pairs])
    outputs, rows = [], []
    for token in x:
        query = w_query @ token
        scores = torch.stack([query @ (w_key @ other) for other in x]) / len(query) ** 0.5
        rows.append(torch.softmax(scores, dim=0))
        outputs.append(sum(w * (w_value @ other) for w, other in zip(rows[-1], x)))
    return torch.stack(outputs), torch.stack(rows)
