"""Jobs of tasks without steps, one function each; the name of a function is the name of its folder."""

from collections.abc import Callable
from typing import Any

from drive import Workshop, agent
from register import in_turn, keyed, scenario, text, used
from stand_ins import Attempt


@scenario()
def single_key(shop: Workshop) -> None:
    """One key; fractions, a timeout that was verified, a crash, no reward file; tokens and cost, in part unknown."""
    shop.run(
        "single-key",
        in_turn(
            {
                "alpha": [text(0.1, usage=used(1, 0.1)), text("0.7", usage=used(2, 0.2))],
                "beta": [text(0.2, usage=used(3, 0.3)), text(1, usage=used(4, None), seconds=60)],
                "gamma": [Attempt(error="RuntimeError", usage=used(5, 0.7)), text(0.3)],
                "omega": [Attempt(usage=(None, None, 7, 0.1)), text("1e-3", usage=(0, 0, 0, 0.0))],
            }
        ),
        datasets=[shop.write_tasks("suite", ["alpha", "beta", "gamma", "omega"], timeout=1)],
        n_attempts=2,
    )


@scenario()
def several_keys(shop: Workshop) -> None:
    """Two keys, one of them missing once; up to 0.5 the metric raises, and the job stops without an end."""
    shop.run(
        "several-keys",
        in_turn(
            {
                "alpha": [keyed('{"correct": 1, "style": 0.25}')],
                "beta": [keyed('{"correct": 0, "style": 0.7}')],
                "gamma": [keyed('{"style": 0.1}')],
                "omega": [Attempt(error="RuntimeError")],
            }
        ),
        datasets=[shop.write_tasks("suite", ["alpha", "beta", "gamma", "omega"])],
    )


@scenario(until="0.6")
def keys_that_stop_a_job(shop: Workshop) -> None:
    """A second reward key in the midst of a job, over which the metric raises."""
    shop.run(
        "keys-that-stop-a-job",
        in_turn({"alpha": [text(1)], "beta": [keyed('{"correct": 0, "style": 0.7}')], "gamma": [text(0.5)]}),
        datasets=[shop.write_tasks("suite", ["alpha", "beta", "gamma"])],
    )


@scenario()
def pass_at_k(shop: Workshop) -> None:
    """Five attempts of three tasks, won or lost."""
    wins = {"alpha": "11010", "beta": "00001", "gamma": "00000"}
    shop.run(
        "pass-at-k",
        in_turn({task: [keyed(f'{{"reward": {digit}}}') for digit in digits] for task, digits in wins.items()}),
        datasets=[shop.write_tasks("suite", list(wins))],
        n_attempts=5,
        n_concurrent_trials=3,
    )


@scenario()
def no_attempts_to_spare(shop: Workshop) -> None:
    """Several attempts whose rewards are no wins, so that there is no pass@k."""
    rewards = {"alpha": [text(0.5), text(1)], "beta": [text(0), text(0.25)]}
    shop.run("no-attempts-to-spare", in_turn(rewards), datasets=[shop.write_tasks("suite", list(rewards))], n_attempts=2)


@scenario()
def dataset_metric(shop: Workshop) -> None:
    """A dataset that brings `max`, which the job's config does not say."""
    rewards = {"alpha": [text(0.25)], "beta": [text(0.5)], "gamma": [text(0.1)]}
    shop.run("dataset-metric", in_turn(rewards), datasets=[shop.write_registry("peaks", list(rewards), ["max"])])


@scenario()
def dataset_metrics_before_mean(shop: Workshop) -> None:
    """A dataset that brings `sum` and `min`, with the job's own `mean` behind them."""
    rewards = {"alpha": [text(0.1)], "beta": [text(0.2)], "gamma": [text(0.7)]}
    shop.run(
        "dataset-metrics-before-mean",
        in_turn(rewards),
        datasets=[shop.write_registry("heaps", list(rewards), ["sum", "min"])],
        metrics=["mean"],
    )


@scenario(since="0.6")
def dataset_metric_of_several_keys(shop: Workshop) -> None:
    """A dataset's `max` over two keys, where the name of the metric is written nowhere, and the job's `mean` behind."""
    rewards = {
        "alpha": [keyed('{"correct": 1, "style": 0.25}')],
        "beta": [keyed('{"correct": 0, "style": 0.7}')],
        "gamma": [keyed('{"correct": 1, "style": 0.1}')],
    }
    shop.run(
        "dataset-metric-of-several-keys",
        in_turn(rewards),
        datasets=[shop.write_registry("peaks", list(rewards), ["max"])],
        metrics=["mean"],
    )


