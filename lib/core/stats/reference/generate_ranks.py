"""Writes ranks.json: the ranks that data allow, from every pair of groups, by NumPy and SciPy.

Usage: python generate_ranks.py > ranks.json   (needs numpy and scipy)

Each pair: the larger p of a t test (Agresti and Min's where most tasks tie and fewer than ten differ) and of the exact sign-flip
test. A pair is told apart where p is below 0.05 over the number of other groups, and that bounds the ranks: 1 for each group that
no other one is clearly better than.
"""

import itertools

import numpy
from scipy import stats

from frame import write


def flip(differences: numpy.ndarray) -> float:
    """Two-sided p of the sign-flip test over every pattern, by the distribution of the sum of whole sixths."""
    steps = numpy.rint(numpy.abs(differences) * 6).astype(int)
    assert numpy.allclose(steps / 6, numpy.abs(differences))
    chances = {0: 1.0}
    for step in steps[steps > 0]:
        following: dict[int, float] = {}
        for total, chance in chances.items():
            for sign in (-step, step):
                following[total + sign] = following.get(total + sign, 0.0) + chance / 2
        chances = following
    observed = abs(int(numpy.rint(differences.sum() * 6)))
    return min(1.0, sum(chance for total, chance in chances.items() if abs(total) >= observed))


def two_sided(differences: numpy.ndarray) -> float | None:
    n = len(differences)
    if n < 2:
        return None
    if numpy.ptp(differences) < 1e-9:
        # All the same: 0, or the largest difference of two shares; of anything else a spread is unknown.
        return flip(differences) if abs(abs(differences[0]) - 0.5) > 0.499 else None
    differing = int(numpy.sum(numpy.abs(differences) > 1e-12))
    if differing < min(10, n / 2):
        mean = differences.sum() / (n + 2)
        largest = numpy.abs(differences).max()
        error = numpy.sqrt((((differences**2).sum() + largest**2) / (n + 2) - mean**2) / (n + 2))
        p = 2 * stats.t.sf(abs(mean / error), n - 1)
    else:
        p = stats.ttest_rel(differences, numpy.zeros(n)).pvalue
    return max(float(p), flip(differences))


def rank(groups: list[dict]) -> dict:
    pairs = 0
    low, high = [1] * len(groups), [len(groups)] * len(groups)
    for a, b in itertools.combinations(range(len(groups)), 2):
        common = sorted(set(groups[a]) & set(groups[b]))
        if not common:
            continue
        differences = numpy.array([numpy.mean(groups[a][task]) - numpy.mean(groups[b][task]) for task in common])
        p = two_sided(differences)
        if p is None:
            continue
        pairs += 1
        total = differences.sum()
        if p < 0.05 / (len(groups) - 1) and abs(total) > 1e-9:
            better, worse = (a, b) if total > 0 else (b, a)
            low[worse] += 1
            high[better] -= 1
    return {"low": low, "high": high, "pairs": pairs}


def make_cases() -> list[dict]:
    generator = numpy.random.default_rng(20251114)
    cases = []
    for n_groups, n_tasks, attempts, share in [
        (2, 30, 1, 1.0),
        (5, 20, 1, 1.0),
        (10, 20, 1, 1.0),
        (8, 60, 3, 1.0),
        (11, 114, 3, 0.9),
        (6, 40, 2, 0.5),
        (4, 3, 2, 0.6),
        (24, 80, 1, 1.0),
        (3, 12, 1, 1.0),
    ]:
        difficulty = generator.normal(0, 1.2, n_tasks)
        strength = numpy.linspace(-1.4, 2.2, n_groups)[generator.permutation(n_groups)]
        groups = []
        for one in strength:
            solved = generator.random((n_tasks, attempts)) < (1 / (1 + numpy.exp(-(one - difficulty))))[:, None]
            seen = generator.random(n_tasks) < share
            groups.append({f"t{task}": [int(x) for x in solved[task]] for task in range(n_tasks) if seen[task]})
        cases.append({"groups": groups, **rank(groups)})
    # Everything apart, nothing apart, nothing in common.
    apart = [{f"t{task}": [int(task < 10 * level)] for task in range(40)} for level in range(5)]
    equal = [{f"t{task}": [1] for task in range(9)}] * 3
    strangers = [{f"{group}-{task}": [task % 2] for task in range(9)} for group in range(3)]
    few = [{f"t{task}": [int(task < passed)] for task in range(60)} for passed in (0, 6, 12, 60)]
    return cases + [{"groups": groups, **rank(groups)} for groups in (apart, equal, strangers, few)]


write(
    ["numpy", "scipy"],
    cases=make_cases(),
)
