"""What a docstring says: its summary, its description, and what it points to under "See Also".

The summary is the first sentence of the first paragraph, the description what follows it there, or the next
paragraph of prose before any section. Sections are those of numpydoc (a line underlined with - or =) and
Google ("Args:").
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from twinset.demo.plain import plain

_UNDERLINE = re.compile(r"\s*([-=~])\1{2,}\s*$")
_GOOGLE = re.compile(
    r"(args|arguments|attributes?|examples?|keyword arguments|keyword args|notes?|parameters|params|raises"
    r"|references|returns?|see also|usage|warnings?|warns|yields?|shape|inputs?|outputs?)\s*:{1,2}\s*$",
    re.IGNORECASE,
)
_NO_PROSE = re.compile(r"\s*(>>>|\.\. |[-*+] |\d+[.)] |:\w+|@|\||\+--|```|\$\$|#|Read more in )")
_SENTENCE = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\bcf)(?<!\betc)[.!?](?=\s+[A-Z\"'(`:*])")
_SIGNATURE = re.compile(r"[\w.]+\(.*\)(\s*->.*)?$")
_COLON = re.compile(r"\s*:(?=\s|$)")  # not one of :func:`name`
_REFERENCE = re.compile(r":\w+:`~?([\w.]+)`")
_LISTED = re.compile(r"`?~?([A-Za-z_][\w.]*)`?(?:\(\))?$")
_LEAST_SUMMARY, _LEAST_DESCRIPTION = 3, 6
_MOST = 60


@dataclass(frozen=True, kw_only=True)
class Told:
    """Plain text, 60 words at most. `description` may be empty; `see_also` are names as they are written."""

    summary: str
    description: str
    see_also: tuple[str, ...]


def told_by(docstring: str) -> Told | None:
    """None where there is no summary of three words at least."""
    lines = docstring.splitlines()
    paragraphs = _paragraphs(_before_sections(lines))
    if paragraphs and _SIGNATURE.match(" ".join(paragraphs[0]).strip()):
        del paragraphs[0]
    if not paragraphs or not _is_prose(paragraphs[0]):
        return None
    first = _joined(paragraphs[0])
    end = _SENTENCE.search(first)
    summary = plain(first if end is None else first[: end.end()])
    if len(summary.split()) < _LEAST_SUMMARY:
        return None
    rest = [] if end is None else [first[end.end() :]]
    further = [*rest, *(_joined(each) for each in paragraphs[1:] if _is_prose(each))]
    description = next((text for text in map(plain, further) if len(text.split()) >= _LEAST_DESCRIPTION), "")
    return Told(summary=_cut(summary), description=_cut(description), see_also=_see_also(lines))


def _before_sections(lines: list[str]) -> list[str]:
    for number, line in enumerate(lines):
        underlined = number + 1 < len(lines) and _UNDERLINE.match(lines[number + 1])
        if (line.strip() and underlined) or _GOOGLE.match(line.strip()):
            return lines[:number]
    return lines


def _paragraphs(lines: list[str]) -> list[list[str]]:
    paragraphs: list[list[str]] = [[]]
    for line in lines:
        if line.strip():
            paragraphs[-1].append(line)
        elif paragraphs[-1]:
            paragraphs.append([])
    return [paragraph for paragraph in paragraphs if paragraph]


def _is_prose(paragraph: list[str]) -> bool:
    """No code, list, table or directive, and not indented, as what belongs to one of these is."""
    return not _NO_PROSE.match(paragraph[0]) and not paragraph[0].startswith((" ", "\t"))


def _joined(paragraph: list[str]) -> str:
    return " ".join(line.strip() for line in paragraph)


def _cut(text: str) -> str:
    return " ".join(text.split()[:_MOST])


def _see_also(lines: list[str]) -> tuple[str, ...]:
    """The names listed in the section "See Also": `name : text`, or several names with commas between."""
    found: list[str] = []
    for line in _section(lines, "see also"):
        if line.startswith((" ", "\t")):
            continue  # goes on with the text of the name above
        for part in _COLON.split(line, maxsplit=1)[0].split(","):
            match = _REFERENCE.match(part.strip()) or _LISTED.match(part.strip())
            if match is not None:
                found.append(match[1].strip("."))
    return tuple(dict.fromkeys(found))


def _section(lines: list[str], title: str) -> list[str]:
    """The lines of an underlined section, up to the next one."""
    for number, line in enumerate(lines[:-1]):
        if line.strip().lower() == title and _UNDERLINE.match(lines[number + 1]):
            rest = lines[number + 2 :]
            ends = (place for place in range(len(rest) - 1) if _UNDERLINE.match(rest[place + 1]))
            return [line for line in rest[: next(ends, len(rest))] if line.strip()]
    return []
