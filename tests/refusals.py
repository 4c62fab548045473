"""What a call refuses: the error that it raises, and the words of it."""

import pytest


def refuses(error, words, call, *arguments, **options):
    """The call raises this error, and its text has these words in it (a regular expression)."""
    with pytest.raises(error, match=words):
        call(*arguments, **options)
