"""Jobs made from other jobs: regraded, compared with an earlier one, rebuilt from the Hub's archives."""

import asyncio
import io
import json
import shutil
import tarfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import UUID

from drive import Workshop
from register import keyed, scenario, text, used
from stand_ins import Attempt

SEPARATE = 'environment_mode = "separate"'
TASKS = ["alpha", "beta", "gamma", "omega"]


def judged(by_agent: dict[str, Attempt], by_verifier: dict[str, list[Attempt]]) -> Any:
    """Attempts whose verifier has a sandbox of its own, and so a script of its own."""

    def pick(task: str, who: str, n: int) -> Attempt:
        if who != "verifier":
            return by_agent[task]
        rewards = by_verifier[task]
        return rewards[n % len(rewards)]

    return pick


def write_versions(shop: Workshop, folder: str, versions: dict[str, str]) -> dict[str, Any]:
    """A dataset of tasks with a version, whose verifiers have sandboxes of their own."""
    for name, version in versions.items():
        shop.write_task(
            f"{folder}/{name}",
            head=f'[task]\nname = "corpus/{name}"\nversion = "{version}"',
            verifier=SEPARATE,
            note=version,
        )
    return {"path": shop.root / folder}


RAN = {
    "alpha": Attempt(usage=used(1, 0.1)),
    "beta": Attempt(usage=used(2, 0.2), seconds=60),
    "gamma": Attempt(usage=used(3, 0.7)),
    "omega": Attempt(usage=used(4, 0.3), error="RuntimeError"),
}


@scenario(since="0.22")
def regrade(shop: Workshop) -> None:
    """A job and its regrade by a newer verifier: rewards up, down, equal and new; exceptions gone, costs copied."""
    first = {"alpha": [text(0), text(1)], "beta": [text(0.5)], "gamma": [text(1)], "omega": [text(0)]}
    second = {"alpha": [text(1)], "beta": [text(0.25)], "gamma": [text(1)], "omega": [text(0.75)]}
    old = write_versions(shop, "suite", dict.fromkeys(TASKS, "1.0.0"))
    new = write_versions(shop, "newer/suite", dict.fromkeys(TASKS, "1.1.0"))
    limit = {"agent_timeout_multiplier": 0.02}
    source = shop.run("source", judged(RAN, first), datasets=[old], n_attempts=2, **limit)
    shop.run("regraded", judged(RAN, second), datasets=[new], source_jobs=[describe_source(source, "regrade")])


@scenario(since="0.22")
def regrade_of_unlisted_dataset(shop: Workshop) -> None:
    """A regrade that lists the tasks under another dataset: a mean of Harbor's own, though the config asks for `max`."""
    ran = {name: Attempt() for name in TASKS[:2]}
    old = write_versions(shop, "suite", dict.fromkeys(TASKS[:2], "1.0.0"))
    new = write_versions(shop, "newer", dict.fromkeys(TASKS[:2], "1.1.0"))
    rewards = {"alpha": [text(0.25)], "beta": [text(1)]}
    source = shop.run("source", judged(ran, rewards), datasets=[old])
    sources = [describe_source(source, "regrade")]
    shop.run("regraded", judged(ran, rewards), datasets=[new], source_jobs=sources, metrics=["max"])


@scenario(since="0.24")
def diff(shop: Workshop) -> None:
    """A job that reuses, regrades and reruns the tasks of another by the version of each task."""
    rewards = {"alpha": [text(1)], "beta": [text(0), text(1)], "gamma": [text(1)], "omega": [text(0)]}
    ran = {name: Attempt(usage=used(index + 1, 0.1)) for index, name in enumerate(TASKS)}
    old = write_versions(shop, "suite", dict.fromkeys(TASKS, "1.0.0"))
    source = shop.run("source", judged(ran, rewards), datasets=[old], n_attempts=2)
    versions = {"alpha": "1.0.1", "beta": "1.1.0", "gamma": "2.0.0", "omega": "2.0.0"}
    new = write_versions(shop, "newer/suite", versions)
    again = {"alpha": [text(0)], "beta": [text(1)], "gamma": [text(0), text(1)], "omega": [text(1)]}
    shop.run("diff", judged(ran, again), datasets=[new], n_attempts=2, source_jobs=[describe_source(source, "diff")])


