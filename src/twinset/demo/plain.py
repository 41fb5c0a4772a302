"""From reStructuredText and Markdown in one line of text to plain words."""

from __future__ import annotations

import re

_STEPS = (
    (re.compile(r":math:`[^`]*`|\$[^$]*\$"), " "),
    (re.compile(r":[\w:+-]+:`([^`<]*?)\s*<[^`]*>`"), r"\1"),  # :ref:`words <target>`
    (re.compile(r":[\w:+-]+:`[~!]?([^`]*)`"), r"\1"),  # :func:`name`
    (re.compile(r"`([^`<]*?)\s*<[^`>]*>`_*"), r"\1"),  # `words <address>`_
    (re.compile(r"!?\[([^\]]*)\]\([^)]*\)"), r"\1"),  # [words](address)
    (re.compile(r"\[\w+\]_"), " "),  # [1]_
    (re.compile(r"https?://\S+"), " "),
    (re.compile(r"`+_*|\*+"), ""),
    (re.compile(r"::(?=\s|$)"), ":"),
    (re.compile(r"\s+"), " "),
)


def plain(text: str) -> str:
    """The words without their markup.

    >>> plain("Like :func:`~numpy.dot`, but *faster*; see `the guide <https://a.b>`_ [1]_.")
    'Like numpy.dot, but faster; see the guide .'
    """
    for pattern, instead in _STEPS:
        text = pattern.sub(instead, text)
    return text.strip()
