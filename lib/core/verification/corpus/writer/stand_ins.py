"""The only parts of a run that are not Harbor's: what the agent did, and what the test script left in the sandbox.

An attempt is told beforehand what happens in it (`Attempt`). The agent takes the next attempt of its task, reports its
usage and fails if the attempt says so; the environment keeps files in memory and, when Harbor's own verifier runs the
test script, puts the attempt's reward files where the script would have. Everything that reads those files and writes
JSON is Harbor's.
"""

import asyncio
import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable

from harbor.agents.base import BaseAgent
from harbor.environments.base import BaseEnvironment, ExecResult

VERIFIER_DIR = "/logs/verifier/"


@dataclass(frozen=True)
class Attempt:
    """One run of a task, or of one step of it."""

    files: dict[str, str] = field(default_factory=dict)
    """Reward files by name, such as `{"reward.txt": "1"}`; none when the script writes none."""
    usage: tuple[int | None, int | None, int | None, float | None] | None = None
    """Input, cache and output tokens, and dollars; None when the agent reports nothing."""
    error: str | None = None
    """Name of the exception that the agent raises."""
    seconds: float = 0.0
    """How long the agent runs."""
    leaves: dict[str, str] = field(default_factory=dict)
    """Other files that the agent leaves in the sandbox, by path."""
    event: str | None = None
    """`kill`: the machine goes away. `cancel`: the user interrupts the job."""


class Play:
    """Which attempt comes next, and how the job under way can be interrupted."""

    pick: Callable[[str, str, int], Attempt]
    runs: Counter[tuple[str, str]] = Counter()
    job: "asyncio.Task[Any] | None" = None

    @classmethod
    def begin(cls, pick: Callable[[str, str, int], Attempt]) -> None:
        """`pick` gets the name of a task, the model (or the agent) and how often they were run before."""
        cls.pick, cls.runs = staticmethod(pick), Counter()

    @classmethod
    def next(cls, task: str, who: str) -> Attempt:
        n_before = cls.runs[task, who]
        cls.runs[task, who] += 1
        return cls.pick(task, who, n_before)


try:
    from harbor.agents.capabilities import AgentCapabilities
except ImportError:  # Before 0.22 agents declare no capabilities.
    CAPABILITIES = {}
else:
    # From 0.25 on Harbor refuses an effort that the agent does not declare.
    DECLARED = {"reasoning_effort"} & AgentCapabilities.model_fields.keys()
    CAPABILITIES = {"capabilities": AgentCapabilities(**dict.fromkeys(DECLARED, True))}


class ScriptedAgent(BaseAgent):
    """An agent whose every attempt is known before."""

    locals().update(CAPABILITIES)

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **{name: kwargs[name] for name in kwargs if name != "reasoning_effort"})

    @staticmethod
    def name() -> str:
        return "scripted"

    def version(self) -> str:
        return "1.0"

    async def setup(self, environment: BaseEnvironment) -> None:
        pass

    async def run(self, instruction: str, environment: "MemoryEnvironment", context: Any) -> None:
        attempt = Play.next(environment.task, self.model_name or self.name())
        environment.attempt = attempt
        for path, content in {"/logs/artifacts/answer.txt": "42\n", **attempt.leaves}.items():
            environment.files[path] = content.encode()
        if attempt.usage is not None:
            tokens_in, tokens_cache, tokens_out, cost = attempt.usage
            context.n_input_tokens, context.n_cache_tokens = tokens_in, tokens_cache
            context.n_output_tokens, context.cost_usd = tokens_out, cost
        if attempt.event == "kill":
            os._exit(137)
        if attempt.event == "cancel":
            Play.job.cancel()
            await asyncio.sleep(60)
        await asyncio.sleep(attempt.seconds)
        if attempt.error is not None:
            raise type(attempt.error, (Exception,), {})("As the attempt says.")


class SlashAgent(ScriptedAgent):
    """An agent with a slash in its name."""

    @staticmethod
    def name() -> str:
        return "lab/scripted"


class UnderscoreAgent(ScriptedAgent):
    """An agent whose name holds the separator of evals keys."""

    @staticmethod
    def name() -> str:
        return "scripted__v2"


try:
    from harbor.agents.capabilities import AgentCapabilities
    from harbor.agents.protocols.acp import ACPAgentMixin
    from harbor.models.bridge import BridgeKind
except ImportError:  # Before 0.22 nobody plays the user.
    pass
else:

    class TargetAgent(ACPAgentMixin, ScriptedAgent):
        """An agent that another one talks to."""

        capabilities = AgentCapabilities(bridges=frozenset({BridgeKind.ACP}))

        @staticmethod
        def name() -> str:
            return "target"

        def acp_command(self) -> list[str]:
            return ["target"]


class MemoryEnvironment(BaseEnvironment):
    """A sandbox without a machine: files by path, and a test script that is a function."""

    def __init__(self, *args: Any, **kwargs: Any):
        self.files: dict[str, bytes] = {}
        self.attempt: Attempt | None = None
        super().__init__(*args, **kwargs)

    @property
    def task(self) -> str:
        """Name of the task's folder; the folder of a separate verifier's definition is its `tests`."""
        return Path(self.environment_dir).parent.name

    @staticmethod
    def type() -> str:
        return "memory"

    # Asked by Harbor up to 0.5; later ones ask `capabilities`, whose defaults say the same.
    @property
    def is_mounted(self) -> bool:
        return False

    @property
    def supports_gpus(self) -> bool:
        return False

    @property
    def can_disable_internet(self) -> bool:
        return False

    @classmethod
    def resource_capabilities(cls) -> None:
        return None

    def _validate_definition(self) -> None:
        pass

    async def start(self, force_build: bool) -> None:
        pass

    async def stop(self, delete: bool) -> None:
        pass

    async def upload_file(self, source_path: Path | str, target_path: str) -> None:
        self.files[str(target_path)] = Path(source_path).read_bytes()

    async def upload_dir(self, source_dir: Path | str, target_dir: str) -> None:
        for path in Path(source_dir).rglob("*"):
            if path.is_file():
                self.files[f"{str(target_dir).rstrip('/')}/{path.relative_to(source_dir).as_posix()}"] = path.read_bytes()

    async def download_file(self, source_path: str, target_path: Path | str) -> None:
        Path(target_path).write_bytes(self.files[str(source_path)])

    async def download_dir(self, source_dir: str, target_dir: Path | str) -> None:
        prefix = f"{str(source_dir).rstrip('/')}/"
        for path, content in self.files.items():
            if path.startswith(prefix):
                target = Path(target_dir) / path.removeprefix(prefix)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)

    async def is_dir(self, path: str, **_: Any) -> bool:
        return any(name.startswith(f"{path.rstrip('/')}/") for name in self.files)

    async def exec(self, command: str, *args: Any, **kwargs: Any) -> ExecResult:
        if "chmod" not in command and "test-stdout" in command:
            self._run_tests()
        return ExecResult(stdout="/work" if command == "pwd" else "", stderr="", return_code=0)

    def _run_tests(self) -> None:
        """Leaves what the test script would: only the files of this attempt, without those of an earlier step."""
        attempt = self.attempt or Play.next(self.task, "verifier")
        for path in [path for path in self.files if path.startswith(VERIFIER_DIR)]:
            del self.files[path]
        for name, text in attempt.files.items():
            self.files[f"{VERIFIER_DIR}{name}"] = text.encode()
