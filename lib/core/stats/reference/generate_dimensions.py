"""Writes dimensions.json: pooled dimensions, their paired differences and shares of loss by NumPy and SciPy.

Usage: python generate_dimensions.py > dimensions.json   (needs numpy and scipy)
"""

import numpy
from scipy import stats

from frame import write

GROUPS = 3


def describe_group(tasks: list[list[float | None]]) -> dict:
    """Mean of all known values with the error of clusters, written out: C / (C - 1) times the squared sums of deviations."""
    known = [[value for value in task if value is not None] for task in tasks]
    known = [task for task in known if task]
    values = numpy.concatenate(known)
    mean = values.mean()
    n_tasks = len(known)
    sums = numpy.array([(numpy.array(task) - mean).sum() for task in known])
    error = float(numpy.sqrt(n_tasks / (n_tasks - 1) * (sums**2).sum()) / len(values))
    low, high = stats.t.interval(0.95, n_tasks - 1, loc=mean, scale=error)
    return {"mean": float(mean), "low": max(0.0, float(low)), "high": min(1.0, float(high)), "n": len(values)}


def describe_pair(first: list[list[float | None]], second: list[list[float | None]], level: float) -> dict:
    means = [
        [numpy.mean([value for value in task if value is not None]) for task in tasks]
        for tasks in (first, second)
    ]
    interval = stats.ttest_rel(*means).confidence_interval(level)
    return {
        "difference": float(numpy.mean(means[0]) - numpy.mean(means[1])),
        "low": float(interval.low),
        "high": float(interval.high),
    }


def make_dimensions() -> list[dict]:
    generator = numpy.random.default_rng(20251114)
    dimensions = []
    for index, n_tasks in enumerate((30, 18, 12, 24)):
        ease = generator.beta(2, 2, n_tasks)
        groups = []
        for group in range(GROUPS):
            shift = generator.normal(0.12 * (1 - group), 0.08, n_tasks)
            tasks = []
            for task in range(n_tasks):
                values = numpy.clip(ease[task] + shift[task] + generator.normal(0, 0.1, 3), 0, 1)
                # A trial in ten does not state the dimension; the first of a task always does.
                tasks.append([
                    None if at > 0 and generator.random() < 0.1 else round(float(value), 4)
                    for at, value in enumerate(values)
                ])
            groups.append(tasks)
        dimensions.append({"name": f"d{index}", "groups": groups})
    level = 1 - 0.05 / len(dimensions)
    for dimension in dimensions:
        groups = dimension["groups"]
        dimension["expected"] = [describe_group(tasks) for tasks in groups]
        dimension["pair"] = describe_pair(groups[0], groups[1], level)
    return dimensions


def make_losses() -> dict:
    generator = numpy.random.default_rng(5)
    names = ["a", "b", "c"]
    weights = generator.integers(1, 5, (40, 3)).astype(float)
    shares = numpy.round(generator.random((40, 3)), 3)
    lost = (weights / weights.sum(axis=1, keepdims=True) * (1 - shares)).sum(axis=0)
    rewards = (weights * shares).sum(axis=1) / weights.sum(axis=1)
    assert abs(lost.sum() - (1 - rewards).sum()) < 1e-12
    return {
        "trials": [
            [{"name": name, "share": float(share), "weight": float(weight)} for name, share, weight in zip(names, s, w)]
            for s, w in zip(shares, weights)
        ],
        "expected": {name: float(share) for name, share in zip(names, lost / lost.sum())},
    }


write(
    ["numpy", "scipy"],
    dimensions=make_dimensions(),
    losses=make_losses(),
)
