"""A study whose cells take a second, most of it to start a process."""

from __future__ import annotations

import random
from pathlib import Path

_THINGS = ("cat", "dog", "car", "printer", "password", "guitar", "onion", "fox", "park", "street")
_DOES = ("runs", "jumps", "sat", "works", "rain", "plays", "lost", "stands")


def write_data(folder: Path) -> None:
    """Texts to learn, pairs to choose by and two files of pairs to be scored on."""
    draw = random.Random(0)
    texts = [f"the {draw.choice(_THINGS)} {draw.choice(_DOES)} {number}" for number in range(48)]
    (folder / "texts.txt").write_text("\n".join(texts) + "\n", encoding="utf-8")
    for name, count in (("dev", 20), ("test", 70), ("more", 60)):
        rows = [f"{name} {number} {_pair(draw)}" for number in range(count)]
        lines = ["sentence1,sentence2,score", *rows]
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _pair(draw: random.Random) -> str:
    first = [draw.choice(_THINGS), draw.choice(_DOES), draw.choice(_THINGS)]
    kept = draw.randint(0, 3)
    second = [word if place < kept else draw.choice(_THINGS) for place, word in enumerate(first)]
    return f"{' '.join(first)},{draw.randint(0, 9999)} {' '.join(second)},{kept + draw.random():.2f}"


def study_text(data: Path, variants: str = "", head: str = "seeds = 2\n") -> str:
    """A study of tiny runs: 6 updates each, looked at every 2."""
    variants = variants or (
        '[[variant]]\nname = "plain"\n[[variant]]\nname = "hot"\nset = ["recipe.learning_rate=3e-2"]\n'
    )
    return f"""\
processes = 1
threads = 1
draws = 200
{head}
[base]
encoder = "{data / "tiny"}"
[base.data]
train = "{data / "texts.txt"}"
dev = "{data / "dev.csv"}"
[base.recipe]
batch_size = 16
epochs = 2
learning_rate = 1e-3
max_length = 16
precision = "fp32"
select = {{ every = 2 }}
[base.recording]
save_every = 1
[test]
files = ["{data / "test.csv"}", "{data / "more.csv"}"]
{variants}"""


HEAD = (
    '[base]\nencoder = "mini"\n[base.data]\ntrain = "x.txt"\ndev = "d.csv"\n[base.recipe]\nbatch_size = 32\n'
)
TEST = '[test]\nfiles = ["a.csv"]\n'


def variants_text(*entries: str) -> str:
    """A study over a base that names no file that is there."""
    return HEAD + TEST + "".join(f"[[variant]]\n{entry}\n" for entry in entries)
