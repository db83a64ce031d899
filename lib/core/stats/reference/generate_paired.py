"""Writes paired.json: McNemar, equivalence, power and intraclass correlation by SciPy and statsmodels.

Usage: python generate_paired.py > paired.json   (needs scipy and statsmodels)
"""

import numpy
from scipy import optimize, stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.power import NormalIndPower
from statsmodels.stats.weightstats import DescrStatsW, ttost_paired

from frame import write


def make_mcnemars() -> list[list[float]]:
    pairs = [(b, c) for b in range(0, 13) for c in range(0, 13)] + [(40, 60), (7, 200), (0, 89), (300, 310)]
    return [[b, c, float(mcnemar([[3, b], [c, 5]], exact=True).pvalue)] for b, c in pairs]


def make_equivalences() -> list[dict]:
    generator = numpy.random.default_rng(31)
    cases = []
    for n, repetitions in [(3, 10), (8, 10), (15, 10), (60, 2)]:
        for _ in range(repetitions):
            first = numpy.round(generator.beta(2, 1, n), 3)
            second = numpy.round(numpy.clip(first + generator.normal(0, 0.1, n), 0, 1), 3)
            low, high = DescrStatsW(first - second).tconfint_mean(0.1)
            # The margin at which SciPy-style TOST just reaches 0.05 is the larger end; either side of it is tried.
            margin = float(max(abs(low), abs(high)))
            cases.append({
                "first": first.tolist(),
                "second": second.tolist(),
                "low": float(low),
                "high": float(high),
                "margin": margin,
                "pInside": float(ttost_paired(first, second, -margin * 1.01, margin * 1.01)[0]),
                "pOutside": float(ttost_paired(first, second, -margin * 0.99, margin * 0.99)[0]),
            })
    return cases


def make_powers() -> list[dict]:
    solver = NormalIndPower()
    cases = []
    for between in [0, 0.01, 0.05]:
        for trial in [0.02, 0.08, 0.2]:
            for attempts in [1, 3, 5, 10]:
                for n in [20, 89, 400]:
                    for power in [0.8, 0.9]:
                        per_task = between + 2 * trial / attempts
                        effect = optimize.brentq(
                            lambda size: solver.power(size, n, 0.025, ratio=0, alternative="larger") - power,
                            0, 10, xtol=1e-15, rtol=1e-14,
                        )
                        cases.append({
                            "between": between,
                            "trial": trial,
                            "attempts": attempts,
                            "nTasks": n,
                            "power": power,
                            "difference": float(effect * per_task**0.5),
                        })
    return cases


def make_correlations() -> list[dict]:
    generator = numpy.random.default_rng(33)
    cases = []
    while len(cases) < 60:
        n_tasks = int(generator.choice([3, 10, 40]))
        sizes = generator.integers(2, 8, n_tasks) if len(cases) % 2 else numpy.full(n_tasks, 5)
        rates = generator.beta(0.6, 0.6, n_tasks)
        tasks = [(generator.random(size) < rate).astype(float) for size, rate in zip(sizes, rates)]
        if len({value for task in tasks for value in task}) < 2 or all(task.std() == 0 for task in tasks):
            continue
        f = float(stats.f_oneway(*tasks).statistic)
        total = int(sizes.sum())
        size = (total - float((sizes**2).sum()) / total) / (n_tasks - 1)
        within = sum(float(((task - task.mean()) ** 2).sum()) for task in tasks) / (total - n_tasks)
        alike = [
            numpy.mean([task[i] == task[j] for i in range(len(task)) for j in range(len(task)) if i != j])
            for task in tasks
        ]
        cases.append({
            "counts": [[len(task), int(task.sum())] for task in tasks],
            "correlation": (f - 1) / (f + size - 1),
            "within": within,
            "between": max(0.0, (f - 1) * within / size),
            "consistency": float(numpy.mean(alike)),
        })
    return cases


write(
    ["numpy", "scipy", "statsmodels"],
    mcnemar=make_mcnemars(),
    equivalence=make_equivalences(),
    power=make_powers(),
    correlations=make_correlations(),
)
