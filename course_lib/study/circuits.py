"""What a head can read and write, from its parameters alone: its circuits.

Follows Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits". A head's score of
query i and key j, before the scale, and what it adds to the residual stream are

    score_ij = x_i^T (W_Q^T W_K) x_j          the QK circuit: where it looks
    output_i = sum_j weight_ij (W_O W_V) x_j  the OV circuit: what it copies, and to where

Both matrices are (d_model, d_model). They act on what the layer reads, so where a norm stands
before the layer, its linear part belongs to them. Biases are left out: that of the keys moves all
scores of a query alike, that of the queries favours the same keys for every query, and those of
the values and the output add the same vector to every output.
All results are without gradients, in the dtype and on the device of the parameters.
"""

import torch
from torch import nn

from course_lib.attention.multi_head import MultiHeadAttention
from course_lib.validation.layer_inputs import check_positive


@torch.no_grad()
def linear_part(norm: nn.LayerNorm | nn.RMSNorm) -> torch.Tensor:
    """Return the matrix of a norm, (d_model, d_model), without its division and its bias.

    LayerNorm subtracts the mean, then multiplies by its gains; RMSNorm multiplies only. The
    division between is one positive number for each token, which turns no vector. A norm without
    gains has no dtype of its own: its matrix is in float64, on the CPU.

    Raises:
        TypeError: ``norm`` is neither of them.
    """
    if not isinstance(norm, nn.LayerNorm | nn.RMSNorm):
        raise TypeError(f"norm must be LayerNorm or RMSNorm, got {type(norm).__name__}")
    size, gain = norm.normalized_shape[-1], norm.weight
    matrix = torch.eye(size, dtype=torch.float64)
    if isinstance(norm, nn.LayerNorm):
        matrix = matrix - 1 / size
    return matrix if gain is None else gain[:, None] * matrix.to(gain)


@torch.no_grad()
def qk_circuit(
    attention: MultiHeadAttention,
    head: int,
    *,
    norm: nn.LayerNorm | nn.RMSNorm | None = None,
    distance: int = 0,
) -> torch.Tensor:
    """Return W_Q^T W_K of one head: a row for each feature of the query, a column for the key's.

    Args:
        attention: with ``num_kv_heads``, neighbouring heads share a W_K.
        head: its number, from 0.
        norm: the norm through which the layer reads, if there is one.
        distance: how far the key stands before the query. With rotary positions each distance has
            a circuit of its own; without them it changes nothing.

    Returns:
        (d_model, d_model), the QK circuit of Elhage et al. 2021.

    Raises:
        TypeError: ``attention`` is no ``MultiHeadAttention``, or ``norm`` is no norm.
        ValueError: there is no such head, or the distance is negative.
    """
    rows, kv_rows = rows_of_head(attention, head)
    if distance < 0:
        raise ValueError(f"distance must not be negative, got {distance}")
    w_query, w_key = attention.q_proj.weight[rows], attention.k_proj.weight[kv_rows]
    if attention.rotary is not None and distance:  # each column is turned as a query would be
        columns = w_query.T.unsqueeze(-2)  # (d_model, 1, head_dim)
        w_query = attention.rotary(columns, offset=distance).squeeze(-2).T
    return _through(norm, w_query).T @ _through(norm, w_key)


@torch.no_grad()
def ov_circuit(
    attention: MultiHeadAttention, head: int, *, norm: nn.LayerNorm | nn.RMSNorm | None = None
) -> torch.Tensor:
    """Return W_O W_V of one head: from what it reads (columns) to what it adds (rows).

    Args:
        attention: with ``num_kv_heads``, neighbouring heads share a W_V, and not a W_O.
        head, norm: as in ``qk_circuit``.

    Returns:
        (d_model, d_model), of rank head_dim at most: the OV circuit of Elhage et al. 2021.

    Raises:
        TypeError, ValueError: as ``qk_circuit``.
    """
    rows, kv_rows = rows_of_head(attention, head)
    w_value, w_out = attention.v_proj.weight[kv_rows], attention.out_proj.weight[:, rows]
    return w_out @ _through(norm, w_value)


def composition_score(later: torch.Tensor, earlier: torch.Tensor) -> torch.Tensor:
    """Return ||later earlier||_F / (||later||_F ||earlier||_F): how much one reads of the other.

    Elhage et al. 2021. It is 0 where the later matrix reads nothing of what the earlier one writes,
    and 1 where both have rank 1 and their directions agree. For two matrices of random directions,
    its square is 1 / d_model on average (``random_composition``).

    Args:
        later: (..., n, d_model); the QK circuit of a head for K-composition, its transpose for
            Q-composition, and the OV circuit for V-composition.
        earlier: (..., d_model, m), the OV circuit of an earlier head.

    Returns:
        (...), from 0 to 1; NaN where a matrix is 0.

    Raises:
        ValueError: the shapes do not fit together.
    """
    if later.dim() < 2 or earlier.dim() < 2 or later.shape[-1] != earlier.shape[-2]:
        raise ValueError(
            "later must be (..., n, d_model) and earlier (..., d_model, m), "
            f"got {tuple(later.shape)} and {tuple(earlier.shape)}"
        )
    product = torch.linalg.matrix_norm(later @ earlier)
    return product / (torch.linalg.matrix_norm(later) * torch.linalg.matrix_norm(earlier))


