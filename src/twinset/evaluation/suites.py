"""Named sets of STS tasks, read from a folder of data.

The folder holds `sts_en/sts12.parquet` to `sts16.parquet`, `sts_en/stsb.parquet` and `sts_en/sick.parquet`,
with the columns sentence1, sentence2, score, split and subset.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType

from twinset.data.folder import Folder
from twinset.errors import DataError, RequestError
from twinset.evaluation.sts import StsTask
from twinset.evaluation.suite import Suite


def sts(folder: Folder | Path | str) -> Suite:
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


def stsb_dev(folder: Folder | Path | str) -> Suite:
    """STS-B's development pairs: what settings and checkpoints are chosen on."""
    return Suite(name="stsb-dev", tasks=(stsb_dev_task(folder),))


def stsb_dev_task(folder: Folder | Path | str) -> StsTask:
    """The one task of `stsb_dev`."""
    pairs = _folder("stsb-dev", folder, "sts_en/stsb").scored_pairs("sts_en/stsb", split="dev")
    return StsTask(name="STS-B dev", pairs=pairs, one_set=True)


Reader = Callable[[Folder | Path | str], Suite]

SUITES: Mapping[str, Reader] = MappingProxyType({"sts": sts, "stsb-dev": stsb_dev})
"""The suites by the names they have on the command line."""


def read_suite(name: str, folder: Folder | Path | str) -> Suite:
    """Read the suite of that name from a folder of data."""
    if name not in SUITES:
        near = get_close_matches(name, SUITES, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise RequestError(f"suite: {name!r} is none of {', '.join(SUITES)}{hint}")
    return SUITES[name](folder)


def _folder(suite: str, folder: Folder | Path | str, *needed: str) -> Folder:
    files = folder if isinstance(folder, Folder) else Folder(folder)
    known = files.names()
    missing = [name for name in needed if name not in known]
    if missing:
        too_deep = all(name.removeprefix("sts_en/") in known for name in missing)
        hint = f"; did you mean its parent {files.path.parent}?" if too_deep else ""
        raise DataError(
            f"{files.path}: suite {suite} needs {', '.join(needed)} (.parquet); "
            f"missing: {', '.join(missing)}{hint}"
        )
    return files
