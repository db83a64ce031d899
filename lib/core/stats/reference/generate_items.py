"""Writes items.json: item-rest correlations with their intervals, chances that two attempts end alike, and fences of costs.

Usage: python generate_items.py > items.json   (needs numpy and scipy)

Correlations by `scipy.stats.pearsonr`, of which the interval is Fisher's; chances by counting all pairs of attempts.
"""

import itertools

import numpy
from scipy.stats import pearsonr

from frame import write


def make_tables() -> list[dict]:
    generator = numpy.random.default_rng(77)
    cases = []
    for n_runs, n_tasks, n_attempts, missing in [(11, 12, 3, 0.0), (6, 20, 1, 0.0), (24, 30, 5, 0.1), (9, 8, 2, 0.35), (4, 5, 1, 0.0)]:
        skill = generator.normal(0, 1.2, n_runs)
        difficulty = generator.normal(0, 1.5, n_tasks)
        chance = 1 / (1 + numpy.exp(difficulty[None, :] - skill[:, None]))
        shares = generator.binomial(n_attempts, chance) / n_attempts
        shares[:, 0] = 1.0
        shares[generator.random(shares.shape) < missing] = numpy.nan
        items = []
        for task in range(n_tasks):
            others = numpy.delete(shares, task, axis=1)
            tried = ~numpy.isnan(shares[:, task])
            covered = (~numpy.isnan(shares)).sum(axis=1) >= max(2, n_tasks / 2)
            rows = tried & covered
            own, rest = shares[rows, task], numpy.nanmean(others[rows], axis=1)
            item = {"n": int(rows.sum()), "leftOut": int((tried & ~covered).sum()), "r": None, "low": None, "high": None}
            if len(own) >= 3 and numpy.ptp(own) > 0 and numpy.ptp(rest) > 1e-9:
                result = pearsonr(own, rest)
                item["r"] = float(result.statistic)
                if len(own) > 3 and abs(result.statistic) < 1:
                    low, high = result.confidence_interval(0.95)
                    item["low"], item["high"] = float(low), float(high)
            items.append(item)
        table = [[None if numpy.isnan(x) else float(x) for x in row] for row in shares]
        cases.append({"runs": table, "items": items})
    return cases


def make_pairs() -> list[dict]:
    cases = []
    for counts in [[(3, 1), (3, 3)], [(6, 3)], [(2, 1)], [(5, 4), (2, 2), (7, 0), (1, 1)]]:
        chances = []
        for n, c in counts:
            attempts = [1] * c + [0] * (n - c)
            pairs = [a == b for a, b in itertools.combinations(attempts, 2)]
            if pairs:
                chances.append(numpy.mean(pairs))
        cases.append({"counts": [list(pair) for pair in counts], "chance": float(numpy.mean(chances)), "n": len(chances)})
    return cases


def make_fences() -> list[dict]:
    generator = numpy.random.default_rng(5)
    cases = []
    for n in (8, 20, 113):
        costs = numpy.exp(generator.normal(-2, 0.6, n))
        low, median, high = numpy.quantile(numpy.log(costs), [0.25, 0.5, 0.75])
        cases.append({"costs": [float(x) for x in costs], "median": float(numpy.exp(median)), "fence": float(numpy.exp(high + 1.5 * (high - low)))})
    return cases


write(
    ["numpy", "scipy"],
    tables=make_tables(),
    pairs=make_pairs(),
    fences=make_fences(),
)