def describe_source(job: Path, action: str) -> dict[str, Any]:
    return {"action": action, "type": "local", "path": job, "job_id": json.loads((job / "result.json").read_text())["id"]}


@scenario(since="0.22")
def rebuilt(shop: Workshop) -> None:
    """A job that the Hub gives back as archives of its trials, with some of them missing."""
    names = ["t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8"]

    def pick(task: str, _who: str, n: int) -> Attempt:
        index = int(task[1])
        error = "RuntimeError" if index in (2, 4) else None
        return text(index % 2, usage=used(index, 0.1), error=error)

    source = shop.run("uploaded", pick, datasets=[shop.write_tasks("suite", names)], n_attempts=2)
    trials = sorted(path for path in source.iterdir() if path.is_dir())
    hub = Hub(source, trials)
    hub.lose("t1", "completed", "object")
    hub.lose("t4", "failed", "path")
    hub.lose("t5", "canceled", "object")
    hub.lose("t6", "pending", "path")
    hub.lose("t7", "running", "path")
    hub.download(shop.jobs / "rebuilt", planned=len(trials) + 2)


@scenario(since="0.22")
def rebuilt_whole(shop: Workshop) -> None:
    """The same with every archive there."""
    source = shop.run(
        "uploaded",
        lambda task, who, n: keyed('{"correct": 1, "style": 0.5}' if n else '{"correct": 0, "style": 0.1}'),
        datasets=[shop.write_tasks("suite", ["alpha", "beta"])],
        n_attempts=2,
    )
    Hub(source, sorted(path for path in source.iterdir() if path.is_dir())).download(shop.jobs / "rebuilt", planned=4)


class Hub:
    """The Hub's side of a download: rows of trials and their archives. Harbor's own code makes the job of them."""

    def __init__(self, job: Path, trials: list[Path]):
        self.job = job
        self.archives: dict[str, bytes] = {}
        self.rows: list[dict[str, Any]] = []
        for trial in trials:
            result = json.loads((trial / "result.json").read_text())
            status = "completed" if result["exception_info"] is None else "failed"
            path = f"trials/{result['id']}/trial.tar.gz"
            self.archives[path] = pack(trial)
            self.rows.append({"id": result["id"], "name": trial.name, "archive_path": path, "status": status})

    def lose(self, task: str, status: str, what: str) -> None:
        """Takes away the archive of a task's first trial, or that there was one."""
        row = next(row for row in self.rows if row["name"].startswith(f"{task}__"))
        self.archives.pop(row["archive_path"])
        row["status"] = status
        if what == "path":
            row["archive_path"] = None

    def download(self, target: Path, planned: int) -> None:
        from harbor.download.downloader import Downloader
        from harbor.upload.db_client import TrialDownloadRow
        from storage3.exceptions import StorageApiError

        result = json.loads((self.job / "result.json").read_text())
        job = {
            **{name: result[name] for name in ("id", "started_at", "finished_at")},
            "job_name": target.name,
            "config": json.loads((self.job / "config.json").read_text()),
            "n_planned_trials": planned,
        }

        async def fetch(path: str) -> bytes:
            if path not in self.archives:
                raise StorageApiError("Object not found", "NotFound", 404)
            return self.archives[path]

        client = Downloader.__new__(Downloader)
        client.db = SimpleNamespace(
            get_user_id=answer("user"),
            get_job=answer(job),
            list_trial_downloads_for_job=answer([TrialDownloadRow.model_validate(row) for row in self.rows]),
        )
        client.storage = SimpleNamespace(download_bytes=fetch)
        asyncio.run(client.download_job(UUID(result["id"]), target.parent))
        shutil.rmtree(self.job)


def answer(value: Any) -> Any:
    """A call of the network client that is answered at once."""

    async def call(*_: Any, **__: Any) -> Any:
        return value

    return call


def pack(trial: Path) -> bytes:
    """The archive of one trial as `harbor upload` makes it: the folder's content without the folder."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:gz") as tar:
        for path in sorted(trial.iterdir()):
            tar.add(path, arcname=path.name)
    return archive.getvalue()
