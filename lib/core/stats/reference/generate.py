"""Writes reference.json: figures computed by SciPy and statsmodels, with the versions they were computed on.

Usage: python generate.py > reference.json   (needs scipy and statsmodels)
"""

import numpy
import statsmodels.api
from scipy import stats

from frame import write

T_DEGREES = [1, 2, 3, 4, 5, 7, 10, 19, 23, 30, 59, 88, 120, 444, 1000, 99999]
T_LEVELS = [0.001, 0.025, 0.05, 0.2, 0.4, 0.5, 0.6, 0.8, 0.9, 0.95, 0.975, 0.995, 0.9999]
BETA_LEVELS = [0.001, 0.025, 0.05, 0.5, 0.95, 0.975, 0.999]
BETA_SHAPES = [
    (1, 1), (1, 5), (5, 1), (2, 3), (3, 2), (1, 89), (89, 1), (0.5, 0.5), (0.5, 20.5), (12.5, 0.5),
    (10, 15), (100, 20), (20, 100), (445, 1), (350, 96), (1500, 500), (5000, 5001), (3, 2000),
]
NORMAL_LEVELS = [1e-12, 1e-6, 0.001, 0.025, 0.05, 0.2, 0.4, 0.5, 0.6, 0.8, 0.9, 0.95, 0.975, 0.995, 0.999999]
# Tenths as they are written: numpy's own even edges have 0.30000000000000004 among them.
EDGES = [index / 10 for index in range(11)]


RATES = [(0, 5), (5, 5), (1, 1), (3, 10), (89, 120), (1, 445), (400, 445)]


def make_groups() -> list[list[list[float]]]:
    """Groups of tasks with unequal numbers of attempts, fractional and binary."""
    generator = numpy.random.default_rng(7)
    groups = []
    for n_tasks, binary in [(5, True), (24, True), (24, False), (80, True)]:
        rates = generator.beta(0.7, 0.5, n_tasks)
        sizes = generator.integers(1, 6, n_tasks)
        groups.append([
            [float(generator.random() < rate) if binary else round(float(generator.random() * rate), 3) for _ in range(size)]
            for rate, size in zip(rates, sizes)
        ])
    return groups


def describe_group(tasks: list[list[float]]) -> dict:
    values = numpy.array([value for task in tasks for value in task])
    clusters = numpy.array([index for index, task in enumerate(tasks) for _ in task])
    fit = statsmodels.api.OLS(values, numpy.ones_like(values)).fit(
        cov_type="cluster", cov_kwds={"groups": clusters}, use_t=True
    )
    low, high = fit.conf_int(0.05)[0]
    macro = stats.ttest_1samp([numpy.mean(task) for task in tasks], 0).confidence_interval(0.95)
    return {
        "tasks": tasks,
        "mean": float(fit.params[0]),
        "standardError": float(fit.bse[0]),
        "low": float(low),
        "high": float(high),
        "macroLow": float(macro.low),
        "macroHigh": float(macro.high),
    }


def describe_rate(count: int, n: int) -> dict:
    wilson = stats.binomtest(count, n).proportion_ci(0.95, "wilson")
    exact = stats.binomtest(count, n).proportion_ci(0.95, "exact")
    return {
        "count": count,
        "n": n,
        "wilson": {"low": float(wilson.low), "high": float(wilson.high)},
        "exact": {"low": float(exact.low), "high": float(exact.high)},
    }


def describe_pair(first: list[float], second: list[float]) -> dict:
    test = stats.ttest_rel(first, second)
    interval = test.confidence_interval(0.95)
    flips = stats.permutation_test(
        (first, second), lambda x, y: numpy.mean(x - y), permutation_type="samples", n_resamples=numpy.inf, vectorized=False
    )
    return {
        "first": first,
        "second": second,
        "low": float(interval.low),
        "high": float(interval.high),
        "p": float(flips.pvalue),
        "correlation": float(numpy.corrcoef(first, second)[0, 1]),
    }


def make_pairs() -> list[dict]:
    generator = numpy.random.default_rng(11)
    return [
        describe_pair(
            [int(x) / 5 for x in generator.integers(1, 6, size)], [int(x) / 5 for x in generator.integers(0, 6, size)]
        )
        for size in (4, 9, 14)
    ]


def make_columns() -> list[list[float | None]]:
    """Shares of trials in three dimensions, with gaps, ends and edges of bins among them."""
    generator = numpy.random.default_rng(23)
    base = generator.random(60)
    columns = [
        [round(float(value), 3) for value in base],
        [round(float(value), 1) for value in (base + generator.random(60)) / 2],
        [float(value) for value in generator.random(60) < base],
    ]
    return [[None if generator.random() < 0.1 else value for value in column] for column in columns]


def describe_columns(columns: list[list[float | None]]) -> dict:
    pairs = []
    for first in range(len(columns)):
        for second in range(first + 1, len(columns)):
            stated = [(a, b) for a, b in zip(columns[first], columns[second]) if a is not None and b is not None]
            x, y = zip(*stated)
            pairs.append({"first": first, "second": second, "n": len(stated), "r": float(stats.pearsonr(x, y).statistic)})
    counts = [
        [int(count) for count in numpy.histogram([value for value in column if value is not None], EDGES)[0]]
        for column in columns
    ]
    return {"columns": columns, "pairs": pairs, "counts": counts}


write(
    ["numpy", "scipy", "statsmodels"],
    t=[{"p": p, "df": df, "value": float(stats.t.ppf(p, df))} for df in T_DEGREES for p in T_LEVELS],
    beta=[
        {"p": p, "a": a, "b": b, "value": float(stats.beta.ppf(p, a, b))} for a, b in BETA_SHAPES for p in BETA_LEVELS
    ],
    normal=[{"p": p, "value": float(stats.norm.ppf(p))} for p in NORMAL_LEVELS],
    rates=[describe_rate(count, n) for count, n in RATES],
    groups=[describe_group(tasks) for tasks in make_groups()],
    pairs=make_pairs(),
    dimensions=describe_columns(make_columns()),
)
