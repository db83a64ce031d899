"""Writes reference.json: a list of trials, labels of some, and what follows from them of their verifier.

Usage: python generate_reference.py > reference.json   (needs numpy, scipy and statsmodels)

Every label is a row with a weight of its own. The score is a weighted mean of rows, its limits those of the strata's Wilson
intervals (statsmodels) narrowed by the finite population; rates are ratios of weighted rows with linearised variances.
"""

import json
import sys

import numpy
from scipy.special import expit, logit
from scipy.stats import norm
from statsmodels.stats.proportion import proportion_confint

Z = norm.ppf(0.975)


def make_trials(generator):
    trials = []
    for job in (1, 2):
        for agent, rate in (("orca", 0.7), ("lamp", 0.45)):
            for number in range(90 if job == 1 else 60):
                family = ["repair", "build", "data"][number % 3]
                passed = bool(generator.random() < rate - (0.2 if family == "data" else 0))
                human = bool(generator.random() < (0.93 if passed else 0.16))
                trials.append({"job": job, "key": f"{agent}-{number}", "agent": agent, "family": family,
                               "passed": passed, "human": human, "state": "undrawn"})
    return trials


def draw(generator, trials):
    """Two queues: the first samples 24 of each stratum and is partly judged, the second 6 of the unjudged trials."""
    for agent in ("orca", "lamp"):
        for passed in (True, False):
            own = [trial for trial in trials if trial["agent"] == agent and trial["passed"] is passed]
            order = generator.permutation(len(own))
            for place, at in enumerate(order[:24]):
                own[at]["queue"] = 1
                own[at]["state"] = "label" if place < 17 else "defer" if place == 17 else "todo"
            rest = [trial for trial in own if trial["state"] in ("undrawn", "todo")]
            for at in generator.permutation(len(rest))[:6]:
                rest[at]["queue"] = 2 if rest[at]["state"] == "undrawn" else 1
                rest[at]["second"] = True
                rest[at]["state"] = "label"
    # Hand-picked failures of one family.
    for trial in [trial for trial in trials if trial["state"] == "undrawn" and trial["family"] == "data"][:7]:
        trial["state"] = "by-hand"


def strata_of(trials):
    labels = [trial for trial in trials if trial["state"] == "label"]
    strata = []
    for agent in sorted({trial["agent"] for trial in trials}):
        for passed in (True, False):
            size = sum(trial["agent"] == agent and trial["passed"] is passed for trial in trials)
            rows = [trial for trial in labels if trial["agent"] == agent and trial["passed"] is passed]
            strata.append((agent, passed, size, rows))
    return strata


def correct(trials):
    strata = strata_of(trials)
    total = sum(size for _, _, size, _ in strata)
    score, below, above = 0.0, [], []
    for _, _, size, rows in strata:
        n, k = len(rows), sum(row["human"] for row in rows)
        low, high = proportion_confint(k, n, method="wilson")
        narrow = numpy.sqrt((size - n) / (size - 1))
        score += sum(size / n * row["human"] for row in rows) / total
        below.append(size / total * narrow * (k / n - low))
        above.append(size / total * narrow * (high - k / n))
    observed = numpy.mean([trial["passed"] for trial in trials])
    return {"observed": float(observed), "corrected": float(score),
            "low": float(score - numpy.linalg.norm(below)), "high": float(score + numpy.linalg.norm(above)),
            "nLabels": sum(len(rows) for _, _, _, rows in strata)}


RATES = {
    # Which rows are in the denominator, which of them count, and which verdicts are looked at.
    "tpr": (lambda row: row["human"], lambda row: row["passed"], (True, False)),
    "tnr": (lambda row: not row["human"], lambda row: not row["passed"], (True, False)),
    "ppv": (lambda row: row["passed"], lambda row: row["human"], (True,)),
    "npv": (lambda row: not row["passed"], lambda row: not row["human"], (False,)),
}


def rate(trials, name, inside):
    is_in, is_right, verdicts = RATES[name]
    agents = {trial["agent"] for trial in trials if inside(trial)}
    strata = [stratum for stratum in strata_of(trials) if stratum[0] in agents and stratum[1] in verdicts]
    top = bottom = 0.0
    smooth = []
    for agent, passed, size, rows in strata:
        weight = size / len(rows)
        x = numpy.array([float(inside(row) and is_in(row)) for row in rows])
        y = numpy.array([float(inside(row) and is_in(row) and is_right(row)) for row in rows])
        top, bottom = top + weight * y.sum(), bottom + weight * x.sum()
        # Half a label more on each side that this verdict can be on, spread over its strata by trials.
        part = size / sum(other[2] for other in strata if other[1] is passed)
        sides = [(1.0, 1.0), (1.0, 0.0)] if len(verdicts) == 1 else [(1.0, 1.0) if is_right({"passed": passed}) else (1.0, 0.0)]
        counts = numpy.array([1.0] * len(rows) + [part / 2] * len(sides) + [part * (1 - len(sides) / 2)])
        x = numpy.array([*x, *(side[0] for side in sides), 0.0])
        y = numpy.array([*y, *(side[1] for side in sides), 0.0])
        smooth.append((size, counts, x, y))
    means = [(size, numpy.average(x, weights=counts), numpy.average(y, weights=counts)) for size, counts, x, y in smooth]
    total = sum(size * x for size, x, _ in means)
    centre = sum(size * y for size, _, y in means) / total
    variance = 0.0
    for size, counts, x, y in smooth:
        z = y - centre * x
        mean = numpy.average(z, weights=counts)
        variance += (size / total) ** 2 * numpy.average((z - mean) ** 2, weights=counts) / counts.sum()
    half = Z * numpy.sqrt(variance) / (centre * (1 - centre))
    value = top / bottom
    return {"rate": float(value), "low": float(min(value, expit(logit(centre) - half))),
            "high": float(max(value, expit(logit(centre) + half)))}


def weights(trials):
    cells = {}
    for _, passed, size, rows in strata_of(trials):
        for row in rows:
            cell = f"{'pass' if passed else 'fail'}-{'pass' if row['human'] else 'fail'}"
            cells[cell] = cells.get(cell, 0.0) + size / len(rows)
    return cells


def main():
    generator = numpy.random.default_rng(7)
    trials = make_trials(generator)
    draw(generator, trials)
    everything = lambda trial: True  # noqa: E731
    rows = {"all": everything}
    rows |= {f"job {job}": (lambda trial, job=job: trial["job"] == job) for job in (1, 2)}
    rows |= {f"family {name}": (lambda trial, name=name: trial["family"] == name) for name in ("repair", "build", "data")}
    ofAgent = {agent: [trial for trial in trials if trial["agent"] == agent] for agent in ("lamp", "orca")}
    ofGroup = [trial for trial in trials if trial["job"] == 1 and trial["agent"] == "orca"]
    json.dump({
        "trials": trials,
        "score": correct(trials),
        "agents": {agent: correct(own) for agent, own in ofAgent.items()},
        "group": correct(ofGroup),
        "weights": weights(trials),
        "rates": {label: {name: rate(trials, name, inside) for name in RATES} for label, inside in rows.items()}
        | {f"agent {agent}": {name: rate(own, name, everything) for name in RATES} for agent, own in ofAgent.items()},
    }, sys.stdout, indent=1)
    sys.stdout.write("\n")


main()
