"""Jobs that are about other jobs or tasks, and a job in which an agent plays the user."""

import asyncio
import json
from pathlib import Path
from typing import Any

from harbor.models.environment_type import EnvironmentType

from drive import Workshop, agent
from register import in_turn, scenario, text, used
from stand_ins import Attempt, Play

CHECKS = {
    "reward_hacking": {"outcome": "pass", "explanation": "The tests were left as they were."},
    "task_specification": {"outcome": "fail", "explanation": "The name of the file is nowhere said."},
}
RUBRIC = "".join(f'[[criteria]]\nname = "{name}"\ndescription = ""\nguidance = ""\n' for name in CHECKS)


def use_memory_for_docker() -> None:
    """Reports take no environment of one's own, so the stand-in takes Docker's place."""
    from harbor.environments import factory

    entry = factory._EnvEntry("stand_ins", "MemoryEnvironment", None)
    factory._ENVIRONMENT_REGISTRY[EnvironmentType.DOCKER] = entry


def reported(name: str, cost: float) -> Attempt:
    """An attempt whose agent leaves a valid report."""
    report = json.dumps({"summary": "It wrote the answer.", "checks": CHECKS})
    return text(1, usage=used(1, cost), leaves={f"/app/{name}": report})


@scenario(since="0.24")
def analysis(shop: Workshop) -> None:
    """A job, and the job of `harbor analyze` about it, one report of which was not valid."""
    from harbor.analyze.analyzer import run_analyze

    wins = {"alpha": [text(1)], "beta": [text(0)], "gamma": [text(0)]}
    job = shop.run("analysed", in_turn(wins), datasets=[shop.write_tasks("suite", list(wins))])

    def pick(task: str, _who: str, _n: int) -> Attempt:
        return text(0) if "gamma" in task else reported("analysis.json", 0.25)

    use_memory_for_docker()
    Play.begin(pick)
    names = {"job_name": "analysis", "jobs_dir": shop.jobs, "agent": "stand_ins:ScriptedAgent", "model": "lab/judge"}
    asyncio.run(run_analyze(job, n_concurrent=1, quiet=True, rubric_path=write_rubric(shop), **names))


@scenario(since="0.24")
def check(shop: Workshop) -> None:
    """The job of `harbor check` over two tasks."""
    from harbor.analyze.checker import run_checks

    shop.write_tasks("suite", ["alpha", "beta"])
    use_memory_for_docker()
    Play.begin(lambda task, who, n: reported("check-result.json", 0.5))
    names = {"job_name": "check", "jobs_dir": shop.jobs, "agent": "stand_ins:ScriptedAgent", "model": "lab/judge"}
    asyncio.run(run_checks(shop.root / "suite", n_concurrent=1, quiet=True, rubric_path=write_rubric(shop), **names))


def write_rubric(shop: Workshop) -> Path:
    path = shop.root / "rubric.toml"
    path.write_text(RUBRIC)
    return path


@scenario(since="0.24")
def simulated_user(shop: Workshop) -> None:
    """An agent that plays the user of the agent under test: the trial's tokens and cost are the user's."""
    from harbor.bridges import acp

    async def do_nothing(*_: Any, **__: Any) -> None:
        """Nothing to install: both programs are stand-ins."""

    acp.install_acpx = acp.write_acpx_config = do_nothing
    shop.run(
        "simulated-user",
        in_turn(
            {
                "alpha": [text(1, usage=used(1, 0.1), leaves=EXPORT)],
                "beta": [text(0.5, usage=used(2, 0.2), leaves=EXPORT)],
            }
        ),
        datasets=[shop.write_tasks("suite", ["alpha", "beta"])],
        agents=[agent("lab/target", "TargetAgent")],
        user_agent={**agent("lab/user"), "bridge": {"kind": "acp"}},
    )


EXPORT = {
    "/logs/agent/bridge-trajectory.json": json.dumps(
        {"session": {"state": {"acp_session_id": "s1"}, "turns": [{"usage": {"inputTokens": 900, "outputTokens": 90}}]}}
    )
}
