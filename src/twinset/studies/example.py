"""A study file to begin with: every field that one may want, with a line on what it means."""

from __future__ import annotations

from twinset.studies.toml_value import toml_value

_TEXT = """\
# A study of twinset: twinset study FILE
# Every variant is trained with every seed and scored; each is then compared with the baseline.
# Paths are as seen from where twinset is started. Called again, a study goes on where it was stopped.

baseline = "simcse"    # the variant that all others are held against; without it, the first
seeds = 5              # how many, from first_seed on, or which: [0, 1, 2]; fewer than 3 give no verdict
first_seed = 0
processes = "auto"     # cells trained at a time; auto: as many as there are cores and memory for
threads = "auto"       # of each
models = "keep"        # drop: trained encoders go once they are scored

[base]                 # what all variants share, as in a run file; or: base = "run.toml"
encoder = "mini"

[base.data]
train = {train}
dev = "data"           # checkpoints are picked on it: scored pairs, or a folder with sts_en/stsb in it

[test]                 # what is scored, and never chosen on
suite = "sts"          # with the folder of its data; or: files = ["pairs.csv"]
data = "data"

[[variant]]
name = "simcse"
recipe = "simcse"      # a recipe by its name, in place of the base's

[[variant]]
name = "consert"
recipe = "consert"
set = ["recipe.objective.temperature=0.05"]    # any field of a run file
tried = 1              # settings that were looked at on dev before these were chosen

# Every combination of some fields: of a variant, or as [grid] of the base itself.
# [variant.grid]
# "recipe.learning_rate" = [1e-5, 5e-5]
# "recipe.batch_size" = [64, 128]

# A few seeds for all, chosen on dev; the best and the baseline then get the seeds above, never these.
# [screen]
# seeds = 2
# keep = 3
# first_seed = 1000
"""


def example(train: str) -> str:
    """The text of a study file that learns from `train`."""
    return _TEXT.replace("{train}", toml_value(train))
