# outcome: submission_error
"""Uses a package that is installed and not allowed."""
import scipy.special


def softmax(x, axis=-1):
    return scipy.special.softmax(x, axis)
