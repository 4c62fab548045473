# wrong: calls the course's own function
# named: closed
from course_lib.positions import sinusoidal_table


def sinusoidal_positions(length, d_model):
    return sinusoidal_table(length, d_model)
