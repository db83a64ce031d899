"""Writes the corpus: small jobs by real Harbor, of the version that is installed beside this Python.

    python write_corpus.py [--to FOLDER] [SCENARIO ...]

Every job that Harbor writes is moved to `jobs/<version>/<scenario>/`, or with `--to` to `FOLDER/<scenario>/`. Files stay
as Harbor wrote them, but for the folders of this machine, which become `/corpus` and `/python`, and for trials' logs and
artifacts, which are left out. Ends with 1 if a scenario wrote no job. See README.md.
"""

import argparse
import os
import shutil
import sys
import tempfile
import traceback
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "writer"))
os.environ |= {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "HARBOR_TELEMETRY": "0"}

from drive import Workshop  # noqa: E402
import scenarios  # noqa: E402, F401
import scenarios_of_policies  # noqa: E402, F401
import scenarios_of_reports  # noqa: E402, F401
import scenarios_of_sources  # noqa: E402, F401
import scenarios_of_steps  # noqa: E402, F401
from register import SCENARIOS, parse_version  # noqa: E402

BETWEEN = (
    "single-key both-reward-files dataset-metric-of-several-keys pass-at-k retries cut-off resumed"
    " cancelled-and-resumed separators not-numbers failing-steps steps-mean"
).split()
WANTED = {
    "0.5.0": "keys-that-stop-a-job pass-at-k both-reward-files retries cancelled-and-resumed slashes slash-twins".split(),
    "0.6.6": BETWEEN,
    "0.13.1": BETWEEN,
    "0.25.0": (
        "single-key pass-at-k retries cancelled-and-resumed agent-settings empty-rewards failing-steps steps-mean"
        " regrade-of-unlisted-dataset"
    ).split(),
    "0.26.0": (
        "single-key several-keys empty-rewards no-verifier pass-at-k retries cut-off resumed cancelled-and-resumed"
        " separators not-numbers failing-steps steps-final diff rebuilt".split()
        + [name for name in SCENARIOS if name.startswith("policy-")]
    ),
}
"""Versions of which the corpus holds only some scenarios; of the others it holds all that they can write."""
REPORTS = ("analysis.json", "check-result.json")


def main(target: Path | None, wanted: list[str]) -> int:
    harbor = version("harbor")
    wanted = wanted or (WANTED.get(harbor) if target is None else None) or list(SCENARIOS)
    n_failed = 0
    for name, (since, until, write) in SCENARIOS.items():
        if name not in wanted or not since <= parse_version(harbor) < until:
            continue
        with tempfile.TemporaryDirectory(prefix="assay-corpus-") as folder:
            shop = Workshop(Path(folder).resolve())
            try:
                write(shop)
                keep(shop, (target or HERE / "jobs" / harbor) / name)
            except Exception:  # A Harbor that is new here may refuse one scenario; the others still tell what changed.
                traceback.print_exc()
                n_failed += 1
                print(f"FAILED {name}", flush=True)
            else:
                print(f"{harbor} {name}", flush=True)
    return 1 if n_failed > 0 else 0


def keep(shop: Workshop, target: Path) -> None:
    """Moves the jobs of a scenario to their place, without folders of this machine, artifacts and logs of trials."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(shop.jobs, target, symlinks=True)
    names = {str(shop.root): "/corpus", str(HERE): "/corpus", sys.prefix: "/python", sys.base_prefix: "/python"}
    for path in sorted(target.rglob("*")):
        if path.name == "trial.log" or "artifacts" in path.parts and path.is_file() and path.name not in REPORTS:
            path.unlink()
        elif path.is_file() and not path.is_symlink():
            content = path.read_bytes()
            for here, neutral in names.items():
                content = content.replace(here.encode(), neutral.encode())
            path.write_bytes(content)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--to", type=Path)
    parser.add_argument("scenarios", nargs="*")
    options = parser.parse_args()
    sys.exit(main(options.to, options.scenarios))
