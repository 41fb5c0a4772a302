"""What the columns of each kind of data are called in the files people have: the table of known names.

Names are compared without regard to case and surrounding blanks. Of several families the first whose
names are all there is taken. Columns with other names are named by the user: `columns=("title", "body")`.
"""

from __future__ import annotations

from dataclasses import dataclass

QUERY_DOCUMENT = frozenset({"query", "document", "passage", "question", "answer", "doc"})
"""Column names that say which role a text has."""

PAIR_FAMILIES = (
    ("sentence1", "sentence2"),
    ("sentence_1", "sentence_2"),
    ("sentence_a", "sentence_b"),
    ("text1", "text2"),
    ("text_a", "text_b"),
    ("question1", "question2"),
    ("first", "second"),
    ("premise", "hypothesis"),
    ("query", "document"),
    ("query", "passage"),
    ("query", "answer"),
    ("question", "answer"),
    ("question", "passage"),
    ("query", "positive"),
    ("anchor", "positive"),
    ("title", "body"),
    ("source", "target"),
    ("s1", "s2"),
)
TRIPLE_FAMILIES = (
    ("anchor", "positive", "negative"),
    ("premise", "entailment", "contradiction"),
    ("query", "positive", "negative"),
    ("sent0", "sent1", "hard_neg"),
)
TEXT_FAMILIES = (
    ("text",),
    ("sentence",),
    ("texts",),
    ("sentences",),
    ("content",),
    ("document",),
    ("passage",),
    ("body",),
)
RANKED_FAMILIES = (
    ("query", "document"),
    ("query", "passage"),
    ("query", "candidate"),
    ("query", "doc"),
    ("query", "text"),
    ("query", "answer"),
    ("question", "answer"),
    ("question", "passage"),
    ("sentence1", "sentence2"),
)
SCORE_NAMES = (
    "score",
    "scores",
    "similarity",
    "similarity_score",
    "relatedness_score",
    "gold_score",
    "rating",
)
LABEL_NAMES = ("label", "labels", "gold_label", "is_duplicate", "class", "entailment_judgment", "category")
RELEVANCE_NAMES = ("relevance", "rel", "grade", "label", "score")
GROUP_NAMES = ("subset", "group")


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One kind of data: how many texts a row has, whether a value, and the names they go by."""

    name: str
    fields: tuple[str, ...]
    families: tuple[tuple[str, ...], ...]
    values: tuple[str, ...] = ()

    @property
    def width(self) -> int:
        """How many columns a row needs: its texts, and its value when it has one."""
        return len(self.fields) + bool(self.values)

    @property
    def known(self) -> frozenset[str]:
        """Every column name this kind knows."""
        return frozenset(name for family in self.families for name in family).union(self.values, GROUP_NAMES)


SENTENCES = Kind(name="sentences", fields=("text",), families=TEXT_FAMILIES)
LABELLED_SENTENCES = Kind(
    name="labelled sentences", fields=("text",), families=TEXT_FAMILIES, values=LABEL_NAMES
)
PAIRS = Kind(name="pairs", fields=("first", "second"), families=PAIR_FAMILIES)
SCORED_PAIRS = Kind(
    name="scored pairs", fields=("first", "second"), families=PAIR_FAMILIES, values=SCORE_NAMES
)
LABELLED_PAIRS = Kind(
    name="labelled pairs", fields=("first", "second"), families=PAIR_FAMILIES, values=LABEL_NAMES
)
TRIPLES = Kind(name="triples", fields=("anchor", "positive", "negative"), families=TRIPLE_FAMILIES)
RANKED_LISTS = Kind(
    name="ranked lists", fields=("query", "candidate"), families=RANKED_FAMILIES, values=RELEVANCE_NAMES
)
