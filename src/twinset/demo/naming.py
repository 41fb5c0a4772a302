"""A name in words: what a person would say who does not remember how it is written."""

from __future__ import annotations

import re

_HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z0-9])(?=[A-Z][a-z])|[_.\s]+")


def in_words(name: str) -> str:
    """A name in words.

    >>> in_words("read_csv"), in_words("HTTPResponse.getHeader"), in_words("Conv2d")
    ('read csv', 'http response get header', 'conv2d')
    """
    return " ".join(word.lower() for word in _HUMPS.split(name) if word)
