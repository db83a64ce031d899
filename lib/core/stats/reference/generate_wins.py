"""Expected wins by drawing: each basis from its Beta distribution, 200,000 times. Writes wins.json. Python's standard library alone."""

import json
import random
from pathlib import Path

DRAWS = 200_000
CASES = [
    # One failure that only one agent has, on one task that it solves else.
    {"bases": [[3, 8, 6.0]], "recorded": 0.0, "total": 100},
    # Never solved without it either.
    {"bases": [[5, 12, 0.0]], "recorded": 0.0, "total": 50},
    # Always solved, and few attempts.
    {"bases": [[1, 1, 1.0]], "recorded": 0.0, "total": 20},
    # Many tasks with very different chances, as with a limit of time.
    {
        "bases": [[4, 6, 5.0], [9, 3, 0.0], [2, 14, 7.5], [6, 5, 5.0], [1, 30, 3.0]],
        "recorded": 1.25,
        "total": 400,
    },
    # One large basis beside small ones.
    {"bases": [[40, 90, 60.0], [1, 2, 0.0], [1, 2, 2.0]], "recorded": 0.0, "total": 1950},
]


def draw(case, generator):
    total = 0.0
    for n_trials, n, reward in case["bases"]:
        total += n_trials * generator.betavariate(reward + 0.5, n - reward + 0.5)
    return (total - case["recorded"]) / case["total"]


def main():
    generator = random.Random(20261125)
    cases = []
    for case in CASES:
        draws = sorted(draw(case, generator) for _ in range(DRAWS))
        cases.append(
            {
                **case,
                "mean": sum(draws) / DRAWS,
                "low": draws[int(0.025 * DRAWS)],
                "high": draws[int(0.975 * DRAWS)],
            }
        )
    path = Path(__file__).with_name("wins.json")
    path.write_text(json.dumps({"draws": DRAWS, "cases": cases}, indent=1) + "\n")


main()
