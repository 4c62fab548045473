# right
def head_claim():
    def score(weights, pieces):
        words = [piece.strip().lower() for piece in pieces]
        found = []
        for i, word in enumerate(words):
            earlier = [j for j in range(i) if words[j] == word]
            if earlier:
                found.append(weights[i, earlier].sum().item())
        return sum(found) / len(found) if found else 0.0

    return {
        "layer": 14,
        "head": 3,
        "claim": "It looks at the same word, where it stood before.",
        "score": score,
        "found": 0.78,
        "control": 0.51,
        "predicted": 0.7,
        "held": False,
    }
