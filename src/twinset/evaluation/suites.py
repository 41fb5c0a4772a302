"""Named sets of tasks, read from a folder of data.

sts, stsb-dev   sts_en/sts12 to sts16, sts_en/stsb, sts_en/sick: sentence1, sentence2, score, split, subset
pairs           pairs_en/mrpc: sentence1, sentence2, label, split
pairs-zh        zh/lcqmc: the same
ranking         pairs_en/trecqa_wang, semeval_cqa_a_xml, semeval_cqa_b_xml: the same, and rqid, qid
retrieval       retrieval/pfcc_s/queries, corpus and qrels
transfer        transfer/CR, MPQA, MR, SST, SUBJ, TREC: text, label; split and subset where they have them
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Literal

import numpy as np

from twinset.data.folder import Folder
from twinset.data.ranked import RankedLists
from twinset.errors import DataError, RequestError
from twinset.evaluation.pairs import PairTask
from twinset.evaluation.ranking import RankingTask
from twinset.evaluation.retrieval import RetrievalTask
from twinset.evaluation.sts import StsTask
from twinset.evaluation.suite import Suite
from twinset.evaluation.transfer import TransferTask

Place = Folder | Path | str

PFCC_TRAIN = 800
"""Of the 999 tweets, those that the published experiments train on; the others are their test set."""


def sts(folder: Place) -> Suite:
    """The seven English tasks that papers average: STS 2012 to 2016, STS-B test, SICK-R test.

    STS13 is without its SMT subset, whose licence keeps it out, as in every paper that reports it.
    """
    years = range(12, 17)
    files = _folder("sts", folder, *(f"sts_en/sts{year}" for year in years), "sts_en/stsb", "sts_en/sick")
    yearly = [
        StsTask(name=f"STS{year}", pairs=files.scored_pairs(f"sts_en/sts{year}", split="test"))
        for year in years
    ]
    # Neither benchmark is averaged over parts in print: STS-B's genres are shown and do not weigh.
    stsb = StsTask(name="STS-B", pairs=files.scored_pairs("sts_en/stsb", split="test"), one_set=True)
    sick = StsTask(name="SICK-R", pairs=files.scored_pairs("sts_en/sick", split="test"), one_set=True)
    return Suite(name="sts", tasks=(*yearly, stsb, sick))


def stsb_dev(folder: Place) -> Suite:
    """STS-B's development pairs: what settings and checkpoints are chosen on."""
    return Suite(name="stsb-dev", tasks=(stsb_dev_task(folder),))


def stsb_dev_task(folder: Place) -> StsTask:
    """The one task of `stsb_dev`."""
    pairs = _folder("stsb-dev", folder, "sts_en/stsb").scored_pairs("sts_en/stsb", split="dev")
    return StsTask(name="STS-B dev", pairs=pairs, one_set=True)


def pairs(folder: Place) -> Suite:
    """Paraphrases: the Microsoft Research corpus, its threshold chosen on dev."""
    return Suite(name="pairs", tasks=(_pairs("pairs", folder, "MRPC", "pairs_en/mrpc"),))


def pairs_zh(folder: Place) -> Suite:
    """Chinese questions that ask the same: LCQMC, its threshold chosen on dev."""
    return Suite(name="pairs-zh", tasks=(_pairs("pairs-zh", folder, "LCQMC", "zh/lcqmc"),))


def ranking(folder: Place) -> Suite:
    """Each question's own answers: TREC QA (Wang et al. 2007) test; SemEval's community questions, tasks A
    (comments; Good ones are right) and B (related questions; all but Irrelevant ones are), dev.

    Questions without a right answer are left out; those with right ones only are kept.
    """
    names = ("pairs_en/trecqa_wang", "pairs_en/semeval_cqa_a_xml", "pairs_en/semeval_cqa_b_xml")
    files = _folder("ranking", folder, *names)
    trec = files.ranked_lists(names[0], split="test")
    comments = files.labelled_pairs(names[1], split="dev", groups="rqid")
    related = files.labelled_pairs(names[2], split="dev", groups="qid")
    return Suite(
        name="ranking",
        tasks=(
            RankingTask(name="TREC-QA", lists=trec),
            RankingTask(name="CQA-A dev", lists=RankedLists.of_labels(comments, ("Good",))),
            RankingTask(name="CQA-B dev", lists=RankedLists.of_labels(related, ("PerfectMatch", "Relevant"))),
        ),
    )


