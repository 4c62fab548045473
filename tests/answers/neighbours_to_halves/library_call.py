# wrong: calls the course's own conversion
# named: closed
from course_lib.attention import MultiHeadAttention
from course_lib.conversion import change_pairing
from course_lib.positions import RotaryEmbedding


def neighbours_to_halves(weight, num_heads):
    rows = weight.shape[0]
    rotary = RotaryEmbedding(rows // num_heads, pairing="interleaved")
    attention = MultiHeadAttention(rows, num_heads, rotary=rotary)
    attention.q_proj.weight.data = weight
    return change_pairing(attention, "halves").q_proj.weight
