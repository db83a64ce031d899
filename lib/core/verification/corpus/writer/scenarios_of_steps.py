"""Jobs of tasks with several steps, which Harbor has since 0.5."""

from drive import Workshop
from register import in_turn, keyed, scenario, text, used
from stand_ins import Attempt

STEPS = {"plan": "", "build": "", "check": ""}


@scenario(since="0.6")
def steps_mean(shop: Workshop) -> None:
    """The mean over steps, per key, where a key or a whole reward is missing in some of them."""
    shop.run(
        "steps-mean",
        in_turn(
            {
                "alpha": [text(0.1, usage=used(1, 0.1)), text(0.2, usage=used(2, 0.2)), text(0.7, usage=used(3, 0.3))],
                "beta": [keyed('{"reward": 1}'), text(0), text(0.5)],
            }
        ),
        datasets=[shop.write_tasks("suite", ["alpha", "beta"], steps=STEPS)],
    )


@scenario(since="0.6")
def steps_mean_of_keys(shop: Workshop) -> None:
    """The same with two keys, one of which a step lacks."""
    shop.run(
        "steps-mean-of-keys",
        in_turn({"alpha": [keyed('{"a": 1, "b": 0.1}'), keyed('{"a": 0}'), keyed('{"a": 1, "b": 0.2}')]}),
        datasets=[shop.write_tasks("suite", ["alpha"], steps=STEPS)],
    )


@scenario(since="0.6")
def steps_final(shop: Workshop) -> None:
    """The rewards of the last step, with one that is not good enough to go on after."""
    strict = {**STEPS, "plan": "min_reward = 0.5"}
    final = 'multi_step_reward_strategy = "final"'
    shop.run(
        "steps-final",
        in_turn({"alpha": [text(0.75), text(0.2), text(1)], "beta": [text(0.25), text(1), text(1)]}),
        datasets=[shop.write_tasks("suite", ["alpha", "beta"], steps=strict, head=final)],
    )


@scenario(since="0.6")
def failing_steps(shop: Workshop) -> None:
    """Steps that fail: the trial has no exception of its own, and no reward when it was the first step."""
    crash, silent = Attempt(error="RuntimeError", usage=used(1, 0.1)), Attempt()
    shop.run(
        "failing-steps",
        in_turn(
            {
                "alpha": [silent],
                "beta": [text(1), silent],
                "gamma": [crash],
                "omega": [text(0.25), text(0.5), text(1)],
            }
        ),
        datasets=[shop.write_tasks("suite", ["alpha", "beta", "gamma", "omega"], steps=STEPS)],
    )
