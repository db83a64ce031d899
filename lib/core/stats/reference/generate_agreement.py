"""Writes agreement.json: intervals of rates and coefficients of agreement, with the versions they were computed on.

Usage: python generate_agreement.py > agreement.json   (needs statsmodels, scikit-learn, krippendorff and irrCAC)
"""

import krippendorff
import numpy
import pandas
from irrCAC.raw import CAC
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.proportion import proportion_confint

from frame import write

SIZES = [1, 2, 3, 5, 7, 10, 20, 24, 50, 89, 100, 120, 200, 400, 445, 500, 1000, 1500, 2000, 10000]

# Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), example C: nominal alpha 0.743.
EXAMPLE_C = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


def describe_rate(count: int, n: int) -> dict:
    interval = lambda method: [float(limit) for limit in proportion_confint(count, n, 0.05, method)]
    return {
        "count": count,
        "n": n,
        "wilson": interval("wilson"),
        "exact": interval("beta"),
        "jeffreys": interval("jeffreys"),
    }


def describe_ratings(rows: list[list[str | None]], categories: list[str]) -> dict:
    """rows: one list a rater."""
    frame = pandas.DataFrame({str(index): row for index, row in enumerate(rows)}, dtype=object)
    frame = frame.where(frame.notna(), numpy.nan)
    gwet = CAC(frame, categories=categories, digits=17).gwet()["est"]
    codes = [[numpy.nan if label is None else categories.index(label) for label in row] for row in rows]
    alpha = krippendorff.alpha(codes, level_of_measurement="nominal", value_domain=list(range(len(categories))))
    single = [
        [[numpy.nan if label is None else float(label == category) for label in row] for row in rows]
        for category in categories
    ]
    paired = [index for index in range(len(rows[0])) if sum(row[index] is not None for row in rows) >= 2]
    labels = [row[index] for row in rows for index in paired if row[index] is not None]
    both = [(a, b) for a, b in zip(*rows[:2]) if a is not None and b is not None]
    return {
        # One text a rater, one character an item: the category's index, or a dot where there is no label.
        "raters": ["".join("." if label is None else str(categories.index(label)) for label in row) for row in rows],
        "categories": categories,
        "percent": float(gwet["pa"]),
        "ac1": float(gwet["coefficient_value"]),
        "alpha": float(alpha),
        "kappa": float(cohen_kappa_score(*zip(*both), labels=categories)) if len(rows) == 2 else None,
        "prevalence": [labels.count(category) / len(labels) for category in categories],
        "categoryAlpha": [
            float(krippendorff.alpha(table, level_of_measurement="nominal")) if category in labels else None
            for category, table in zip(categories, single)
        ],
    }


def make_ratings() -> list[dict]:
    generator = numpy.random.default_rng(3)
    cases = [describe_ratings([[None if v is None else str(v) for v in row] for row in EXAMPLE_C], list("12345"))]
    while len(cases) < 121:
        n_raters = int(generator.integers(2, 5))
        n_items = int(generator.choice([6, 15, 40, 120]))
        categories = ["pass", "fail"] if generator.random() < 0.6 else ["none", "tool", "plan", "env"]
        shares = generator.dirichlet(numpy.full(len(categories), generator.choice([0.3, 1.0, 5.0])))
        truth = generator.choice(len(categories), n_items, p=shares)
        right = generator.uniform(0.4, 1)
        missing = generator.choice([0, 0, 0.1, 0.4])
        rows = [
            [
                None if generator.random() < missing else categories[
                    value if generator.random() < right else generator.choice(len(categories), p=shares)
                ]
                for value in truth
            ]
            for _ in range(n_raters)
        ]
        kept = [index for index in range(n_items) if any(row[index] is not None for row in rows)]
        rows = [[row[index] for index in kept] for row in rows]
        paired = [index for index in range(len(kept)) if sum(row[index] is not None for row in rows) >= 2]
        if len({row[index] for row in rows for index in paired if row[index] is not None}) < 2:
            continue
        cases.append(describe_ratings(rows, categories))
    return cases


counts = [(count, n) for n in SIZES for count in [0, 1, n // 10, n // 4, n // 2, n - n // 3, n - 1, n]]
write(
    ["numpy", "scipy", "statsmodels", "scikit-learn", "krippendorff", "irrCAC"],
    rates=[describe_rate(count, n) for count, n in counts],
    ratings=make_ratings(),
)
