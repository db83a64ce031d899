"""Writes vectors/*.jsonl: what harbor 0.13.1 and CPython answer to the inputs of cases.py. See README.md."""

import base64
import json
import platform
import shutil
import tempfile
from importlib.metadata import version
from pathlib import Path

import agent_challenge_rule
import cases
import harbor_reference as harbor

VECTORS = Path(__file__).parent / "vectors"
REASON_CODES = {
    "RewardFileNotFoundError": "harbor_reward_missing",
    "RewardFileEmptyError": "harbor_reward_empty",
    "VerifierOutputParseError": "harbor_reward_parse_error",
}


def encode(content):
    return None if content is None else base64.b64encode(content).decode()


def reward_files(rng):
    for text, json_bytes in cases.reward_files(rng):
        answer = harbor.read_reward_files(text, json_bytes)
        if "error" in answer:
            answer["reason_code"] = REASON_CODES[answer["error"]]
        yield {"reward_txt_b64": encode(text), "reward_json_b64": encode(json_bytes)} | answer


def json_text(rng):
    for text in cases.json_texts(rng):
        try:
            value = json.loads(text)
            yield {"text": text, "expected": json.dumps(value), "sorted": json.dumps(value, sort_keys=True)}
        except ValueError as error:
            yield {"text": text, "error": type(error).__name__}


def metrics(rng):
    for rewards in cases.metric_cases(rng):
        for metric in harbor.METRICS:
            yield {"metric": metric, "rewards": json.dumps(rewards)} | harbor.aggregate(metric, rewards)


def rewards_validation(rng):
    for rewards in cases.odd_rewards(rng):
        yield {"rewards": json.dumps(rewards)} | harbor.validate_rewards(rewards)


def pass_at_k_task(_):
    for n in range(1, 26):
        for c in range(n + 1):
            for k in sorted({1, 2, 3, 5, 8, n // 2 + 1, n - 1, n, n + 1} - {0}):
                yield {"n": n, "c": c, "k": k, "expected": repr(harbor.pass_at_k._pass_at_k_for_task(n, c, k))}


def eligible_k(_):
    for max_k in range(0, 70):
        yield {"max_k": max_k, "expected": json.dumps(harbor.pass_at_k._eligible_k_values(max_k))}


def pass_at_k_evals(rng):
    for _ in range(60):
        trials = cases.pass_at_k_trials(rng)
        shown = [
            {name: trial[name] for name in ("task_name", "agent", "model", "source")}
            | {"rewards": trial["rewards"] and trial["rewards"]["rewards"]}
            for trial in trials
        ]
        yield {"trials": json.dumps(shown), "expected": harbor.pass_at_k_by_evals(trials)}


def multi_step(rng):
    for steps in cases.step_lists(rng):
        yield harbor.aggregate_steps(steps)


def job_stats(rng):
    for index in range(200):
        trials = cases.job_trials(rng, cases.any_reward if index % 2 else cases.everyday_reward)
        yield {"trials": json.dumps(trials), "expected": harbor.job_stats(trials)}


def job_results(rng):
    for index in range(90):
        # Harbor writes NaN and infinite rewards of a trial as null, so a job cannot be recomputed from them.
        trials = cases.job_trials(rng)
        names = rng.choice([["mean"], ["mean"], ["mean"], ["sum", "max", "min", "mean"], ["max"]])
        datasets = {trial["source"] or "adhoc" for trial in trials}
        metrics = {dataset: names for dataset in sorted(datasets)}
        n_existing = rng.choice([0, 0, rng.randrange(len(trials))])
        n_total = len(trials) + rng.choice([0, 0, 3])
        left = len(trials) - n_existing
        stop_after = rng.randrange(1, left + 1) if index % 5 == 4 else None
        written = harbor.write_job(trials, metrics, n_existing, n_total, stop_after)
        yield {"metrics": metrics, "interrupted": stop_after is not None, "n_existing": n_existing} | written


def outcome(rng):
    folder = Path(tempfile.mkdtemp())
    try:
        for content in cases.results_of_jobs(rng):
            path = folder / "result.json"
            path.unlink(missing_ok=True)
            if content is not None:
                path.write_bytes(content)
            yield {"result_json_b64": encode(content), "expected": agent_challenge_rule.outcome_line(path)}
    finally:
        shutil.rmtree(folder)


def reason_codes(rng):
    for text in cases.reason_texts(rng):
        yield {"value": text, "expected": agent_challenge_rule.normalize_reason(text)}


def round_repr(rng):
    for x in cases.rounding_floats(rng):
        digits = {str(n): repr(round(x, n)) for n in (-2, 0, 1, 2, 6, 17)}
        yield {"x": repr(x), "round4": repr(round(x, 4)), "round0": repr(round(x)), "hex": x.hex(), "digits": digits}


GROUPS = [
    reward_files, json_text, metrics, rewards_validation, pass_at_k_task, eligible_k, pass_at_k_evals, multi_step,
    job_stats, job_results, outcome, reason_codes, round_repr,
]


def main():
    VECTORS.mkdir(exist_ok=True)
    for group in GROUPS:
        name = group.__name__
        lines = [json.dumps(case) for case in group(cases.seeded(name))]
        (VECTORS / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
        print(f"{name}: {len(lines)} cases")
    versions = {name: version(name) for name in ("harbor", "pydantic", "pydantic_core")}
    versions = {"python": platform.python_version(), "implementation": platform.python_implementation()} | versions
    (VECTORS / "versions.json").write_text(json.dumps(versions, indent=2) + "\n")


if __name__ == "__main__":
    main()
