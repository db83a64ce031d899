"""Jobs in which an error decides if a reward counts, which Harbor does since 0.26."""

from drive import Workshop, agent
from register import in_turn, keyed, scenario, text, used
from scenarios_of_sources import describe_source, judged, write_versions
from stand_ins import Attempt

STEPS = {"plan": "", "build": "", "check": ""}


@scenario(since="0.26")
def policy_errors(shop: Workshop) -> None:
    """Errors of each policy: graded or not, with a reward that counts or not."""
    attempts = {
        "alpha": [text(0.1, usage=used(1, 0.1)), text(0.7, error="ApiRateLimitError", usage=used(2, 0.2))],
        "beta": [text(0.2, seconds=60), text(0.9, error="RuntimeError")],
        "gamma": [text(0.3), text(1, error="AgentAuthenticationError")],
        "omega": [Attempt(), text(0.6, error="NonZeroAgentExitCodeError")],
        "sigma": [text(0.4, error="BadRequestError"), text(0.25, error="ContentPolicyViolationError")],
        "theta": [text(1, error="SandboxBuildFailedError"), keyed("{}")],
    }
    shop.run(
        "policy-errors",
        in_turn(attempts),
        datasets=[shop.write_tasks("suite", list(attempts), timeout=1)],
        n_attempts=2,
        metrics=["mean", "min", "sum"],
    )


@scenario(since="0.26")
def policy_none_valid(shop: Workshop) -> None:
    """Two models, one of which has no reward that counts."""

    def pick(task: str, who: str, _n: int) -> Attempt:
        if who.endswith("model-2"):
            return text(1, error="ApiRateLimitError", usage=used(1, 0.1))
        return text(0.5, usage=used(2, 0.2))

    shop.run(
        "policy-none-valid",
        pick,
        datasets=[shop.write_tasks("suite", ["alpha", "beta"])],
        agents=[agent("lab/model-1"), agent("lab/model-2")],
        n_attempts=2,
    )


@scenario(since="0.26")
def policy_pass_at_k(shop: Workshop) -> None:
    """Attempts that do not count: fewer of one task, none of another, a fraction among them."""
    limited = "ApiRateLimitError"
    wins = {
        "alpha": [keyed(f'{{"reward": {digit}}}') for digit in "11010"],
        "beta": [*(keyed(f'{{"reward": {digit}}}') for digit in "0010"), text(0.5, error=limited)],
        "gamma": [text(1, error=limited)],
    }
    shop.run(
        "policy-pass-at-k",
        in_turn(wins),
        datasets=[shop.write_tasks("suite", list(wins))],
        n_attempts=5,
    )


@scenario(since="0.26")
def policy_override(shop: Workshop) -> None:
    """A job that sets policies of its own."""
    attempts = {
        "alpha": [text(0.75, error="ApiRateLimitError"), text(0.5)],
        "beta": [text(1, error="RuntimeError"), text(0.25, error="ValueError")],
        "gamma": [text(1, error="AgentAuthenticationError"), text(0.125, error="KeyError")],
    }
    shop.run(
        "policy-override",
        in_turn(attempts),
        datasets=[shop.write_tasks("suite", list(attempts))],
        n_attempts=2,
        override_error_policy={
            "ApiRateLimitError": {"has_valid_reward": True},
            "RuntimeError": {"has_valid_reward": False},
            "AgentAuthenticationError": {"should_grade": True, "has_valid_reward": True},
            "KeyError": {"should_grade": False},
        },
    )


@scenario(since="0.26")
def policy_steps(shop: Workshop) -> None:
    """Errors of steps: of one type twice, of two types, with rewards that count and that do not."""
    broken = Attempt(error="EnvironmentStartTimeoutError")
    attempts = {
        "alpha": [text(1, error="RuntimeError"), text(0.5, error="RuntimeError"), text(0)],
        "beta": [text(1, error="RuntimeError"), text(0.5, error="ApiError"), text(0)],
        "gamma": [text(0.25), broken, text(1)],
        "omega": [text(0.25), text(0.5), text(0.125)],
    }
    shop.run(
        "policy-steps",
        in_turn(attempts),
        datasets=[shop.write_tasks("suite", list(attempts), steps=STEPS)],
    )


@scenario(since="0.26")
def policy_resumed(shop: Workshop) -> None:
    """A job with rewards that do not count, cut off and resumed."""
    config = {"datasets": [shop.write_tasks("suite", ["alpha", "beta", "gamma"])], "n_attempts": 2}
    errors = {"alpha": "ApiOverloadedError", "beta": None, "gamma": "RuntimeError"}

    def cut(task: str, _who: str, n: int) -> Attempt:
        event = "kill" if task == "gamma" and n == 1 else None
        return text(0.25 + n / 2, error=errors[task], event=event, usage=used(1, 0.1))

    shop.run("policy-resumed", cut, **config)
    shop.run("policy-resumed", lambda task, who, n: text(1, error=errors[task]), **config)


@scenario(since="0.26")
def policy_retries(shop: Workshop) -> None:
    """A rate limit tried again until it is gone, one that stays, and an error that is not tried again."""
    limited = text(1, error="ApiRateLimitError", usage=used(1, 0.1))
    attempts = {
        "alpha": [limited, text(1, usage=used(2, 0.2))],
        "beta": [limited],
        "gamma": [text(0.5, error="NonZeroAgentExitCodeError")],
    }
    shop.run(
        "policy-retries",
        in_turn(attempts),
        datasets=[shop.write_tasks("suite", list(attempts))],
        retry={"max_retries": 1, "min_wait_sec": 0.01},
    )


@scenario(since="0.26")
def policy_regrade(shop: Workshop) -> None:
    """Regrades keep the agent's exception: by the table no reward counts, by a policy of the new job it does."""
    ran = {
        "alpha": Attempt(usage=used(1, 0.1)),
        "beta": Attempt(usage=used(2, 0.2), error="ApiRateLimitError"),
        "gamma": Attempt(usage=used(3, 0.3), error="RuntimeError"),
    }
    rewards = {"alpha": [text(0)], "beta": [text(0.5)], "gamma": [text(1)]}
    old = write_versions(shop, "suite", dict.fromkeys(ran, "1.0.0"))
    new = write_versions(shop, "newer/suite", dict.fromkeys(ran, "1.1.0"))
    source = shop.run("source", judged(ran, rewards), datasets=[old])
    again = {"alpha": [text(1)], "beta": [text(1)], "gamma": [text(0.25)]}
    sources = [describe_source(source, "regrade")]
    shop.run("regraded", judged(ran, again), datasets=[new], source_jobs=sources)
    policy = {"ApiRateLimitError": {"has_valid_reward": True}, "RuntimeError": {"has_valid_reward": False}}
    shop.run("regraded-by-own-policy", judged(ran, again), datasets=[new], source_jobs=sources, override_error_policy=policy)