def composition_scores(
    later: MultiHeadAttention, earlier: MultiHeadAttention
) -> dict[str, torch.Tensor]:
    """Return how much each head of a layer reads of each head of an earlier one, in three ways.

    Returns:
        "Q", "K" and "V": through its queries, keys and values, (heads of later, heads of earlier)
        each. With rotary positions the later circuit is that of distance 0.

    Raises:
        TypeError, ValueError: a layer is no ``MultiHeadAttention``, or their sizes differ.
    """
    _check_attention("later", later)
    _check_attention("earlier", earlier)
    if later.d_model != earlier.d_model:
        raise ValueError(
            f"earlier must have the d_model {later.d_model} of later, got {earlier.d_model}"
        )
    written = torch.stack([ov_circuit(earlier, head) for head in range(earlier.num_heads)])
    qk = torch.stack([qk_circuit(later, head) for head in range(later.num_heads)])
    ov = torch.stack([ov_circuit(later, head) for head in range(later.num_heads)])
    readers = {"Q": qk.transpose(-2, -1), "K": qk, "V": ov}  # (heads, d_model, d_model) each
    return {name: composition_score(reader[:, None], written) for name, reader in readers.items()}


def random_composition(
    later: torch.Tensor, earlier: torch.Tensor, draws: int, *, generator: torch.Generator
) -> torch.Tensor:
    """Return the composition scores of the same two matrices when their directions do not agree.

    Each draw turns what the earlier one writes by another random rotation of all d_model features
    (uniform over the orthogonal matrices). Both keep their rank and singular values. The mean of
    the squared scores is 1 / d_model.

    Args:
        later, earlier: (n, d_model) and (d_model, m).
        draws: how many scores, (draws,), are returned.
        generator: on the CPU.

    Raises:
        TypeError, ValueError: ``draws`` is no positive integer, or the shapes do not fit together.
    """
    check_positive(draws=draws)
    d_model = earlier.shape[-2]
    normal = torch.randn(draws, d_model, d_model, generator=generator, dtype=torch.float64)
    q, r = torch.linalg.qr(normal)
    turns = q * r.diagonal(dim1=-2, dim2=-1).sign().unsqueeze(-2)  # without it, not uniform
    return composition_score(later, turns.to(earlier) @ earlier)


def copying_score(circuit: torch.Tensor) -> float:
    """Return the sum of the eigenvalues over the sum of their sizes: 1 where a head copies.

    The circuit is (n, n), such as the full OV circuit W_U W_O W_V W_E, from each token read, the
    columns, to each token's logit, the rows. A head that raises the token which it reads has
    positive eigenvalues; one that does the opposite has a score of -1, and a random matrix near 0.

    Raises:
        ValueError: the matrix is not square, or all its eigenvalues are 0.
    """
    if circuit.dim() != 2 or circuit.shape[0] != circuit.shape[1]:
        raise ValueError(f"circuit must be a square matrix, got {tuple(circuit.shape)}")
    eigenvalues = torch.linalg.eigvals(circuit.cpu().double())
    sizes = eigenvalues.abs().sum()
    if sizes == 0:
        raise ValueError("circuit must have an eigenvalue that is not 0, got none")
    return (eigenvalues.real.sum() / sizes).item()


def _check_attention(name: str, attention: MultiHeadAttention) -> None:
    if not isinstance(attention, MultiHeadAttention):
        raise TypeError(f"{name} must be MultiHeadAttention, got {type(attention).__name__}")


def rows_of_head(attention: MultiHeadAttention, head: int) -> tuple[slice, slice]:
    """Return the rows of W_Q (and columns of W_O) of a head, and its rows of W_K and W_V.

    Raises:
        TypeError, ValueError: ``attention`` is no ``MultiHeadAttention``, or has no such head.
    """
    _check_attention("attention", attention)
    num_heads, head_dim = attention.num_heads, attention.head_dim
    if not 0 <= head < num_heads:
        raise ValueError(f"head must be between 0 and {num_heads - 1}, got {head}")
    kv_head = head // (num_heads // attention.num_kv_heads)
    rows, kv_rows = (slice(h * head_dim, (h + 1) * head_dim) for h in (head, kv_head))
    return rows, kv_rows


def _through(norm: nn.LayerNorm | nn.RMSNorm | None, matrix: torch.Tensor) -> torch.Tensor:
    return matrix if norm is None else matrix @ linear_part(norm).to(matrix)
