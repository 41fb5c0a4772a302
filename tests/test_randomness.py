from __future__ import annotations

from itertools import product

import torch
from hypothesis import given
from hypothesis import strategies as st

from twinset.randomness import generator_of, seed_of


def test_a_seed_is_the_same_on_every_machine() -> None:
    # From `printf 0/dropout/3/1 | b2sum -l 64`, halved: another rule would break every resumed run.
    assert seed_of(0, "dropout", 3, 1) == 2709480209204253786


def test_every_place_and_every_run_draws_its_own() -> None:
    seeds = {
        seed_of(seed, place, step, chunk)
        for seed, place, step, chunk in product(range(5), ("views", "dropout"), range(20), range(5))
    }
    assert len(seeds) == 5 * 2 * 20 * 5


@given(st.integers(), st.text(max_size=10), st.integers())
def test_fits_into_63_bits(seed: int, place: str, step: int) -> None:
    assert 0 <= seed_of(seed, place, step) < 2**63


def test_generators_by_address() -> None:
    first, again, other = (
        torch.rand(4, generator=generator_of(seed, "views", 7)).tolist() for seed in (1, 1, 2)
    )
    assert first == again != other


def test_leaves_the_global_generator_alone() -> None:
    before = torch.get_rng_state()
    torch.rand(3, generator=generator_of(0, "views"))
    assert torch.equal(torch.get_rng_state(), before)
