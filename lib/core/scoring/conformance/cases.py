"""Seeded inputs of every group of vectors. Nothing here knows an answer."""

import json
import random
import struct

SPECIAL_FLOATS = [
    0.0, -0.0, 1.0, -1.0, 0.5, 0.1, 0.2, 0.3, 1 / 3, 2 / 3, 1e-4, 9.999e-5, 1e-5, 1e15, 1e16, 1e17, 1e21, 1e22,
    2.0**53, 2.0**53 + 2, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, float("inf"), float("-inf"),
    float("nan"),
]
SPECIAL_INTS = [0, 1, -1, 2, 10, 2**31, 2**53, 2**53 + 1, 2**62, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 10**22, 10**400]
KEYS = ["reward", "correctness", "speed", "a", "Z", "é", "10", "2", "__proto__", "\U0001f600", "\uffff", ""]
EXCEPTIONS = ["AgentTimeoutError", "CancelledError", "RuntimeError", "VerifierTimeoutError", "ValueError"]


def random_float(rng):
    kind = rng.randrange(6)
    if kind == 0:
        return rng.choice(SPECIAL_FLOATS)
    if kind == 1:
        return struct.unpack("<d", rng.randbytes(8))[0]
    if kind == 2:
        return round(rng.random(), rng.randrange(1, 5))
    if kind == 3:
        return rng.random() * 10 ** rng.randrange(-8, 20)
    return rng.random()


def random_int(rng):
    if rng.random() < 0.2:
        return rng.choice(SPECIAL_INTS)
    return rng.randrange(-(2 ** rng.choice([3, 10, 64])), 2 ** rng.choice([3, 10, 64, 70]))


def everyday_reward(rng):
    return rng.choice([0, 1, 0.0, 1.0, 0.5, 0.85, round(rng.random(), 2), rng.random()])


def any_reward(rng):
    return rng.choice([everyday_reward, everyday_reward, random_float, random_int, lambda r: r.random() < 0.5])(rng)


def reward_dict(rng, reward=any_reward):
    keys = rng.sample(KEYS, rng.choice([0, 1, 1, 2, 3]))
    return {key: reward(rng) for key in keys}


def metric_cases(rng):
    lists = [[], [None], [{}], [None, {}], [{"reward": 0.1}] * 10, [{"reward": v} for v in (0.1, 0.2, 0.3)]]
    for values in (
        [1, 1.0], [1.0, 1], [True, 1], [1, True], [float("nan"), 1], [1, float("nan")], [-0.0], [-0.0, 0.0],
        [2**63 - 1, 1, 0.1, 0.2, 0.3], [2**63, 0.1, 0.2, 0.3], [0.1, 2**63, 0.2, 0.3], [0.1, 2**62, 0.2],
        [1e308, 1e308, -1e308], [1e16, 1.0, 1.0, -1e16], [10**400, 1], [10**400, 0.5], [0.5, 10**400],
        [2**53 + 1, 0, 0], [2**1024 - 2**970, 0], [10**400] * 3, [-(2**63), -1], [10**4299, 10**4299],
    ):
        lists.append([{"reward": value} for value in values])
    for _ in range(240):
        reward = rng.choice([any_reward, everyday_reward, random_float])
        size = rng.randrange(1, 12)
        if rng.random() < 0.5:
            key = rng.choice(KEYS)
            lists.append([None if rng.random() < 0.15 else {key: reward(rng)} for _ in range(size)])
        else:
            lists.append([None if rng.random() < 0.15 else reward_dict(rng, reward) for _ in range(size)])
    return lists


NUMBER_PIECES = ["0", "1", "7", "10", ".", "e", "E", "+", "-", "_", " ", "\n", "inf", "nan", "Infinity", "0x", "1.5",
                 "\xa0", "\u2003", "\x85", "\x1c", "\x1f", "\u200b", "\u0663", "\uff11", "\U0001d7d8", "\ufeff", "\0", ","]
