"""Writes verifier.json: weighted recall by scikit-learn, limits by statsmodels.

Usage: python generate_verifier.py > verifier.json   (needs scikit-learn and statsmodels)
"""

import numpy
from sklearn.metrics import confusion_matrix, precision_score, recall_score
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from frame import write


def make_accuracies() -> list[dict]:
    generator = numpy.random.default_rng(41)
    cases = []
    while len(cases) < 60:
        cells = [int(x) for x in generator.integers(0, generator.choice([4, 20, 120]), 4)]
        both, only_verifier, only_human, neither = cells
        if both + only_verifier == 0 or only_human + neither == 0 or both + only_human == 0 or only_verifier + neither == 0:
            continue
        population = [int(both + only_verifier + generator.integers(0, 900)), int(only_human + neither + generator.integers(0, 900))]
        verifier = numpy.repeat([1, 1, 0, 0], cells)
        human = numpy.repeat([1, 0, 1, 0], cells)
        rates = [population[0] / (both + only_verifier), population[1] / (only_human + neither)]
        weights = numpy.where(verifier == 1, rates[0], rates[1])
        matrix = confusion_matrix(human, verifier, labels=[1, 0], sample_weight=weights)
        cases.append({
            "cells": cells,
            "population": population,
            "weights": [float(x) for x in [matrix[0, 0], matrix[1, 0], matrix[0, 1], matrix[1, 1]]],
            "tpr": float(recall_score(human, verifier, sample_weight=weights)),
            "tnr": float(recall_score(human, verifier, pos_label=0, sample_weight=weights)),
            "tprUnweighted": float(recall_score(human, verifier)),
            "ppv": float(precision_score(human, verifier)),
            "npv": float(precision_score(human, verifier, pos_label=0)),
        })
    return cases


def make_halves() -> list[dict]:
    """With as many passed as failed the score is half of PPV - NPV + 1, whose limits are Newcombe's."""
    generator = numpy.random.default_rng(42)
    cases = []
    for _ in range(60):
        m1, m0 = (int(x) for x in generator.integers(5, 90, 2))
        x1, x0 = int(generator.integers(0, m1 + 1)), int(generator.integers(0, m0 + 1))
        low, high = confint_proportions_2indep(x1, m1, x0, m0, method="newcomb", compare="diff")
        cases.append({
            "labels": [x1, m1 - x1, m0 - x0, x0],
            "corrected": 0.5 * (x1 / m1 - x0 / m0 + 1),
            "low": 0.5 * (float(low) + 1),
            "high": 0.5 * (float(high) + 1),
        })
    return cases


def make_certain() -> list[dict]:
    """A calibration set without end leaves the uncertainty of the pass rate alone, by Agresti and Coull."""
    cases = []
    for passed, n in [(3, 20), (30, 89), (200, 445), (440, 445), (17, 24)]:
        for tpr, tnr in [(0.9, 0.8), (0.75, 0.99), (1.0, 0.6)]:
            low, high = proportion_confint(passed, n, 0.05, "agresti_coull")
            turn = lambda p: min(1.0, max(0.0, (float(p) + tnr - 1) / (tpr + tnr - 1)))
            cases.append({"passed": passed, "n": n, "tpr": tpr, "tnr": tnr, "low": turn(low), "high": turn(high)})
    return cases


write(
    ["numpy", "scikit-learn", "statsmodels"],
    accuracies=make_accuracies(),
    halves=make_halves(),
    certain=make_certain(),
)
