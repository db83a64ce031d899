"""Writes strata.json: corrections by agent and verdict, and rates of a verifier from labels drawn by stratum.

Usage: python generate_strata.py > strata.json   (needs numpy, scipy, scikit-learn and statsmodels)

Rates by scikit-learn with weights. Their limits label by label: every label has its linearised value (Binder 1983), whose
variance is taken within each stratum; half a label more on each side is a pair of rows that count in part.
"""

import numpy
from scipy.special import expit, logit
from scipy.stats import norm
from sklearn.metrics import precision_score, recall_score
from statsmodels.stats.proportion import proportion_confint

from frame import write


def make_corrections() -> list[dict]:
    generator = numpy.random.default_rng(51)
    cases = []
    for _ in range(60):
        agents = []
        for _ in range(int(generator.integers(1, 6))):
            labelled = generator.integers(5, 40, 2)
            passed = generator.binomial(labelled, generator.choice([0.0, 0.1, 0.5, 0.9, 1.0], 2))
            sizes = labelled + generator.choice([0, 3, 400]) * generator.integers(0, 3, 2)
            agents.append({
                "sizes": [int(x) for x in sizes],
                "labels": [int(x) for x in [passed[0], labelled[0] - passed[0], passed[1], labelled[1] - passed[1]]],
            })
        n_trials = sum(sum(agent["sizes"]) for agent in agents)
        sizes = numpy.array([size for agent in agents for size in agent["sizes"]], dtype=float)
        passed = numpy.array([agent["labels"][place] for agent in agents for place in (0, 2)], dtype=float)
        labelled = numpy.array([sum(agent["labels"][place:place + 2]) for agent in agents for place in (0, 2)], dtype=float)
        rates = passed / labelled
        shares = sizes / n_trials
        unknown = (sizes - labelled) / (sizes - 1)
        low, high = proportion_confint(passed, labelled, 0.05, "wilson")
        corrected = float(shares @ rates)
        cases.append({
            "agents": agents,
            "corrected": corrected,
            "low": max(0.0, corrected - float(numpy.linalg.norm(shares * numpy.sqrt(unknown) * (rates - low)))),
            "high": min(1.0, corrected + float(numpy.linalg.norm(shares * numpy.sqrt(unknown) * (high - rates)))),
            "standardError": float(numpy.sqrt(numpy.sum(shares**2 * unknown * rates * (1 - rates) / labelled))),
        })
    return cases


def bound(rows: numpy.ndarray) -> list[float]:
    """Limits of a ratio. Columns: stratum, trials of the stratum, how much the row counts, right, wrong."""
    stratum, trials, count, right, wrong = rows.T
    labels = {one: count[stratum == one].sum() for one in numpy.unique(stratum)}
    weight = trials / numpy.array([labels[one] for one in stratum])
    size = numpy.sum(weight * count * (right + wrong))
    ratio = numpy.sum(weight * count * right) / size
    value = weight * (right - ratio * (right + wrong)) / size
    variance = 0.0
    for one, n in labels.items():
        inside = stratum == one
        mean = numpy.average(value[inside], weights=count[inside])
        variance += n * numpy.average((value[inside] - mean) ** 2, weights=count[inside])
    half = norm.ppf(0.975) * numpy.sqrt(variance) / (ratio * (1 - ratio))
    return [float(expit(logit(ratio) - half)), float(expit(logit(ratio) + half))]


def make_accuracies() -> list[dict]:
    generator = numpy.random.default_rng(52)
    cases = []
    while len(cases) < 40:
        n_agents = int(generator.integers(1, 6))
        # Of each agent: both, only verifier, only human, neither; first those asked about, then those outside.
        own = generator.integers(0, generator.choice([6, 30, 200]), (n_agents, 4))
        outside = generator.integers(0, 10, (n_agents, 4)) * generator.integers(0, 2)
        together = own + outside
        n_labels = numpy.stack([together[:, 0] + together[:, 1], together[:, 2] + together[:, 3]], axis=1)
        sums = own.sum(axis=0)
        if (n_labels == 0).any() or min(sums[0] + sums[1], sums[2] + sums[3], sums[0] + sums[2], sums[1] + sums[3]) == 0:
            continue
        population = n_labels + generator.integers(0, 900, (n_agents, 2))
        verifier = numpy.array([1, 1, 0, 0])
        human = numpy.array([1, 0, 1, 0])
        weights = numpy.repeat(population / n_labels, 2, axis=1)
        flat = {
            "y_true": numpy.tile(human, n_agents),
            "y_pred": numpy.tile(verifier, n_agents),
            "sample_weight": (weights * own).ravel(),
        }

        def limits(is_right, is_wrong, verdicts: list[int]) -> list[float]:
            rows = []
            for agent in range(n_agents):
                for verdict in verdicts:
                    name, trials = 2 * agent + verdict, population[agent, verdict]
                    for cell in (2 * verdict, 2 * verdict + 1):
                        right, wrong = is_right(cell), is_wrong(cell)
                        part = population[agent, verdict] / population[:, verdict].sum()
                        rows += [[name, trials, 1, right, wrong]] * int(own[agent, cell])
                        rows += [[name, trials, 1, 0, 0]] * int(outside[agent, cell])
                        rows.append([name, trials, part / 2, right, wrong])
            return bound(numpy.array(rows, dtype=float))

        cases.append({
            "own": own.tolist(),
            "outside": outside.tolist(),
            "population": population.tolist(),
            "weights": [float(x) for x in (weights * own).sum(axis=0)],
            "rates": [
                float(recall_score(**flat)),
                float(recall_score(**flat, pos_label=0)),
                float(precision_score(**flat)),
                float(precision_score(**flat, pos_label=0)),
            ],
            "limits": [
                limits(lambda cell: cell == 0, lambda cell: cell == 2, [0, 1]),
                limits(lambda cell: cell == 3, lambda cell: cell == 1, [0, 1]),
                limits(lambda cell: cell == 0, lambda cell: cell == 1, [0]),
                limits(lambda cell: cell == 3, lambda cell: cell == 2, [1]),
            ],
        })
    return cases


write(
    ["numpy", "scipy", "scikit-learn", "statsmodels"],
    corrections=make_corrections(),
    accuracies=make_accuracies(),
)
