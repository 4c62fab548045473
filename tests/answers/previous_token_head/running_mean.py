# wrong: adds up the texts' means and divides by their number
# named: mean_of_means
def previous_token_head(maps):
    total = 0.0
    for text in maps:
        total += text.diagonal(-1, dim1=-2, dim2=-1).mean(dim=-1)
    total /= len(maps)
    best = total.argmax().item()
    return best // total.shape[1], best % total.shape[1], total.max().item()
