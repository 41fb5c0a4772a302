"""Every objective through every step on seven architectures: how far do their gradients differ.

The scenes of the contract tests: three looks with every operator, dropout on, a queue, labels, scores,
references, weights of the objective's own; then with two encoders. Differences are measured against the
largest gradient, or against 1 where that is smaller.

    python -m benchmarks steps_agree --keep
"""

from __future__ import annotations

from dataclasses import replace

from benchmarks import record
from tests.encoder.tiny import ARCHITECTURES
from tests.objectives.hard_shapes import every_objective
from tests.training.steps.scenes import backbone, gradients, scene
from twinset.training.steps import Adversarial, Cached, Plain, Scene, Step

BUDGETS = (None, 33, 1)


def difference(first: Step, second: Step, played: Scene) -> float:
    """The largest of loss, vectors and gradients."""
    one, wanted = gradients(first, played)
    other, found = gradients(second, played)
    scale = max(1.0, *(float(value.abs().max()) for value in wanted.values()))
    apart = [float((wanted[name] - found[name]).abs().max()) / scale for name in wanted]
    views = zip(one.embedded.views, other.embedded.views, strict=True)
    vectors = [float((a - b).abs().max()) for a, b in views]
    return max(abs(float(one.loss.value - other.loss.value)), *vectors, *apart)


def of(architecture: str) -> dict[str, object]:
    """All objectives, steps, numbers of encoders and ways to cut a batch on one architecture."""
    found: list[float] = []
    encoder, second = backbone(architecture), backbone(architecture, seed=1)
    for objective in every_objective().values():
        one = scene(encoder, objective)
        for played in (one, replace(one, embedders=(encoder, second, encoder))):
            for budget in BUDGETS:
                cut = replace(played, chunk_tokens=budget)
                attacks = [
                    Adversarial(attack=objective, scale="token", inner=each) for each in (Plain(), Cached())
                ]
                found += [difference(Plain(), Cached(), cut), difference(*attacks, cut)]
    return {"architecture": architecture, "comparisons": len(found), "largest": max(found)}


def main(arguments: list[str]) -> int:
    """Exit code 1 if any two differ by more than 1e-5."""
    given = record.parser(__doc__).parse_args(arguments)
    rows = []
    for architecture in ARCHITECTURES:
        rows.append(of(architecture))
        print("{architecture:12} {comparisons:4} comparisons, at most {largest:.1e} apart".format(**rows[-1]))
    objectives = list(every_objective())
    record.keep("steps_agree", {"objectives": objectives, "rows": rows}, given)
    return int(max(float(str(row["largest"])) for row in rows) > 1e-5)
