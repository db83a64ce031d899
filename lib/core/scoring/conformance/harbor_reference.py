"""Calls into the real harbor 0.13.1: every function here returns what Harbor's own code returned."""

import asyncio
import contextlib
import io
import json
import os
import shutil
import tempfile
from collections import defaultdict
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from uuid import UUID

# A package that Harbor imports fetches prices from the network unless told not to.
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")

import harbor.job
from harbor.job import Job
from harbor.models.agent.context import AgentContext
from harbor.models.job.config import JobConfig
from harbor.models.job.result import JobStats
from harbor.models.task.config import MultiStepRewardStrategy
from harbor.models.task.id import LocalTaskId
from harbor.models.trial.config import TaskConfig, TrialConfig
from harbor.models.trial.result import AgentInfo, ExceptionInfo, ModelInfo, StepResult, TrialResult
from harbor.models.verifier.result import VerifierResult
from harbor.metrics.max import Max
from harbor.metrics.mean import Mean
from harbor.metrics.min import Min
from harbor.metrics.sum import Sum
from harbor.trial.multi_step import MultiStepTrial
from harbor.utils import pass_at_k
from harbor.verifier.verifier import Verifier
from pydantic import ValidationError

METRICS = {"mean": Mean, "max": Max, "min": Min, "sum": Sum}
NOW = datetime(2026, 1, 1)


class FrozenClock(datetime):
    @classmethod
    def now(cls, tz=None):
        return NOW


harbor.job.datetime = FrozenClock
ZERO_ID = UUID(int=0)


class FakeEnvironment:
    """An environment whose verifier has already run: nothing to upload, execute or download."""

    def __init__(self):
        from harbor.models.task.config import TaskOS

        self.os = TaskOS.LINUX
        self.capabilities = SimpleNamespace(mounted=True)

    async def exec(self, **_):
        return None


def read_reward_files(text, json_bytes):
    """Verifier.verify() over a folder that holds these files; a dict of expected or error."""
    folder = Path(tempfile.mkdtemp())
    try:
        paths = SimpleNamespace(
            reward_text_path=folder / "reward.txt",
            reward_json_path=folder / "reward.json",
            verifier_dir=folder,
            test_stdout_path=folder / "test-stdout.txt",
        )
        for path, content in ((paths.reward_text_path, text), (paths.reward_json_path, json_bytes)):
            if content is not None:
                path.write_bytes(content)
        verifier = Verifier.__new__(Verifier)
        verifier.trial_paths, verifier.environment = paths, FakeEnvironment()
        verifier.override_env, verifier.verifier_env, verifier._skip_tests_upload = {}, None, True
        verifier.step_name = None
        verifier.task = SimpleNamespace(
            config=SimpleNamespace(verifier=SimpleNamespace(env={})),
            paths=SimpleNamespace(tests_dir=folder, test_path_for=lambda _: folder / "test.sh"),
        )
        return asyncio.run(verify_unvalidated(verifier))
    finally:
        shutil.rmtree(folder)


async def verify_unvalidated(verifier):
    import harbor.verifier.verifier as module

    # The reader is one step and validation the next; only the class that joins them is replaced.
    real, module.VerifierResult = module.VerifierResult, SimpleNamespace
    try:
        return {"expected": json.dumps((await verifier.verify()).rewards)}
    except Exception as error:
        return {"error": type(error).__name__}
    finally:
        module.VerifierResult = real


def aggregate(metric, rewards):
    try:
        return {"expected": json.dumps(METRICS[metric]().compute(rewards))}
    except Exception as error:
        return {"error": type(error).__name__}


def validate_rewards(rewards):
    try:
        return {"expected": json.dumps(VerifierResult(rewards=rewards).rewards)}
    except ValidationError as error:
        problems = {}
        for item in error.errors():
            where = item["loc"][1] if len(item["loc"]) > 1 else None
            problems.setdefault(where, item["type"])
        return {"error": "ValidationError", "problems": [[kind, key] for key, kind in problems.items()]}


def aggregate_steps(steps):
    """The trial's result by both strategies; the steps come back as validated, which is how Harbor holds them."""
    results = [None if step is None else VerifierResult(**step) for step in steps]

    def run(strategy):
        trial = MultiStepTrial.__new__(MultiStepTrial)
        trial.task = SimpleNamespace(config=SimpleNamespace(multi_step_reward_strategy=strategy))
        trial._result = SimpleNamespace(step_results=[SimpleNamespace(verifier_result=result) for result in results])
        try:
            result = trial._select_multi_step_reward()
        except OverflowError as error:
            return f"raises {type(error).__name__}"
        if result is None:
            return "null"
        rewards = result.rewards
        # The mean's keys come out of a set; sorted they are the same in every process.
        is_set_order = strategy is MultiStepRewardStrategy.MEAN and rewards
        return json.dumps({"rewards": dict(sorted(rewards.items())) if is_set_order else rewards})

    held = [None if result is None else {"rewards": result.rewards} for result in results]
    return {
        "verifier_results": json.dumps(held),
        "mean": run(MultiStepRewardStrategy.MEAN),
        "final": run(MultiStepRewardStrategy.FINAL),
    }


