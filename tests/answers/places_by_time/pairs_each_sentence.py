# right


def places_by_time(add_positions, x):
    batch, length, _ = x.shape
    whole = add_positions(x.clone())
    for b in range(batch):
        if (add_positions(x[b : b + 1].clone())[0] - whole[b]).abs().max() > 1e-5:
            return False
        same = x[b : b + 1, -1:].repeat(1, length, 1)
        y = add_positions(same)[0]
        for i in range(length):
            for j in range(i):
                if (y[i] - y[j]).abs().max() < 1e-5:
                    return False
    return True
