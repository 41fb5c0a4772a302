"""The demo's words: what was done, what came out, what it shows and what it does not."""

from __future__ import annotations

from twinset.demo.nearest import Hit
from twinset.demo.retrieval import chance
from twinset.demo.story import RUN, TEXTS, OwnText, Story

_SHOWN = 3
_CHANCE = 0.05
_OWN_LIMITS = (
    "Nobody has said which of these are right, so this shows that something changed, not that it is\n"
    "better. With scored pairs, evaluate says: twinset evaluate MODEL --file pairs.csv"
)


def told(story: Story) -> str:
    """The built-in story, for people."""
    known = sum(len(topic.known) for topic in story.topics)
    count = len(story.topics)
    parts = [
        f"A small library's help desk has {known} old questions on {count} topics. Nobody labelled them.",
        _learned(story),
        f"Then {count} new questions looked for an old one on the same topic:",
        _table(story),
        _verdict(story),
        "Three searches, with the first answer before and after:",
        _examples(story),
        _limits(count),
        _next_library(story),
    ]
    return "\n\n".join(parts)


def told_own(story: OwnText) -> str:
    """The reader's own texts, for people."""
    parts = [
        f"{story.source}: {story.texts:,} texts, {story.updates:,} updates in {story.seconds:.0f} s.",
        "The nearest texts to some of yours, before and after:",
        *(
            "\n".join(
                [_line(each.text), "  before", *map(_hit, each.before), "  after", *map(_hit, each.after)]
            )
            for each in story.looked_at
        ),
        _OWN_LIMITS,
        _next(story),
    ]
    return "\n\n".join(parts)


def facts(story: Story) -> dict[str, object]:
    """The built-in story, for machines."""
    sides = {
        name: {"hits_at_1": side.hits / len(side.ranks), "mrr": side.mrr, "ranks": list(side.ranks)}
        for name, side in (("before", story.before), ("after", story.after))
    }
    return {
        "questions": len(story.topics),
        **sides,
        "better": story.better,
        "worse": story.worse,
        "sign_test_p": chance(story.better, story.worse),
        "updates": story.updates,
        "seconds": story.seconds,
        "model": str(story.folder / RUN / "model"),
    }


def facts_own(story: OwnText) -> dict[str, object]:
    """The reader's own texts, for machines."""
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


def _learned(story: Story) -> str:
    return (
        f"twinset went over them with SimCSE ({story.updates} updates, {story.seconds:.0f} s): each\n"
        "question is a pair with itself under another dropout mask, all others are pushed away."
    )


def _limits(count: int) -> str:
    return (
        "What this shows: texts without labels can move an encoder. What it does not: how much.\n"
        f"{count} questions are few (one is {100 / count:.0f} points), they are made up, and how often to\n"
        "go over so little text was tried out on these same questions."
    )


def _table(story: Story) -> str:
    rows = [f"  {'':22}{'before':>9}{'after':>9}"]
    count = len(story.topics)
    hits = (f"{side.hits} of {count}" for side in (story.before, story.after))
    rows.append(f"  {'first answer is right':22}{next(hits):>9}{next(hits):>9}")
    rows.append(f"  {'mean reciprocal rank':22}{story.before.mrr:>9.3f}{story.after.mrr:>9.3f}")
    return "\n".join(rows)


def _verdict(story: Story) -> str:
    gained = story.after.mrr - story.before.mrr
    moved = f"{story.better} of the new questions moved up, {story.worse} down"
    odds = chance(story.better, story.worse)
    coin = f"A coin falls at least as unevenly in {100 * odds:.0f} of 100 tries"
    proof = "so it is no proof" if odds > _CHANCE else "so it is hardly chance"
    outcome = "It got better" if gained > 0 else "It did not get better"
    return f"{outcome}: {moved}. {coin}, {proof}."


def _examples(story: Story) -> str:
    """Those whose first right answer moved most, up or down: where there is something to see."""
    moves = [abs(1 / new - 1 / old) for old, new in zip(story.before.ranks, story.after.ranks, strict=True)]
    chosen = sorted(range(len(moves)), key=lambda place: -moves[place])[:_SHOWN]
    lines: list[str] = []
    for place in chosen:
        lines.append(f'  "{story.topics[place].asked}"')
        for name, side in (("before", story.before), ("after", story.after)):
            right = (
                "right"
                if side.ranks[place] == 1
                else f"wrong; the first right one is number {side.ranks[place]}"
            )
            lines.append(f"    {name:6}  {side.nearest[place]}  ({right})")
    return "\n".join(lines)


def _line(text: str) -> str:
    """A text on one line, cut where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= 100 else line[:99] + "…"


def _hit(hit: Hit) -> str:
    return f"    {hit.score:.3f}  {_line(hit.text)}"


def _next_library(story: Story) -> str:
    model = story.folder / RUN
    return "\n".join(
        [
            "Look for yourself:",
            f'  twinset search {model} {story.folder / TEXTS} "my card is gone"',
            "The same on your own texts, one a line (a few thousand is a good start):",
            "  twinset demo --text your-texts.txt",
            "  twinset init --recipe simcse --data your-texts.txt > run.toml",
            "  twinset train run.toml --out runs/first",
        ]
    )


def _next(story: OwnText) -> str:
    model = story.folder / RUN
    return "\n".join(
        [
            "Go on:",
            f"  twinset search {model} {story.source}",
            f"  twinset init --recipe simcse --data {story.source} > run.toml",
            "  twinset train run.toml --out runs/first",
        ]
    )