NUMBER_TEXTS = ["1", "0", "1.0", " 1 \n", "1e0", "-1", "nan", "-NaN", "+inf", "-Infinity", "iNfInItY", "1e400", "-1e400",
                "1e-400", ".5", "5.", "1_0", "1__0", "_1", "1_", "1_.5", "1._5", "1e1_0", "1e_1", "", " ", "pass", "True",
                "1,0", "0x10", "\u0661\u0662.\u0665", "\uff11", "1\0", "\ufeff1", "1\r\n", "1\r", "9007199254740993",
                "0.1" + "0" * 400 + "1", "2.4703282292062328e-324", "1.7976931348623159e308", "1" * 5000, "\u180e1"]
JSON_TEXTS = ["{}", "[]", "null", "1", "-0", "-0.0", "1.0", "1e5", "1E+5", "1e400", "-1e400", "NaN", "Infinity", "-Infinity",
              "-NaN", "nan", "01", "+1", "1.", ".5", "1e", "1e+", "- 1", '"\\ud83d\\ude00"', '"\\ud83d"', '"\\x"', '"\\u12"',
              '"\t"', '"\x7f"', '{"a": 1, "b": 2, "a": 3}', '{"10": 1, "2": 2}', '{"__proto__": 1}', '{"a": 1,}', "[1,]",
              "[1 2]", "{1: 2}", "// x\n1", "1 1", "\ufeff1", " \r\n\t1 ", "\xa01", "\x0c1", "9" * 4300, "9" * 4301,
              "-" + "9" * 4300, "truefalse", "tru", '{"a" 1}', '{"a": }', "[", "{", '"', '"\\', '"a\\"', "1e5x", "[1.5e-3, 2E2]",
              '{"\\u00e9": "\\/\\b\\f\\n\\r\\t\\"\\\\"}', "123456789012345678901234567890", "0.1000000000000000055511151231257827"]
JSON_PIECES = ["{", "}", "[", "]", ":", ",", '"', '"a"', '"\\u00e9"', "\\", "1", "0", "-", ".5", "1.5", "e9", "null", "true", "false",
               "NaN", "Infinity", "-Infinity", " ", "\n", "\t", "\r\n", "é", "\U0001f600", "\x01", "x"]


def number_texts(rng):
    texts = list(NUMBER_TEXTS)
    for _ in range(400):
        texts.append("".join(rng.choice(NUMBER_PIECES) for _ in range(rng.randrange(1, 6))))
    for _ in range(80):
        texts.append(rng.choice([repr, lambda x: f"{x:.17g}", lambda x: f"{x:.20e}"])(random_float(rng)))
    return texts


