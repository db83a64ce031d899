"""Writes means.json: standard errors by statsmodels, intervals by SciPy.

Usage: python generate_means.py > means.json   (needs scipy and statsmodels)
"""

import numpy
import statsmodels.api
from scipy import stats
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import DescrStatsW

from frame import write


def make_groups() -> list[dict]:
    generator = numpy.random.default_rng(51)
    cases = []
    while len(cases) < 60:
        n_tasks = int(generator.choice([2, 5, 20, 80]))
        sizes = generator.integers(2, 7, n_tasks)
        rates = generator.beta(0.7, 0.5, n_tasks)
        binary = len(cases) % 2 == 0
        tasks = [
            [float(generator.random() < rate) if binary else round(float(generator.random() * rate), 3) for _ in range(size)]
            for rate, size in zip(rates, sizes)
        ]
        within = [numpy.var(task, ddof=1) / len(task) for task in tasks]
        values = numpy.concatenate(tasks)
        if sum(within) == 0 or values.std() == 0:
            continue
        clusters = numpy.repeat(numpy.arange(n_tasks), sizes)
        fit = statsmodels.api.OLS(values, numpy.ones_like(values)).fit(cov_type="cluster", cov_kwds={"groups": clusters})
        df = sum(within) ** 2 / sum(v**2 / (size - 1) for v, size in zip(within, sizes))
        macro = float(numpy.mean([numpy.mean(task) for task in tasks]))
        low, high = stats.t.interval(0.95, df, loc=macro, scale=sum(within) ** 0.5 / n_tasks)
        # For 0 and 1 with few of either: statsmodels' Wilson for as many independent trials, with t for the normal.
        rate, error = float(values.mean()), float(fit.bse[0])
        few_events = None
        if binary and error > 1e-9:
            effective = min(len(values), rate * (1 - rate) / error**2)
            if min(rate, 1 - rate) * effective < 15:
                alpha = 2 * stats.norm.sf(stats.t.ppf(0.975, n_tasks - 1))
                low_wilson, high_wilson = proportion_confint(rate * effective, effective, alpha, "wilson")
                # No further in than the exact one-sided limits, nor than tasks without any of either would reach.
                reach = 1 - 0.05 ** (1 / n_tasks)
                passes, fails = rate * effective, (1 - rate) * effective
                few_events = [
                    float(min(low_wilson, stats.beta.ppf(0.05, passes, fails + 1), 1 - reach)),
                    float(max(high_wilson, stats.beta.ppf(0.95, passes + 1, fails), reach)),
                ]
        cases.append({
            "fewEvents": few_events,
            "tasks": tasks,
            "naive": float(DescrStatsW(values).std_mean),
            "clustered": float(fit.bse[0]),
            "low": float(low),
            "high": float(high),
            "df": float(df),
        })
    return cases


write(
    ["numpy", "scipy", "statsmodels"],
    groups=make_groups(),
)
