import { ACCOUNT_LIMIT } from "../account-limit";

export const RULES_OF_ANSWERS = String.raw`
# --- No exception: the verifier itself ---

[[rule]]
id = "verifier-crashed"
class = "verifier"
why = "The verifier died with a traceback of its own, and no test run came to an end."
facts = ["rewarded", "verifier-died", "!log-failure"]
show = ["verifier-output"]

[[rule]]
id = "verifier-not-set-up"
class = "verifier"
why = "The verifier could not install or start what it runs, and no test run came to an end."
facts = ["rewarded", "!log-summary", "!tests-failed", "!tests-passed"]
match = [
  { verifier-output = '\b(?:uvx?|pip3?|pytest|python3?|curl|wget|npm|npx|node|go|cargo|apt-get|bash): (?:command )?not found' },
  { verifier-output = "command not found\\)?$" },
  { verifier-output = 'request failed after \d+ retries|could not resolve host|temporary failure (?:in name resolution|resolving)|unable to (?:fetch|locate package)|ssl_error|failed to download|no module named pytest' },
]

[[rule]]
id = "verifier-patch-conflict"
class = "verifier"
why = "What the agent left could not be put into the verifier's copy, which has files of the same names already."
facts = ["rewarded", "!tests-failed"]
match = [{ verifier-output = 'already exists in working directory' }]
show = ["verifier-output"]

[[rule]]
id = "tests-passed-reward-zero"
class = "verifier"
why = "All tests that the verifier names passed, and yet the reward is 0."
facts = ["rewarded", "reward-zero", "log-summary", "tests-passed", "!tests-failed", "!log-failure"]
show = ["verifier-output"]

[[rule]]
id = "oracle-failed"
class = "task_broken"
why = "The task's own solution ran to its end and did not pass the task's own verifier."
facts = ["oracle", "agent-ended", "rewarded"]
show = ["failed-test", "verifier-output"]

[[rule]]
id = "nop-does-nothing"
class = "no_answer"
why = "The agent nop does nothing: a trial of it is not meant to pass."
facts = ["nop", "agent-ended", "rewarded"]
show = ["failed-test"]

# --- No exception: how the agent ended ---

[[rule]]
id = "credits-spent-at-end"
class = "out_of_budget"
why = "The last thing in the trace is the service's error that no credit or allowance is left."
facts = ["agent-ended"]
match = [{ stop = '^error: [\s\S]*(?:${ACCOUNT_LIMIT})' }]

[[rule]]
id = "provider-said-no"
class = "provider"
why = "The last thing in the trace is an error of the model's service."
facts = ["agent-ended"]
match = [{ stop = '^error: ' }]

[[rule]]
id = "nothing-done"
class = "no_answer"
why = "The trace has no step of the agent."
facts = ["agent-ended", "rewarded", "no-agent-steps"]
show = ["agent-log"]

[[rule]]
id = "output-empty"
class = "no_answer"
why = "The file for the agent's answer is empty, and no call of the agent names one."
facts = ["agent-ended", "rewarded", "output-empty", "!output-named"]
show = ["end", "verifier-output"]

[[rule]]
id = "call-written-as-text"
class = "stopped_early"
why = "The agent's last message is a tool call written as text, which nothing ran, and with it the agent ended."
facts = ["agent-ended", "has-calls", "!ends-in-call"]
match = [
  { end = '(?<![\s\S])\s*<(?:(?:tool_call|function_calls?)>\s*[{<]|invoke name=|function=)' },
  { end = '^(?:<(?:tool_call|function_calls?)>[^\n]*)?</(?:tool_call|function_calls?|invoke|function)>\s*(?![\s\S])' },
]

[[rule]]
id = "asks-the-user"
class = "stopped_early"
why = "The last message of the agent asks for something, which it never got."
facts = ["agent-ended", "!ends-in-call"]
match = [
  { end = "\\bplease (?:provide|confirm|share|clarify|choose|tell me|send)\\b[^\\n.?!]{0,300}[.?!]?[\"'}\\s]*$" },
  { end = "(?:would you like (?:me )?to|do you want me to|shall i|should i|could you (?:please )?(?:provide|clarify|confirm)|please (?:provide|clarify|confirm|let me know (?:which|how|if you want)))[^.!?\\n]{0,300}\\?\\s*(?:\\([^)\\n]{0,60}\\)\\s*)?$" },
]

[[rule]]
id = "announced-and-stopped"
class = "stopped_early"
why = "The agent's last message announces its next action, which never came."
facts = ["agent-ended", "!ends-in-call"]
match = [
  { end = "(?:^|[.!?:\\n]\\s*)(?:now,? |next,? |great[,!]? |good[,!]? |first,? |so )?(?:let me|let's|i will(?: now)?|i'll(?: now)?|i'm going to|i am going to|i need to)\\b[^.!?\\n]{0,300}(?::|\\.\\.\\.|…)\\s*(?![\\s\\S])" },
]

[[rule]]
id = "gave-up"
class = "stopped_early"
why = "The agent says in its last message that it could not do it."
facts = ["agent-ended", "!ends-in-call"]
match = [
  { end = "\\bi (?:was not able|wasn't able|am not able|am unable|was unable|could not|couldn't|cannot|can't) (?:to )?(?:complete|finish|solve|find a solution|proceed|continue|do (?:this|that|the task))\\b" },
]

[[rule]]
id = "answer-file-absent"
class = "no_answer"
why = "The verifier looked for a file of the answer, found none, and ran nothing else."
facts = ["agent-ended", "rewarded", "!tests-failed", "!tests-passed", "!log-summary"]
match = [
  { verifier-output = '^(?:\[\w+\]\s*)?(?:error: )?[\w./-]*/[\w.-]+(?: (?:was )?not found| does not exist| is missing|: no such file or directory)\.?$' },
]

# --- No exception: the verdict ---

[[rule]]
id = "partial-reward"
class = "partial_credit"
why = "The agent ended by itself, and the verifier gave a part of the reward."
facts = ["agent-ended", "reward-partial"]
show = ["failed-test", "end", "verifier-output"]

[[rule]]
id = "answer-not-found"
class = "no_answer"
why = "The verifier ended because a file that the agent should have written is not there."
facts = ["agent-ended", "reward-zero", "answer-not-found"]
show = ["verifier-output", "end"]

[[rule]]
id = "answer-raised"
class = "wrong_answer"
why = "The verifier ran the agent's files, and they raised an error that ended it."
facts = ["agent-ended", "reward-zero", "answer-raised"]
show = ["verifier-output", "end"]

[[rule]]
id = "answer-absent"
class = "no_answer"
why = "The agent ended by itself, and every failed test says that what it looked for is not there; none passed."
facts = ["agent-ended", "reward-zero", "tests-failed", "answer-absent", "!tests-passed"]
show = ["failed-test", "verifier-output", "end"]

[[rule]]
id = "tests-failed"
class = "wrong_answer"
why = "The agent ended by itself, the verifier ran its tests, and some failed."
facts = ["agent-ended", "reward-zero", "tests-failed"]
show = ["failed-test", "end"]

[[rule]]
id = "log-says-failed"
class = "wrong_answer"
why = "The agent ended by itself, and the verifier's log ends with tests that failed."
facts = ["agent-ended", "reward-zero", "log-failure"]
show = ["verifier-output", "end"]

[[rule]]
id = "build-failed"
class = "wrong_answer"
why = "The agent ended by itself, and the verifier could not build what it left."
facts = ["agent-ended", "reward-zero"]
match = [
  { verifier-output = '\bbuild failed\b|metadata-generation-failed|compilation (?:failed|terminated)|could not compile' },
]
show = ["end"]

[[rule]]
id = "handed-over"
class = "wrong_answer"
why = "The agent ended by handing the conversation over, and the verifier gave no point. Whether it should have is not recorded."
facts = ["agent-ended", "reward-zero", "!ends-in-call"]
match = [
  { end = '\b(?:transferr(?:ed|ing)|escalat(?:ed|ing)|hand(?:ed|ing)) (?:you |this |it )?(?:over )?to an? (?:human|live|supervisor|specialist|person)' },
]

[[rule]]
id = "answer-graded-zero"
class = "wrong_answer"
why = "The agent ended by itself with an answer, and the verifier gave no point."
facts = ["agent-ended", "reward-zero", "has-steps", "has-end"]
show = ["end", "verifier-output"]

[[rule]]
id = "output-graded-zero"
class = "wrong_answer"
why = "The agent wrote the file for its answer and ended by itself, and the verifier gave no point."
facts = ["agent-ended", "reward-zero", "output-named"]
show = ["end", "verifier-output"]

# --- What is left of trials without a result ---

[[rule]]
id = "missing"
class = "missing"
why = "There is no result: the trial was planned or begun, and its job is over."
facts = ["missing"]
show = ["exception", "agent-log", "end"]

# --- Nothing to go by ---

[[rule]]
id = "no-evidence"
class = "no_evidence"
why = "The trial did not pass, and no file of it was kept but its result."
facts = ["result-only", "!exception", "!missing"]
`;