def retrieval(folder: Place, *, split: Literal["train", "test"] = "test") -> Suite:
    """Tweets and the claims that fact-checkers have checked before (PFCC, Snopes part): the last 199 tweets
    for `test`, the first 800 for `train`, against all claims."""
    parts = [f"retrieval/pfcc_s/{part}" for part in ("queries", "corpus", "qrels")]
    whole = _folder("retrieval", folder, *parts).collection("retrieval/pfcc_s")
    rows = np.arange(len(whole.queries))
    kept = rows[PFCC_TRAIN:] if split == "test" else rows[:PFCC_TRAIN]
    task = RetrievalTask(
        name="PFCC-S" if split == "test" else "PFCC-S train", collection=whole.take_queries(kept)
    )
    return Suite(name="retrieval", tasks=(task,))


def transfer(folder: Place) -> Suite:
    """SentEval's sentence classes: CR, MPQA, MR and SUBJ in ten folds, SST-2 and TREC by their own splits.

    MRPC, SentEval's seventh, is in `pairs`.
    """
    whole = ("CR", "MPQA", "MR", "SUBJ")
    files = _folder("transfer", folder, *(f"transfer/{name}" for name in (*whole, "SST", "TREC")))
    by_folds = [TransferTask(name=name, train=files.labelled_sentences(f"transfer/{name}")) for name in whole]
    train, dev, test = (
        files.labelled_sentences("transfer/SST", split=part, subset="sst2")
        for part in ("train", "dev", "test")
    )
    known = files.labelled_sentences("transfer/TREC", split="train")
    asked = files.labelled_sentences("transfer/TREC", split="test", labels=known.label_names)
    split = (
        TransferTask(name="SST2", train=train, dev=dev, test=test),
        TransferTask(name="TREC", train=known, test=asked),
    )
    return Suite(name="transfer", tasks=(*by_folds, *split))


Reader = Callable[[Place], Suite]

SUITES: Mapping[str, Reader] = MappingProxyType(
    {
        "sts": sts,
        "stsb-dev": stsb_dev,
        "pairs": pairs,
        "pairs-zh": pairs_zh,
        "ranking": ranking,
        "retrieval": retrieval,
        "transfer": transfer,
    }
)
"""The suites by the names they have on the command line."""


def read_suite(name: str, folder: Place) -> Suite:
    """Read the suite of that name from a folder of data."""
    if name not in SUITES:
        near = get_close_matches(name, SUITES, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise RequestError(f"suite: {name!r} is none of {', '.join(SUITES)}{hint}")
    return SUITES[name](folder)


def _pairs(suite: str, folder: Place, name: str, file: str) -> PairTask:
    files = _folder(suite, folder, file)
    dev, test = (files.labelled_pairs(file, split=split, labels=("0", "1")) for split in ("dev", "test"))
    return PairTask(name=name, pairs=test, dev=dev)


def _folder(suite: str, folder: Place, *needed: str) -> Folder:
    files = folder if isinstance(folder, Folder) else Folder(folder)
    known = files.names()
    missing = [name for name in needed if name not in known]
    if missing:
        too_deep = all(name.partition("/")[2] in known for name in missing)
        hint = f"; did you mean its parent {files.path.parent}?" if too_deep else ""
        raise DataError(
            f"{files.path}: suite {suite} needs {', '.join(needed)} (.parquet); "
            f"missing: {', '.join(missing)}{hint}"
        )
    return files
