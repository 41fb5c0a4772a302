"""What came out on the reader's own texts, for people and for machines."""

from __future__ import annotations

from shlex import quote

from twinset.demo.folder import RUN
from twinset.demo.nearest import Hit
from twinset.demo.one_line import one_line
from twinset.demo.own import OwnText

_LIMITS = (
    "Nobody has said which of these are right, so this shows that something changed, not that it is\n"
    "better. With scored pairs, evaluate says: twinset evaluate MODEL --file pairs.csv"
)


def told_own(story: OwnText) -> str:
    """For people."""
    parts = [
        f"{story.source}: {story.texts:,} texts, {story.updates:,} updates in {story.seconds:.0f} s.",
        "The nearest texts to some of yours, before and after:",
        *(
            "\n".join(
                [one_line(each.text), "  before", *map(_hit, each.before), "  after", *map(_hit, each.after)]
            )
            for each in story.looked_at
        ),
        _LIMITS,
        _next(story),
    ]
    return "\n\n".join(parts)


def facts_own(story: OwnText) -> dict[str, object]:
    """For machines."""
    looked_at = [
        {
            "text": each.text,
            "before": [vars(hit) for hit in each.before],
            "after": [vars(hit) for hit in each.after],
        }
        for each in story.looked_at
    ]
    return {
        "texts": story.texts,
        "neighbours": looked_at,
        "updates": story.updates,
        "seconds": story.seconds,
        "model": str(story.folder / RUN / "model"),
    }


def _hit(hit: Hit) -> str:
    return f"    {hit.score:.3f}  {one_line(hit.text)}"


def _next(story: OwnText) -> str:
    source = quote(str(story.source))
    return "\n".join(
        [
            "Go on:",
            f"  twinset search {quote(str(story.folder / RUN))} {source}",
            f"  twinset init --recipe simcse --data {source} > run.toml",
            "  twinset train run.toml --out runs/first",
        ]
    )
