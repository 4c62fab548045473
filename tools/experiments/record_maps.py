"""Store what every head of SmolLM2 does with a few sentences: make record X=real_maps.

A page without Python and a reader without a network can then show heads of a real model. The file
course_lib/data/recorded/real_maps.safetensors holds for each sentence the weights of all heads, in
float16, and only those that a causal head can have: the rows of the triangle, one after the other.
"""

import hashlib
import json

from tools.notebooks.notebook_files import ROOT

NAME = "real_maps"
FILE = ROOT / "course_lib" / "data" / "recorded" / f"{NAME}.safetensors"
SENTENCES = (
    "The bank by the river approved my loan",
    "The keys to the old cabinet are on the table",
    "When Mary and John went to the store, John gave a drink to",
    "The animal didn't cross the street because it was too tired",
    "red seven lamp cloud red seven lamp cloud",
)
# No lesson shows these: whoever says something of a head can be tested on them.
KEPT_ASIDE = (
    "My sister keeps two small boats near the old harbour",
    "After the rain stopped, the children ran outside",
    "The cook who won the prize opens his kitchen early",
    "glass nine horse paper glass nine horse paper",
)


def digest() -> str:
    """Of the sentences and the file of the model."""
    from course_lib.data.real_model import SMOLLM2

    parts = [*SENTENCES, "kept aside", *KEPT_ASIDE, SMOLLM2.sha256]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def stored_digest() -> str | None:
    """The digest of the stored file; None where there is none."""
    from safetensors import safe_open

    if not FILE.exists():
        return None
    with safe_open(FILE, "pt") as file:
        return json.loads(file.metadata()["about"])["digest"]


def record() -> None:
    import torch
    from safetensors.torch import save

    from course_lib.data.real_model import SMOLLM2, encode, load_smollm2

    torch.set_num_threads(1)
    model, tokenizer = load_smollm2()
    pieces, tensors = {}, {}
    for text in SENTENCES + KEPT_ASIDE:
        tokens, pieces[text] = encode(tokenizer, text)
        with torch.no_grad():
            _, weights = model(tokens, need_weights=True)
        rows, columns = torch.tril_indices(tokens.shape[1], tokens.shape[1])
        tensors[text] = torch.cat(weights)[..., rows, columns].half()  # (layers, heads, pairs)
    about = {
        "model": SMOLLM2.name,
        "model_sha256": SMOLLM2.sha256,
        "command": f"make record X={NAME}",
        "torch": torch.__version__.split("+")[0],
        "digest": digest(),
        "pieces": pieces,
        "kept_aside": KEPT_ASIDE,
    }
    FILE.write_bytes(save(tensors, {"about": json.dumps(about)}))
