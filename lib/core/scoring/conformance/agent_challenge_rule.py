"""Transcription of two rules of agent-challenge, which is on no package index.

Written from the published description of the harness: what it prints for a job result, and how it normalises a
reason text. Cases made with it show that two independent writings of the rule agree; they are no recording.
"""

import json

RETRYABLE = {
    "harbor_broker_connection_failed", "harbor_cancelled_error", "harbor_environment_start_timeout_error",
    "terminal_bench_broker_ref_missing", "terminal_bench_job_dir_missing", "terminal_bench_lease_expired",
}
FINAL = {
    "harbor_agent_timeout_error", "harbor_nonzero_exit", "harbor_result_invalid", "harbor_result_malformed",
    "harbor_result_missing", "harbor_result_partial", "harbor_reward_empty", "harbor_reward_missing",
    "harbor_reward_parse_error", "harbor_submission_code_failed", "harbor_trial_failed",
    "harbor_trial_result_malformed", "harbor_trial_result_missing", "harbor_verifier_timeout_error",
    "agent_hydrate_failed",
}
KNOWN = RETRYABLE | FINAL
ALIASES = {
    "agent_timeout_error": "harbor_agent_timeout_error",
    "cancelled_error": "harbor_cancelled_error",
    "environment_start_timeout_error": "harbor_environment_start_timeout_error",
    "submission_code_failure": "harbor_submission_code_failed",
    "verifier_timeout_error": "harbor_verifier_timeout_error",
}
ALIASES |= {alias.replace("_", ""): code for alias, code in ALIASES.items()}


def outcome_line(path):
    fields = {"status": "failed", "score": 0.0, "resolved": 0, "total": 0, "reason_code": "harbor_result_missing"}
    if path.exists():
        try:
            fields |= read_outcome(json.loads(path.read_text()))
        except Exception:
            fields["reason_code"] = "harbor_result_malformed"
    return "BASE_BENCHMARK_RESULT=" + json.dumps(fields, sort_keys=True)


def read_outcome(data):
    stats = data.get("stats", {})
    total, completed, errored = (
        int(source.get(name) or 0)
        for source, name in ((data, "n_total_trials"), (stats, "n_completed_trials"), (stats, "n_errored_trials"))
    )
    values = []
    for group in stats.get("evals", {}).values():
        for metric in group.get("metrics", []):
            chosen = [metric["mean"]] if "mean" in metric else metric.values()
            values += [float(value) for value in chosen]
    score = sum(values) / len(values) if values else 0.0
    return {
        "status": "failed" if errored else "completed",
        "score": score,
        "resolved": round(score * total),
        "total": total or completed + errored,
        "reason_code": None,
    }


def normalize_reason(text):
    lowered = (text or "").strip().lower()
    if not lowered:
        return None
    compact = "".join(filter(str.isalnum, lowered))
    underscored = "_".join(lowered.replace("-", "_").split())
    for form in (lowered, underscored):
        if form in KNOWN:
            return form
    for form in (compact, underscored):
        if form in ALIASES:
            return ALIASES[form]
    rules = [
        ("cancelled_error", "cancellederror" in compact or "cancelederror" in compact),
        ("environment_start_timeout_error", "environmentstarttimeouterror" in compact),
        ("agent_timeout_error", "agenttimeouterror" in compact),
        ("verifier_timeout_error", "verifiertimeouterror" in compact),
        ("broker_connection_failed", "broker" in lowered and "connection" in lowered),
        ("broker_connection_failed", "connection refused" in lowered or "connection reset" in lowered),
        ("reward_missing", "reward" in lowered and "missing" in lowered),
        ("reward_empty", "reward" in lowered and "empty" in lowered),
        ("reward_parse_error", "reward" in lowered and ("parse" in lowered or "malformed" in lowered)),
        ("submission_code_failed", "submission" in lowered and ("code" in lowered or "runtime" in lowered)),
    ]
    return next(("harbor_" + code for code, matches in rules if matches), underscored)