def json_value(rng, depth=0):
    kind = rng.randrange(9 if depth < 3 else 6)
    if kind == 0:
        return rng.choice([None, True, False])
    if kind == 1:
        return random_int(rng)
    if kind in (2, 3):
        return random_float(rng)
    if kind in (4, 5):
        return "".join(rng.choice('ab"\\/\n\té\u2028\U0001f600\x7f\x00') for _ in range(rng.randrange(16)))
    if kind == 6:
        return [json_value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {rng.choice(KEYS): json_value(rng, depth + 1) for _ in range(rng.randrange(4))}


def json_texts(rng):
    texts = list(JSON_TEXTS)
    for _ in range(350):
        texts.append("".join(rng.choice(JSON_PIECES) for _ in range(rng.randrange(1, 9))))
    for _ in range(250):
        text = json.dumps(json_value(rng), ensure_ascii=rng.random() < 0.5, indent=rng.choice([None, None, 4]))
        if rng.random() < 0.25:
            cut = rng.randrange(len(text))
            text = text[:cut] + rng.choice(["", ",", '"', "0", "\\"]) + text[cut + 1 :]
        texts.append(text)
    return texts


def reward_files(rng):
    """Pairs of bytes of reward.txt and reward.json, None for absent."""
    yield from [(None, None), (b"", None), (None, b""), (b"1", b""), (b"1", b'{"reward": 0}'), (b"", b"{}")]
    yield from [(b"\xff1", None), (None, b'{"a": "\xff"}'), (b"\xed\xa0\x80", None), (b"\xef\xbb\xbf1", None)]
    yield from ((text.encode(), None) for text in number_texts(rng))
    yield from ((None, text.encode("utf-8", "surrogatepass")) for text in json_texts(rng))


def odd_rewards(rng):
    """Values that a reward.json may hold and pydantic then judges."""
    yield from [None, {}, [], [1], 1, 1.5, "x", True, "", {"a": None}, {"a": [1]}, {"a": {}}, {"a": 1, "b": "x", "c": None}]
    yield from ({"a": value} for value in SPECIAL_FLOATS + SPECIAL_INTS[:-1] + [True, False])
    yield from ({"reward": text} for text in number_texts(rng))
    pieces = ["0", "0", "1", "5", "_", "-", "+", ".", " ", "e", "\t", "inf", "nan"]
    yield from ({"a": "".join(rng.choice(pieces) for _ in range(rng.randrange(1, 7)))} for _ in range(500))
    yield from [{"a": text} for text in (" 1_0", "0-5", "+0-0_1", "1_0 ", "0_-_5 ", "-0-5", "00-00", "- 1_0", "0_1.00 ")]
    yield from (reward_dict(rng, lambda r: json_value(r, 2)) for _ in range(60))


def group_names(rng):
    return rng.choice(["codex", "oracle", "a__b"]), rng.choice([None, "", "gpt", "m__x"]), rng.choice([None, "", "bench", "my__set", "tb@2.0"])


def pass_at_k_trials(rng):
    trials = []
    for agent, model, source in dict.fromkeys(group_names(rng) for _ in range(rng.randrange(1, 4))):
        is_plain = rng.random() < 0.8
        attempts = rng.randrange(1, 18)
        for task in range(rng.randrange(1, 6)):
            for _ in range(attempts + rng.randrange(3)):
                value = rng.choice([0, 1, 0.0, 1.0, -0.0, True, False])
                rewards = None if rng.random() < 0.1 else {"rewards": {"reward": value}}
                if not is_plain and rng.random() < 0.05:
                    rewards = {"rewards": rng.choice([None, {}, {"reward": 0.5}, {"a": 1, "b": 1}, {"reward": 2}])}
                trials.append(make_trial(len(trials), f"task-{task}", agent, model, source, rewards))
    rng.shuffle(trials)
    return trials


def make_trial(index, task, agent, model, source, rewards):
    return {
        "trial_name": f"{task}__{index:03d}", "task_name": task, "agent": agent, "model": model, "source": source,
        "rewards": rewards,
    }


def random_usage(rng):
    counts = {name: rng.choice([None, 0, rng.randrange(10**6)]) for name in ("n_input_tokens", "n_cache_tokens", "n_output_tokens")}
    return counts | {"cost_usd": rng.choice([None, 0.0, -0.0, 0.1, rng.random(), 3])}


def job_trials(rng, reward=everyday_reward):
    """A job's trials with every mixture of rewards, exceptions and usage that Harbor can record."""
    groups = [group_names(rng) for _ in range(rng.choice([1, 1, 2, 3]))]
    shape = rng.choice(["single", "pass or fail", "pass or fail", "several"])
    if shape == "pass or fail":
        slots = [(group, task) for _ in range(rng.randrange(1, 6)) for task in range(rng.randrange(1, 4)) for group in groups[:2]]
    else:
        slots = [(rng.choice(groups), rng.randrange(3)) for _ in range(rng.randrange(1, 14))]
    trials = []
    for index, ((agent, model, source), task) in enumerate(slots):
        rewards = {"single": lambda: {"reward": reward(rng)}, "pass or fail": lambda: {"reward": rng.choice([0, 1, 0.0, 1.0])},
                   "several": lambda: reward_dict(rng, reward)}[shape]()
        verifier_result = rng.choice([{"rewards": rewards}] * 8 + [None, {"rewards": None}])
        trial = make_trial(index, f"task-{task}", agent, model, source, verifier_result)
        trial["exception_type"] = rng.choice([None, None, None, rng.choice(EXCEPTIONS)])
        trial["usage"] = rng.choice([None, random_usage(rng)])
        trial["step_usages"] = rng.choice([None, [rng.choice([None, random_usage(rng)]) for _ in range(rng.randrange(3))]])
        trials.append(trial)
    return trials


def step_lists(rng):
    yield from [[], [None], [{"rewards": None}], [{"rewards": {}}], [None, {"rewards": {"a": 10**400}}, {"rewards": {"a": 0.5}}]]
    for _ in range(240):
        yield [rng.choice([None, {"rewards": None}] + [{"rewards": reward_dict(rng)}] * 5) for _ in range(rng.randrange(1, 6))]


def results_of_jobs(rng):
    """Bytes of a job's result.json, None for no file; well formed, odd and broken."""
    counts = [0, 1, 3, 7, None, "3", " 1_0 ", "3.0", "", True, False, 2.9, [], {}, -2, 10**30, "\u0663", [1], {"a": 1}, float("nan"),
              float("inf"), 10**400]
    values = [0.5, 1, 0, True, "0.5", " 1 ", "x", None, [], float("nan"), 1e308, 10**400, 0.1]
    yield from [None, b"", b"{}", b"[]", b"null", b"NaN", b"\xff", b'{"stats": null}', b'{"stats": []}', b'{"stats": {"evals": null}}',
                b'{"stats": {"evals": []}}', b'{"stats": {"evals": {"a": null}}}', b"\xef\xbb\xbf{}"]
    for odd in (None, {}, "", "mean", {"mean": 1}, [None], [[]], [["mean"]], ["mean"], [1], 1, True, [{}], [{"mean": None}]):
        yield json.dumps({"n_total_trials": 2, "stats": {"evals": {"a": {"metrics": odd}}}}).encode()
    for _ in range(420):
        is_odd = rng.random() < 0.4
        count = (lambda: rng.choice(counts)) if is_odd else (lambda: rng.randrange(6))
        value = (lambda: rng.choice(values)) if is_odd else (lambda: everyday_reward(rng))
        evals = {}
        for index in range(rng.randrange(4)):
            names = rng.choice([["mean"], ["mean"], ["max"], ["correctness", "speed"], ["extra", "mean"]])
            evals[f"agent{index}__bench"] = {"metrics": [{name: value() for name in names} for _ in range(rng.randrange(3))]}
        stats = {"n_completed_trials": count(), "n_errored_trials": rng.choice([0, count()]), "evals": evals}
        yield json.dumps({"n_total_trials": count(), "stats": stats}).encode()


def reason_texts(rng):
    words = ["reward", "missing", "empty", "parse", "malformed", "broker", "connection", "refused", "reset", "submission", "code", "runtime",
             "AgentTimeoutError", "Cancelled Error", "CanceledError", "verifier-timeout-error", "environment start timeout error",
             "harbor_reward_empty", "HARBOR-NONZERO-EXIT", "terminal bench lease expired", "submission code failure", "Exit 137", "été",
             "\xa0x", "İ", "ΣΣ", "\u0663", "²", "—"]
    joints = ["", " ", "  ", "-", "_", ": ", "\n", "\x1c", "\u2003"]
    yield from [None, "", " ", "\x1f", "-", "_", "agent_hydrate_failed", "submissionCodeFailure", "Environment-Start-Timeout-Error"]
    yield from words
    for _ in range(320):
        count = rng.randrange(1, 4)
        yield "".join(rng.choice(joints) + rng.choice(words) for _ in range(count)) + rng.choice(joints)


def rounding_floats(rng):
    yield from (x for x in SPECIAL_FLOATS if x == x and abs(x) != float("inf"))
    yield from (n / 32 + m for n in range(1, 32, 2) for m in (0, 7, -100))
    yield from (n / 2 for n in range(-7, 8))
    yield from (round(rng.random(), 5) for _ in range(150))
    for _ in range(400):
        x = random_float(rng)
        if x == x and abs(x) != float("inf"):
            yield x


def seeded(name):
    return random.Random(f"assay {name}")