@scenario()
def both_reward_files(shop: Workshop) -> None:
    """reward.txt and reward.json that disagree: up to 0.6 the first is read, from 0.7 on the second."""
    both = lambda plain, value: Attempt({"reward.txt": str(plain), "reward.json": f'{{"reward": {value}}}'})
    shop.run(
        "both-reward-files",
        in_turn({"alpha": [both(1, 0)], "beta": [both(0.25, 0.5)], "gamma": [both(0.5, 0.5)], "omega": [text(1)]}),
        datasets=[shop.write_tasks("suite", ["alpha", "beta", "gamma", "omega"])],
    )


@scenario()
def retries(shop: Workshop) -> None:
    """An attempt that wins when tried again, one that never does, and one that is not tried again."""
    failed = Attempt(error="RuntimeError", usage=used(1, 0.1))
    shop.run(
        "retries",
        in_turn(
            {
                "alpha": [failed, failed, text(1, usage=used(2, 0.2))],
                "beta": [failed],
                "gamma": [text(0.5, usage=used(3, 0.3))],
            }
        ),
        datasets=[shop.write_tasks("suite", ["alpha", "beta", "gamma"])],
        retry={"max_retries": 2, "min_wait_sec": 0.01},
    )


FRACTIONS = [0.1, 0.2, 0.3, 0.7, 0.6, 0.9]
SIX = ["t1", "t2", "t3", "t4", "t5", "t6"]


def interrupt(task: str, event: str) -> Callable[[str, str, int], Attempt]:
    """Six tasks that end in another order than they began; the job is interrupted in one of them, the first time."""

    def pick(name: str, _who: str, _n: int) -> Attempt:
        index = SIX.index(name)
        seconds = 0.05 * (6 - index)
        happens = event if name == task else None
        return text(FRACTIONS[index], usage=used(index + 1, FRACTIONS[index]), seconds=seconds, event=happens)

    return pick


@scenario()
def cut_off(shop: Workshop) -> None:
    """The machine goes away while two trials run."""
    config: dict[str, Any] = {"datasets": [shop.write_tasks("suite", SIX)], "n_concurrent_trials": 2}
    shop.run("cut-off", interrupt("t5", "kill"), **config)


@scenario()
def resumed(shop: Workshop) -> None:
    """The same, resumed and brought to its end."""
    config: dict[str, Any] = {"datasets": [shop.write_tasks("suite", SIX)], "n_concurrent_trials": 2}
    shop.run("resumed", interrupt("t5", "kill"), **config)
    shop.run("resumed", interrupt("", ""), **config)


@scenario()
def cancelled(shop: Workshop) -> None:
    """The user interrupts the job while two trials run."""
    config: dict[str, Any] = {"datasets": [shop.write_tasks("suite", SIX)], "n_concurrent_trials": 2}
    shop.run("cancelled", interrupt("t4", "cancel"), **config)


@scenario()
def cancelled_and_resumed(shop: Workshop) -> None:
    """The same, resumed: the cancelled trials keep their results."""
    config: dict[str, Any] = {"datasets": [shop.write_tasks("suite", SIX)], "n_concurrent_trials": 2}
    shop.run("cancelled-and-resumed", interrupt("t4", "cancel"), **config)
    shop.run("cancelled-and-resumed", interrupt("", ""), **config)


TWO_EACH = {"alpha": [text(1), text(0)], "beta": [text(1), text(1)]}


@scenario()
def slashes(shop: Workshop) -> None:
    """`/` in the names of agent and model; up to 0.3 the evals key has `-` instead."""
    shop.run(
        "slashes",
        in_turn(TWO_EACH),
        datasets=[shop.write_tasks("suite", ["alpha", "beta"])],
        agents=[agent("openrouter/openai/gpt-5"), agent("openrouter/openai/gpt-5", "SlashAgent")],
        n_attempts=2,
    )


@scenario()
def slash_in_dataset(shop: Workshop) -> None:
    """`/` in the name of a dataset: up to 0.3 metrics of a finished job are empty."""
    shop.run("slash-in-dataset", in_turn(TWO_EACH), **shop.write_slashed("org/suite", ["alpha", "beta"]), n_attempts=2)


