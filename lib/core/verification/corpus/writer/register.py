"""Which scenarios there are, which Harbors can run them, and short ways to write attempts."""

import re
from collections.abc import Callable, Iterable
from typing import Any

from drive import Workshop
from stand_ins import Attempt

Scenario = Callable[[Workshop], None]
SCENARIOS: dict[str, tuple[tuple[int, ...], tuple[int, ...], Scenario]] = {}


def scenario(since: str = "0.1", until: str = "9") -> Callable[[Scenario], Scenario]:
    """A scenario that Harbors from `since` to `until` can run; its function's name is its folder's."""

    def keep(write: Scenario) -> Scenario:
        SCENARIOS[write.__name__.replace("_", "-")] = (parse_version(since), parse_version(until), write)
        return write

    return keep


def parse_version(text: str) -> tuple[int, ...]:
    """The numbers of a version, without what marks a candidate: `0.27.0rc1` is (0, 27, 0)."""
    return tuple(int(re.match(r"\d+", part).group()) for part in text.split(".")[:3])


def text(value: Any, **options: Any) -> Attempt:
    """An attempt that writes reward.txt."""
    return Attempt({"reward.txt": str(value)}, **options)


def keyed(value: str, **options: Any) -> Attempt:
    """An attempt that writes reward.json."""
    return Attempt({"reward.json": value}, **options)


def in_turn(table: dict[str, Iterable[Attempt]]) -> Callable[[str, str, int], Attempt]:
    """Attempts of each task in order, the last of them for good."""
    rows = {task: list(attempts) for task, attempts in table.items()}
    return lambda task, _who, n: rows[task][min(n, len(rows[task]) - 1)]


def used(n: int, cost: float | None) -> tuple[int, int, int, float | None]:
    return (1000 * n, 100 * n, 10 * n, cost)
