"""The program behind `Engine(processes=...)`: an encoder comes in, then windows of texts; vectors go out."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from typing import BinaryIO, cast

import torch

from twinset.encoder.encode import Pass, Truncated, forward
from twinset.errors import TwinsetError


def serve(source: BinaryIO, target: BinaryIO) -> None:
    """Until there is nothing more to read."""
    run, device, threads = cast("tuple[Pass, str, int]", pickle.load(source))  # noqa: S301 - who started this
    torch.set_num_threads(threads)
    run.backbone.to(device)
    budget, count = run.budget(), Truncated(run.max_length)
    while True:
        try:
            window = pickle.load(source)  # noqa: S301
        except EOFError:
            return
        try:
            cut = count.cut
            vectors = run.block(window, forward, budget, count)
            answer: object = (vectors, len(window), count.cut - cut)
        except TwinsetError as error:
            answer = error
        pickle.dump(answer, target, protocol=pickle.HIGHEST_PROTOCOL)
        target.flush()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this one ends it
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever is printed must not mix with the vectors
    serve(sys.stdin.buffer, out)
