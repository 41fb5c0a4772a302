"""What the fields of a run file mean, in a line each.

Parts that people add (objectives, views, batchings) say it in their docstrings, as "`rate`: the share that is
cut."; the table is for everything else.
"""

from __future__ import annotations

import inspect
import re
import sys

from twinset.recipes.fields import Entry, allowed, choices_of
from twinset.training.recipe import kind_of

_ABOUT = {
    "runfile.encoder": "mini, a folder, or a hub id",
    "runfile.seed": "decides every random draw of the run",
    "runfile.train": "file to learn from: .txt .csv .tsv .jsonl .parquet, each also .gz",
    "runfile.kind": "what a row is; auto looks at the columns",
    "runfile.columns": 'which columns, ["title", "body"], or positions from 0; none: by their usual names',
    "runfile.roles": '["query", "document"], one a column: the encoder\'s prompts; none: by their names',
    "runfile.split": "only rows whose column `split` says this; none: all",
    "runfile.limit": "only so many rows, from the start; none: all",
    "runfile.encoding": "of text files",
    "runfile.dev": "scored pairs to watch: a file, or a folder with sts_en/stsb; none: nothing",
    "runfile.dev_split": "only dev rows whose column `split` says this; none: all",
    "recipe.batch_size": "texts that meet in one update",
    "recipe.learning_rate": "the highest of the run; see recipe.schedule",
    "recipe.epochs": "passes over the data; fractions allowed",
    "recipe.steps": "updates, instead of epochs; none: by epochs",
    "recipe.max_length": "tokens a text is cut to while training; none: the encoder's own",
    "recipe.training_pooling": "of states into a vector, while training; none: the encoder's own",
    "recipe.evaluation_pooling": "of the finished encoder; none: the one it came with",
    "recipe.dropout": "the encoder's rate; 0: off; none: as its own settings say",
    "recipe.clip": "largest norm of the gradient; none: not clipped",
    "recipe.chunk_tokens": "tokens through the encoder at once, padding included; none: the whole batch",
    "recipe.precision": "number format; auto: bf16 where the processor has it",
    "recipe.compile": "compile the encoder's layers first (a minute); pays in long runs at most",
    "recipe.memory": "earlier batches as further candidates: a table [recipe.memory]; none: no",
    "record.log_every": "updates between two lines of log.jsonl",
    "record.save_every": "updates between two checkpoints",
    "record.tensorboard": "also write TensorBoard files",
    "record.progress": "show progress on the terminal",
    "record.token_cache": "tokens of large data, kept for later; auto: the cache folder; off; or a folder",
    "optimizer.betas": "averaging of gradients and of their squares",
    "optimizer.eps": "added to the denominator",
    "optimizer.weight_decay": "of matrices; biases and norms are spared",
    "optimizer.bias_correction": "Adam's own; false: as BERT and ConSERT were trained",
    "schedule.warmup": "a share of all updates when below 1, else a number of updates",
    "schedule.decay": "how the rate goes down after that",
    "select.every": "updates between two looks at dev; none: at the end of each epoch",
    "select.metric": "the score that decides; none: the first",
    "select.keep": "which weights the run ends with",
    "select.patience": "stop after so many looks without a gain; none: never",
    "select.pooling": "dev is scored with the pooling of training or of evaluation",
    "lagged.average": "0: the weights before the last update; else how slowly an average follows",
    "adversarial.attack": "the objective whose gradient disturbs the view",
    "adversarial.of": "number of the view that is disturbed, from 0",
    "adversarial.size": "length of the disturbance",
    "adversarial.scale": "token: each token's gradient has that length; raw: the gradient times it",
}
_USUALLY = {
    "temperature": "divides similarities; lower: the nearest candidates count more",
    "directions": "one: anchors look for candidates; both: also the other way round",
    "mask_duplicates": "equal texts in other rows are no negatives; the papers keep them (false)",
    "reduction": "mean as in the paper; the authors' code sums the two directions",
    "weight": "of this term in the sum",
}


def about(part: type, entry: Entry) -> str:
    """A line on one field of a part."""
    kind = kind_of(part)
    told = (
        _ABOUT.get(f"{kind}.{entry.name}")
        or _USUALLY.get(entry.name)
        or _from_docstring(part, entry.name)
        or allowed(entry.hint)
    )
    choices = choices_of(entry.hint)
    return f"{', '.join(choices)}: {told}" if choices else told


def heading(part: type) -> str:
    """What a part is: the first sentence of its file."""
    text = " ".join((sys.modules[part.__module__].__doc__ or part.__name__).split())
    text = re.sub(r" \(seed facts? [^)]*\)", "", text)  # a reference for those who read the code
    return re.split(r"(?<=[.:]) (?=[A-Z])|(?<=\.) |  ", text)[0].rstrip(".:")


def _from_docstring(part: type, name: str) -> str | None:
    text = " ".join((inspect.getdoc(part) or "").split())
    found = re.search(rf"(?<![\w.])`?{name}`?:? (?P<rest>.+?)(?:\.(?=\s|$)|$)", text)
    return found["rest"] if found else None