@scenario()
def slash_twins(shop: Workshop) -> None:
    """Two models whose names differ in `/` and `-` alone: up to 0.3 they are one group."""
    shop.run(
        "slash-twins",
        lambda name, who, n: text(1 if "gpt/5" in who else 0.25, usage=used(1, 0.1)),
        datasets=[shop.write_tasks("suite", ["alpha", "beta"])],
        agents=[agent("lab/gpt/5"), agent("lab/gpt-5")],
    )


@scenario()
def separators(shop: Workshop) -> None:
    """`__` in the names of agent, model and dataset: metrics of a finished job are empty."""
    shop.run(
        "separators",
        in_turn(TWO_EACH),
        datasets=[shop.write_tasks("suite__v2", ["alpha", "beta"])],
        agents=[agent("lab/model__x", "UnderscoreAgent")],
        n_attempts=2,
    )


@scenario()
def not_numbers(shop: Workshop) -> None:
    """Rewards that are no numbers: kept by Harbors up to 0.22, refused by later ones."""
    shop.run(
        "not-numbers",
        in_turn(
            {
                "alpha": [text("nan")],
                "beta": [keyed('{"reward": 1e400}')],
                "gamma": [text(1)],
                "omega": [keyed('{"reward": true}')],
                "sigma": [text("plenty")],
                "theta": [Attempt({"reward.txt": ""})],
            }
        ),
        datasets=[shop.write_tasks("suite", ["alpha", "beta", "gamma", "omega", "sigma", "theta"])],
    )


@scenario(since="0.6")
def empty_rewards(shop: Workshop) -> None:
    """A reward.json of `{}`, which counts 0."""
    rewards = {"alpha": [keyed("{}")], "beta": [keyed('{"reward": 1}')], "gamma": [keyed("{}")]}
    shop.run("empty-rewards", in_turn(rewards), datasets=[shop.write_tasks("suite", list(rewards))])


@scenario()
def several_agents(shop: Workshop) -> None:
    """Two agents with two models and one without any, over two datasets of one job, in any order of ending."""
    wins = {"alpha": "10", "beta": "01", "gamma": "11"}

    def pick(task: str, who: str, n: int) -> Attempt:
        cost = 0.1 * (len(who) % 7)
        return text(wins[task][n % 2], usage=used(len(who), cost), seconds=0.01 * (len(task) * len(who) % 5))

    shop.run(
        "several-agents",
        pick,
        datasets=[shop.write_tasks("suite", ["alpha", "beta"]), shop.write_registry("peaks", ["gamma"], ["max"])],
        agents=[
            agent("lab/model-1"),
            agent("lab/model-2"),
            agent("model-without-provider", "UnderscoreAgent"),
            agent(None, "SlashAgent"),
        ],
        n_attempts=2,
        n_concurrent_trials=4,
    )


@scenario()
def agent_settings(shop: Workshop) -> None:
    """One agent and model with two efforts and by another provider: one evals group of three setups."""
    shop.run(
        "agent-settings",
        lambda task, who, n: keyed(f'{{"reward": {1 if n % 3 == 0 else 0}}}', usage=used(1 + n, 0.1)),
        datasets=[shop.write_tasks("suite", ["alpha", "beta"])],
        agents=[
            agent("lab/model-1", reasoning_effort="low"),
            agent("lab/model-1", reasoning_effort="high"),
            agent("other/model-1", reasoning_effort="high"),
        ],
        n_attempts=2,
    )


@scenario()
def no_verifier(shop: Workshop) -> None:
    """Verification switched off: no rewards at all, and no exceptions."""
    shop.run(
        "no-verifier",
        lambda task, who, n: Attempt(usage=used(1, 0.25)),
        datasets=[shop.write_tasks("suite", ["alpha", "beta"])],
        verifier={"disable": True},
    )


@scenario()
def wholes_and_fractions(shop: Workshop) -> None:
    """Whole numbers and fractions of one key, and one value in both spellings."""
    values = ["1", "1.0", "0", "0.0", "-0.0", "3", "0.1", "0.2", "1e16", "-1e16"]
    tasks = [f"t{index}" for index in range(len(values))]
    shop.run(
        "wholes-and-fractions",
        lambda task, who, n: keyed(f'{{"reward": {values[int(task[1:])]}}}'),
        datasets=[shop.write_tasks("suite", tasks)],
        metrics=["mean", "sum", "min", "max"],
    )


@scenario()
def one_dataset_twice(shop: Workshop) -> None:
    """One dataset listed twice: its metrics stand twice."""
    suite = shop.write_tasks("suite", ["alpha", "beta"])
    shop.run("one-dataset-twice", in_turn(TWO_EACH), datasets=[suite, suite], metrics=["mean"])
