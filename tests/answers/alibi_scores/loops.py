# right
def alibi_scores(scores, slopes):
    _, heads, query_len, key_len = scores.shape
    biased = scores.clone()
    for h in range(heads):
        for i in range(query_len):
            for j in range(key_len):
                place = key_len - query_len + i
                biased[:, h, i, j] = scores[:, h, i, j] - slopes[h] * abs(place - j)
    return biased
