"""Writes distributions.json: true values of distributions by ball arithmetic (Arb, 400 bits), started from SciPy.

Usage: python generate_distributions.py > distributions.json   (needs python-flint and scipy)
Each row is the arguments and then the value. What Arb cannot pin down to 1e-40 is left out.
"""

from flint import arb, ctx
from scipy import stats

from frame import write

ctx.prec = 400

SHAPES = [
    (0.5, 0.5), (0.5, 20.5), (20.5, 0.5), (1, 89), (89, 1), (2, 3), (12, 445), (445, 12), (1500, 500), (5000, 5001),
    (3, 2000), (2000, 3), (0.5, 10000.5), (50000, 50001), (0.1, 0.1), (0.01, 5), (1, 1), (446, 1), (89.5, 31.5),
    (0.5, 5.5), (5.5, 0.5),
]
BETA_LEVELS = [1e-10, 1e-6, 0.0005, 0.025, 0.05, 0.3, 0.5, 0.7, 0.95, 0.975, 0.9995, 1 - 1e-6]
T_DEGREES = [1, 2, 3, 4, 5, 7, 10, 19, 59, 120, 444, 1000, 99999, 1.5]
T_LEVELS = [1e-10, 1e-6, 0.001, 0.025, 0.05, 0.2, 0.4, 0.499, 0.501, 0.6, 0.8, 0.95, 0.975, 0.995, 0.9999]
NORMAL_LEVELS = [
    1e-300, 1e-100, 1e-15, 1e-10, 1e-6, 0.001, 0.025, 0.05, 0.2, 0.4, 0.499, 0.5001, 0.501, 0.6, 0.8, 0.9, 0.95, 0.975,
    0.995, 0.9999, 1 - 1e-12,
]
NORMAL_POINTS = [-37, -20, -8, -5, -3, -1.96, -1, -0.1, -1e-8, 1e-8, 0.5, 1, 3, 5]
BINOMIALS = [(5, 0.5), (20, 0.5), (100, 0.5), (445, 0.1), (1000, 0.5), (10000, 0.01), (89, 0.95)]


def beta_share(a: float, b: float, x: arb) -> arb:
    return x.beta_lower(arb(a), arb(b), 1)


def refine_beta(p: float, a: float, b: float) -> float | None:
    x = arb(float(stats.beta.ppf(p, a, b)))
    if not 1e-250 < float(x) < 1:
        return None
    log_beta = arb(a).lgamma() + arb(b).lgamma() - (arb(a) + arb(b)).lgamma()
    for _ in range(6):
        density = ((arb(a) - 1) * x.log() + (arb(b) - 1) * (1 - x).log() - log_beta).exp()
        x = (x - (beta_share(a, b, x) - arb(p)) / density).mid()
    error = abs(float(beta_share(a, b, x) / arb(p) - 1))
    return float(x) if error < 1e-40 and 0 < float(x) < 1 else None


def t_share(df: float, t: arb) -> arb:
    tail = (arb(df) / (arb(df) + t * t)).beta_lower(arb(df) / 2, arb(0.5), 1) / 2
    return 1 - tail if float(t) > 0 else tail


def refine_t(p: float, df: float) -> float | None:
    t = arb(float(stats.t.ppf(p, df)))
    d = arb(df)
    scale = ((d + 1) / 2).lgamma() - (d / 2).lgamma() - (d * arb.pi()).log() / 2
    for _ in range(6):
        density = (scale - (d + 1) / 2 * (1 + t * t / d).log()).exp()
        t = (t - (t_share(df, t) - arb(p)) / density).mid()
    return float(t) if abs(float(t_share(df, t) / arb(p) - 1)) < 1e-40 else None


def normal_share(x: arb) -> arb:
    return (-x / arb(2).sqrt()).erfc() / 2


def refine_normal(p: float) -> float:
    x = arb(float(stats.norm.ppf(p)))
    for _ in range(6):
        density = (-x * x / 2).exp() / (2 * arb.pi()).sqrt()
        x = (x - (normal_share(x) - arb(p)) / density).mid()
    return float(x)


def list_binomials() -> list[list[float]]:
    rows = []
    for n, p in BINOMIALS:
        middle = int(n * p)
        for count in sorted({0, 1, 2, middle, middle + 3, max(0, middle - 5), n // 4, n - 1}):
            if count < n:
                value = float((1 - arb(p)).beta_lower(arb(n - count), arb(count + 1), 1))
                if value > 1e-290:
                    rows.append([count, n, p, value])
    return rows


beta = [[p, a, b, refine_beta(p, a, b)] for a, b in SHAPES for p in BETA_LEVELS]
t = [[p, df, refine_t(p, df)] for df in T_DEGREES for p in T_LEVELS]
write(
    ["python-flint", "scipy"],
    beta=[row for row in beta if row[-1] is not None],
    t=[row for row in t if row[-1] is not None],
    normal=[[p, refine_normal(p)] for p in NORMAL_LEVELS],
    normalCdf=[[x, float(normal_share(arb(x)))] for x in NORMAL_POINTS],
    binomialCdf=list_binomials(),
)
