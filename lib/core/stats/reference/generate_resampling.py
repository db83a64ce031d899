"""Writes resampling.json: bootstrap limits over the same draws by NumPy and SciPy, and survival curves by statsmodels.

Usage: python generate_resampling.py > resampling.json   (needs scipy and statsmodels)
The draws come from a transcription of the generator's published C code, so that limits can be compared to the last digits.
BCa's shares come from SciPy's own `_bca_interval`.
"""

import numpy
from scipy.stats import norm, t
from scipy.stats._resampling import _bca_interval
from statsmodels.duration.survfunc import SurvfuncRight

from frame import write

MASK = 0xFFFFFFFF
RESAMPLES = 400


def rotate(x: int, k: int) -> int:
    return ((x << k) | (x >> (32 - k))) & MASK


def make_uint32s(seed: int):
    """xoshiro128** with its state from MurmurHash3's finaliser over a Weyl sequence."""
    state = []
    for step in range(1, 5):
        word = (seed + step * 0x9E3779B9) & MASK
        word = ((word ^ (word >> 16)) * 0x85EBCA6B) & MASK
        word = ((word ^ (word >> 13)) * 0xC2B2AE35) & MASK
        state.append(word ^ (word >> 16))
    s0, s1, s2, s3 = state
    while True:
        yield (rotate((s1 * 5) & MASK, 7) * 9) & MASK
        t = (s1 << 9) & MASK
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= t
        s3 = rotate(s3, 11)


def draw_rows(n: int, seed: int) -> numpy.ndarray:
    source = make_uint32s(seed)
    return numpy.array([[int(next(source) * (n / 2**32)) for _ in range(n)] for _ in range(RESAMPLES)])


def expand_tail(n: int) -> float:
    """Hesterberg's expanded percentile interval, level 0.95."""
    return float(norm.cdf(-numpy.sqrt(n / (n - 1)) * t.ppf(0.975, n - 1)))


def describe_limits(n: int, seed: int, compute_exactly) -> dict:
    """compute_exactly: rows -> figure. Rounded, so that the same rows in another order are a tie."""
    compute = lambda rows: float(f"{compute_exactly(rows):.13g}")
    rows = draw_rows(n, seed)
    drawn = numpy.array([compute(row) for row in rows])
    tail = expand_tail(n)
    percentile = numpy.quantile(drawn, [tail, 1 - tail])
    indices = (numpy.arange(n),)
    statistic = lambda picked, axis=-1: numpy.apply_along_axis(lambda row: compute(row.astype(int)), axis, picked)
    low, high = _bca_interval(indices, statistic, axis=-1, alpha=tail, theta_hat_b=drawn, batch=None, xp=numpy)[:2]
    bca = numpy.quantile(drawn, [float(low), float(high)])
    return {
        "value": float(compute(numpy.arange(n))),
        "percentile": [float(limit) for limit in percentile],
        "bca": [float(limit) for limit in bca],
    }


def make_ratios() -> list[dict]:
    generator = numpy.random.default_rng(21)
    cases = []
    for n in [5, 8, 12, 20, 35, 60]:
        for seed in [1, 20_251_114]:
            costs = numpy.round(generator.lognormal(0, 1, n), 4)
            solves = generator.integers(1, 6, n)
            other = numpy.round(generator.lognormal(0.3, 1, n), 4)
            cases.append({
                "seed": seed,
                "numerators": costs.tolist(),
                "denominators": solves.tolist(),
                "others": other.tolist(),
                "ratio": describe_limits(n, seed, lambda rows: costs[rows].sum() / solves[rows].sum()),
                "difference": describe_limits(
                    n, seed, lambda rows: (costs[rows].sum() - other[rows].sum()) / solves[rows].sum()
                ),
            })
    return cases


def make_skewed() -> list[dict]:
    generator = numpy.random.default_rng(22)
    cases = []
    for n in [2, 3, 6, 11, 25, 50]:
        for seed in [7, 4_000_000_000]:
            tasks = [
                numpy.round(generator.lognormal(1, 1, generator.integers(1, 6)), 1 if n > 10 else 4).tolist()
                for _ in range(n)
            ]
            pick = lambda rows: numpy.concatenate([tasks[row] for row in rows])
            cases.append({
                "seed": seed,
                "tasks": tasks,
                "mean": describe_limits(n, seed, lambda rows: pick(rows).mean()),
                "median": describe_limits(n, seed, lambda rows: numpy.median(pick(rows))),
                "p90": describe_limits(n, seed, lambda rows: numpy.quantile(pick(rows), 0.9)),
            })
    return cases


def make_survivals() -> list[dict]:
    generator = numpy.random.default_rng(23)
    cases = []
    for index in range(60):
        n = int(generator.choice([1, 4, 15, 60]))
        limit = float(generator.choice([1.0, 3.0, 20.0]))
        seconds = numpy.round(generator.exponential(2, n), 1 if index % 2 else 4) + 0.1
        ended = seconds < limit
        seconds = numpy.minimum(seconds, limit)
        if not ended.any():
            continue
        fit = SurvfuncRight(seconds, ended.astype(int))
        cases.append({
            "seconds": seconds.tolist(),
            "ended": ended.tolist(),
            "times": fit.surv_times.tolist(),
            "shares": fit.surv_prob.tolist(),
        })
    return cases


write(
    ["numpy", "scipy", "statsmodels"],
    resamples=RESAMPLES,
    ratios=make_ratios(),
    skewed=make_skewed(),
    survivals=make_survivals(),
)