def make_usage(usage):
    return None if usage is None else AgentContext(**usage)


def make_trial(trial):
    """A TrialResult from the plain dict that the vectors carry."""
    exception = trial.get("exception_type")
    model = trial["model"]
    steps = trial.get("step_usages")
    rewards = trial["rewards"]
    return TrialResult(
        id=ZERO_ID,
        task_name=trial["task_name"],
        trial_name=trial["trial_name"],
        trial_uri="file:///trial",
        task_id=LocalTaskId(path=Path("task")),
        source=trial["source"],
        task_checksum="0",
        config=TrialConfig(task=TaskConfig(path=Path("task")), trial_name=trial["trial_name"]),
        agent_info=AgentInfo(
            name=trial["agent"], version="1", model_info=None if model is None else ModelInfo(name=model)
        ),
        agent_result=make_usage(trial.get("usage")),
        verifier_result=None if rewards is None else VerifierResult(**rewards),
        exception_info=exception
        and ExceptionInfo(
            exception_type=exception, exception_message="", exception_traceback="", occurred_at=NOW
        ),
        step_results=steps
        and [StepResult(step_name=f"s{i}", agent_result=make_usage(step)) for i, step in enumerate(steps)],
    )


def pass_at_k_by_evals(trials):
    return json.dumps(pass_at_k.compute_pass_at_k_by_evals([make_trial(trial) for trial in trials]))


def job_stats(trials):
    """Harbor's counters as JSON, reward values by str(); the entries of several NaN are joined."""
    stats = JobStats.from_trial_results([make_trial(trial) for trial in trials])
    evals = {}
    for key, group in stats.evals.items():
        reward_stats = {}
        for name, by_value in group.reward_stats.items():
            texts = reward_stats.setdefault(name, {})
            for value, names in by_value.items():
                texts.setdefault(str(value), []).extend(names)
        evals[key] = {
            "n_trials": group.n_trials,
            "n_errors": group.n_errors,
            "reward_stats": reward_stats,
            "exception_stats": group.exception_stats,
        }
    totals = ("n_input_tokens", "n_cache_tokens", "n_output_tokens", "cost_usd")
    counters = ("n_completed_trials", "n_errored_trials", "n_cancelled_trials")
    return json.dumps({name: getattr(stats, name) for name in counters + totals} | {"evals": evals})


def write_job(trials, metrics, n_existing, n_total, stop_after=None):
    """The result.json that Job.run() writes when these trials come back, and each trial as Harbor writes it.

    `stop_after` gives the file as it was after that many trials, as an interrupted job leaves it.
    """
    results = [make_trial(trial) for trial in trials]
    folder = Path(tempfile.mkdtemp())
    try:
        job = Job.__new__(Job)
        job.config = JobConfig(jobs_dir=folder, job_name="job", quiet=True)
        job.job_dir.mkdir()
        job._id, job._existing_job_result = ZERO_ID, None
        job._existing_trial_results = results[:n_existing]
        job._existing_trial_configs = [None] * n_existing
        job._remaining_trial_configs = [None] * (n_total - n_existing)
        job._trial_configs = [None] * n_total
        job._metrics = defaultdict(list) | {
            name: [METRICS[metric]() for metric in names] for name, names in metrics.items()
        }
        job._previous_trial_results = {result.trial_name: result for result in results[:n_existing]}
        job._live_rewards = defaultdict(dict)
        for result in results[:n_existing]:
            key, _ = job._evals_key_for_result(result)
            job._live_rewards[key][result.trial_name] = result.verifier_result and result.verifier_result.rewards
        job._trial_completion_lock = asyncio.Lock()
        job._log_file_handler = job._console_handler = None
        job._init_job_lock = job._write_job_lock = lambda: None
        job._init_progress_tracking()
        interrupted = []

        async def run_trials(*_):
            for index, result in enumerate(results[n_existing:], start=1):
                event = SimpleNamespace(trial_id=result.trial_name, result=result, timestamp=NOW)
                await job._on_trial_started(event)
                await job._on_trial_completed(event)
                if index == stop_after:
                    interrupted.append(job._job_result_path.read_text())
            return results[n_existing:]

        job._run_trials_with_queue = run_trials
        with contextlib.redirect_stdout(io.StringIO()):
            asyncio.run(job.run())
        text = interrupted[0] if stop_after else job._job_result_path.read_text()
    finally:
        shutil.rmtree(folder)
    kept = {"trial_name", "task_name", "source", "agent_info", "agent_result", "verifier_result", "exception_info"}
    exported = results[: n_existing + stop_after] if stop_after else results
    lines = [result.model_dump_json(include=kept | {"step_results"}) for result in exported]
    return {"trials": lines, "result_json": text}
