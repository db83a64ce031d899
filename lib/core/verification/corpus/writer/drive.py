"""Runs one job with whichever Harbor is installed: folders of tasks and datasets in, the job's folder out."""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any, Callable

from harbor.job import Job
from harbor.models.job.config import JobConfig

from stand_ins import Attempt, Play

Pick = Callable[[str, str, int], Attempt]


class Workshop:
    """A folder of jobs, with the tasks and datasets that they run."""

    def __init__(self, root: Path):
        self.root = root
        self.jobs = root / "jobs"

    def write_task(self, folder: str, *, note: str = "", **described: Any) -> Path:
        """One task; a `note` in its test script makes it another version."""
        task = self.root / folder
        for name, text in {
            "environment/Dockerfile": "FROM scratch\n",
            "tests/Dockerfile": "FROM scratch\n",
            "tests/test.sh": f"exit 0  # {note}\n",
            "instruction.md": "Do as the attempt says.\n",
            "task.toml": describe_task(**described),
            **{f"steps/{step}/instruction.md": "Do this step.\n" for step in described.get("steps", {})},
        }.items():
            path = task / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return task

    def write_tasks(self, dataset: str, names: list[str], **options: Any) -> dict[str, Any]:
        """A local dataset; returns its entry of a job's config."""
        for name in names:
            self.write_task(f"{dataset}/{name}", **options)
        return {"path": self.root / dataset}

    def write_registry(self, dataset: str, names: list[str], metrics: list[str]) -> dict[str, Any]:
        """A dataset of a registry file that brings metrics of its own; returns its entry of a job's config."""
        tasks = [{"name": name, "path": str(self.write_task(f"registry-{dataset}/{name}"))} for name in names]
        described = {"name": dataset, "version": "1.0", "description": "", "tasks": tasks}
        registry = self.root / f"registry-{dataset.replace('/', '-')}.json"
        registry.write_text(json.dumps([{**described, "metrics": [{"type": metric} for metric in metrics]}]))
        entry = {"name": dataset, "version": "1.0"}
        if is_old():
            return {**entry, "registry": {"path": registry}}
        return {**entry, "registry_path": registry}

    def write_slashed(self, dataset: str, names: list[str]) -> dict[str, Any]:
        """Tasks of a dataset with `/` in its name; returns that part of a job's config.

        A later Harbor would ask the Hub for a dataset of such a name, so that there the tasks say whose they are.
        """
        if is_old():
            return {"datasets": [self.write_registry(dataset, names, [])]}
        tasks = [self.write_task(f"loose/{name}") for name in names]
        return {"tasks": [{"path": task, "source": dataset} for task in tasks]}

    def run(self, name: str, pick: Pick, **config: Any) -> Path:
        """Runs a job to its end, or to where an attempt interrupts it; the same call again resumes it."""
        child = os.fork()
        if child == 0:
            Play.begin(pick)
            try:
                asyncio.run(run_job(build_config(self.jobs, name, config)))
            except BaseException as error:  # A job that stops in its midst is what some scenarios are about.
                print(f"{name} ended with {type(error).__name__}: {error}")
            sys.stdout.flush()
            os._exit(0)
        os.waitpid(child, 0)
        return self.jobs / name


def is_old() -> bool:
    """Whether this Harbor configures an orchestrator, as it did up to 0.1."""
    return "orchestrator" in JobConfig.model_fields


def describe_task(
    *, steps: dict[str, str] | None = None, head: str = "", verifier: str = "", timeout: float = 30
) -> str:
    """A task.toml. `steps` are names with the TOML of each; `head` and `verifier` are more TOML in their places."""
    lines = ["[verifier]", "timeout_sec = 30.0", verifier, "[agent]", f"timeout_sec = {timeout}", "[environment]"]
    for step, described in (steps or {}).items():
        lines += ["[[steps]]", f'name = "{step}"', described]
    return "\n".join(['version = "1.0"' if is_old() else 'schema_version = "1.1"', head, *lines, ""])


def agent(model: str | None = None, kind: str = "ScriptedAgent", **kwargs: Any) -> dict[str, Any]:
    """One agent of a job's config."""
    return {"import_path": f"stand_ins:{kind}", "model_name": model, "kwargs": kwargs}


def build_config(jobs: Path, name: str, config: dict[str, Any]) -> JobConfig:
    queue = {
        "n_concurrent_trials": config.pop("n_concurrent_trials", 1),
        "quiet": True,
        "retry": config.pop("retry", {}),
    }
    metrics = [{"type": metric} for metric in config.pop("metrics", [])]
    return JobConfig(
        job_name=name,
        jobs_dir=jobs,
        environment={"import_path": "stand_ins:MemoryEnvironment"},
        metrics=metrics,
        **{"agents": [agent("lab/model-1")], **config},
        **({"orchestrator": queue} if is_old() else queue),
    )


async def run_job(config: JobConfig) -> None:
    job = await Job.create(config) if hasattr(Job, "create") else Job(config)
    Play.job = asyncio.current_task()
    await job.run()
