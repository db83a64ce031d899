import { expect, it } from "vitest";

import { FAILURE_CLASSES } from "./classes";
import { type Fact, FACTS } from "./facts";
import { makeRuleSet } from "./rule-set";
import { Classifier, parseRules, type RuleSet } from "./rules";
import { type Signal, SIGNAL_KINDS, type SignalKind } from "./signals";

const signal = (kind: SignalKind, text: string): Signal => ({
  kind,
  text,
  place: { file: "a.txt", line: 1, step: null },
});

const classify = (set: RuleSet, facts: readonly Fact[], signals: readonly Signal[] = []) => {
  const { failureClass, rule, evidence } = new Classifier(set).classify({ facts: new Set(facts), signals });
  return { failureClass, rule, shown: evidence.map(({ text }) => text) };
};

const OWN = `
# Mine
[[rule]]
id = "gpu-lost"
class = "infrastructure"
why = "The GPU fell off the bus."
facts = ["agent-ended", "!exception"]
match = [{ verifier-output = 'xid \\d+' }, { end = "gpu is gone" }]
show = ["failed-test"]
`;

it("are tried in their order, the user's own first, each with the evidence that it names", () => {
  const { set, problems } = makeRuleSet(OWN);
  expect(problems).toEqual([]);
  const facts = ["agent-ended", "rewarded", "reward-zero", "tests-failed"] as const;
  const signals = [signal("failed-test", "test_a"), signal("verifier-output", "NVRM: Xid 79")];
  expect(classify(set, facts, signals)).toEqual({
    failureClass: "infrastructure",
    rule: "gpu-lost",
    shown: ["NVRM: Xid 79", "test_a"],
  });
  expect(classify(set, facts, [signal("failed-test", "xid 79")])).toMatchObject({
    failureClass: "wrong_answer",
    shown: ["xid 79"],
  });
  expect(classify(set, [...facts, "exception"], signals).rule).not.toBe("gpu-lost");
  expect(classify(makeRuleSet(null).set, facts, signals).failureClass).toBe("wrong_answer");
});

it("leave trials that match none of them unexplained", () => {
  const { set } = makeRuleSet(null);
  expect(classify(set, ["agent-ended", "rewarded", "reward-zero"])).toMatchObject({
    failureClass: "unexplained",
    rule: null,
  });
});

it("have another version as soon as one of them differs, and the same one for the same text", () => {
  const versions = [null, OWN, OWN.replace("79", "80").replace("bus", "rack"), OWN].map(
    (text) => makeRuleSet(text).set.version,
  );
  expect(new Set(versions).size).toBe(3);
  expect(versions[1]).toBe(versions[3]);
});

it("take the place of one of ours by its id", () => {
  const own =
    '[[rule]]\nid = "agent-timeout"\nclass = "infrastructure"\nwhy = "Slow disks."\nfacts = ["in-agent"]';
  const timeout = [signal("exception", "AgentTimeoutError: after 5 s")];
  expect(classify(makeRuleSet(null).set, ["exception"], timeout).failureClass).toBe("out_of_time");
  expect(classify(makeRuleSet(own).set, ["exception"], timeout).failureClass).not.toBe("out_of_time");
});

it("are refused as a whole with line and rule of each mistake, and ours stay in force", () => {
  const broken = `${OWN}
[[rule]]
id = "second"
class = "bad luck"
why = "x"
facts = ["rainy"]
match = [{ end = "(" }]
`;
  const { set, problems } = makeRuleSet(broken);
  expect(set).toEqual(makeRuleSet(null).set);
  expect(problems.map(({ line, rule }) => `${line} ${rule}`)).toEqual(problems.map(() => "11 second"));
  const said = problems.map(({ detail }) => detail).join("\n");
  for (const word of ["class", "rainy", "match.0.end"]) expect(said).toContain(word);
  const torn = parseRules('[[rule]]\nid = "a\n');
  expect(torn).toMatchObject({ ok: false, problems: [{ line: 2, rule: null }] });
  const twice = parseRules(OWN + OWN);
  expect(twice).toMatchObject({ ok: false, problems: [{ line: 12, rule: "gpu-lost" }] });
});

it("say of an exception of Harbor's whose it was", () => {
  const { set } = makeRuleSet(null);
  const say = (text: string, ...facts: Fact[]) =>
    classify(set, ["exception", ...facts], [signal("exception", text)]).failureClass;
  expect(say("AgentTimeoutError: x", "in-agent", "rewarded")).toBe("out_of_time");
  expect(say("ContextWindowExceededError: x", "in-agent")).toBe("out_of_context");
  expect(say("OutputTokenExceededError: x", "in-agent")).toBe("out_of_output");
  expect(say("ApiUsageLimitError: x", "in-agent")).toBe("out_of_budget");
  expect(say("ApiRateLimitError: x", "in-agent")).toBe("provider");
  expect(say("SandboxBuildFailedError: x", "in-environment")).toBe("infrastructure");
  expect(say("VerifierTimeoutError: x", "in-verifier")).toBe("verifier");
  expect(say("TimeoutError: ", "in-verifier")).toBe("verifier");
  expect(say("NonZeroAgentExitCodeError: Command failed (exit 143): x", "in-agent")).toBe("agent_crashed");
  expect(say("KeyError: 'x'", "in-agent")).toBe("agent_crashed");
  // The command contains the prompt: its words are the task's, not the failure's.
  const run =
    "RuntimeError: Command failed (exit 1): agent -- 'Mend the server.\nIt says: prompt is too long'";
  expect(say(`${run}\nstdout: None\nstderr: done`, "in-agent")).toBe(
    say("RuntimeError: Command failed (exit 1): agent", "in-agent"),
  );
  expect(say("RuntimeError: Docker failed. Command: run 'no space left on device' Return code: 1")).toBe(
    "unexplained",
  );
  expect(say("CancelledError: ", "in-setup")).toBe("cancelled");
  // Nothing says when it was raised.
  expect(say("KeyError: 'x'")).toBe("unexplained");
});

it("name no cause that they cannot know", () => {
  const { set } = makeRuleSet(null);
  const ended = ["agent-ended", "rewarded", "reward-zero", "has-steps", "has-end"] as const;
  const handed = [signal("end", "You are being transferred to a human agent.")];
  // Trials that end so pass as often as they fail.
  expect(classify(set, ended, handed)).toMatchObject({ failureClass: "wrong_answer", rule: "handed-over" });
  expect(classify(set, [...ended, "tests-failed"], handed).rule).toBe("tests-failed");
  const asked = [signal("end", "Would you like me to go on?")];
  expect(classify(set, ended, asked).failureClass).toBe("stopped_early");
  // Files that no rule looks at may say why.
  for (const { why } of set.rules) expect(why).not.toMatch(/nothing that is left/);
});

it("call a lost environment infrastructure in every phase, by type, message and innermost frames", () => {
  const { set } = makeRuleSet(null);
  const phases = ["in-environment", "in-setup", "in-agent", "in-verifier"] as const;
  const say = (text: string, phase: Fact, ...more: readonly Signal[]) =>
    classify(set, ["exception", phase], [signal("exception", text), ...more]).failureClass;
  const texts = [
    "DaytonaError: Failed to execute session command: 502 Bad Gateway",
    "NotFoundError: Modal Sandbox with container ID ta-01 not found. It has already shut down.",
    "TimeoutException: The sandbox was not found: likely due to sandbox timeout",
    "InfraBootstrapFailure: curl_package_missing",
    "BlockError: Infrastructure API blocked for 600s",
    "OSError: [Errno 7] Argument list too long: 'docker'",
    "RuntimeError: Error response from daemon: no such container: abc",
    "HealthcheckError: service db is unhealthy",
  ];
  for (const text of texts)
    for (const phase of phases) expect(say(text, phase), `${text} ${phase}`).toBe("infrastructure");
  expect(say("AgentSetupTimeoutError: after 360 s", "in-setup")).toBe("infrastructure");
  const frame = (...folders: readonly string[]) =>
    signal("traceback", folders.map((folder) => `  File "/x/${folder}/a.py", line 7, in f`).join("\n"));
  const lost = frame("harbor/trial", "harbor/agents", "harbor/environments/docker", "asyncio");
  expect(say("ConnectionResetError: ", "in-agent", lost)).toBe("infrastructure");
  expect(say("ConnectionResetError: ", "in-verifier", lost)).toBe("infrastructure");
  // The environment ran the command; the raiser is further in.
  const own = frame("harbor/environments", "harbor/agents");
  expect(say("KeyError: 'x'", "in-agent", own)).toBe("agent_crashed");
  expect(say("AgentTimeoutError: x", "in-agent", lost)).toBe("out_of_time");
  // Output of the agent's tools about a sandbox does not prove a sandbox error.
  const said =
    "NonZeroAgentExitCodeError: Command failed (exit 1): run\nstdout: DaytonaError: gone\nstderr: None";
  expect(say(said, "in-agent")).toBe("agent_crashed");
});

it("take a type that a pattern gave a failed command for an exit code, unless the service's own error is there", () => {
  const { set } = makeRuleSet(null);
  const guessed = (type: string) =>
    signal("exception", `${type}: Command failed (exit 1): orca\nstdout: curl: rate limit\nstderr: None`);
  const say = (type: string, ...more: readonly Signal[]) =>
    classify(set, ["exception", "in-agent"], [guessed(type), ...more]).failureClass;
  for (const type of [
    "NetworkConnectionError",
    "ApiUsageLimitError",
    "ContextWindowExceededError",
    "OutputTokenExceededError",
    "AgentSafetyRefusalError",
  ])
    expect(say(type), type).toBe("agent_crashed");
  const error = (text: string) => signal("provider-error", text);
  expect(say("NetworkConnectionError", error("API Error: Connection error."))).toBe("provider");
  expect(say("ApiUsageLimitError", error("You've hit your usage limit."))).toBe("out_of_budget");
  expect(say("AgentSafetyRefusalError", signal("stop", "refusal: refusal"))).toBe("stopped_early");
  // Raised by a client and not guessed.
  expect(
    classify(set, ["exception", "in-agent"], [signal("exception", "ApiRateLimitError: 429")]).failureClass,
  ).toBe("provider");
});

it("go by why the agent stopped before they call its answer wrong", () => {
  const { set } = makeRuleSet(null);
  const facts = ["agent-ended", "rewarded", "reward-zero", "tests-failed", "has-steps"] as const;
  const say = (text: string, ...more: readonly Fact[]) =>
    classify(set, [...facts, ...more], [signal("stop", text)]).failureClass;
  expect(say("output limit: max_tokens")).toBe("out_of_output");
  expect(say("context limit: model_length")).toBe("out_of_context");
  expect(say("turn limit: error_max_turns")).toBe("out_of_turns");
  expect(say("refusal: content_filter")).toBe("stopped_early");
  expect(say("aborted: turn_aborted")).toBe("cancelled");
  expect(say("error: API Error: 529 Overloaded")).toBe("provider");
  expect(say("error: HTTP 402: payment required")).toBe("out_of_budget");
  expect(say("output limit: length", "verifier-died")).toBe("verifier");
});

it("call an account's own limit out of budget, and a limit of minutes or an outage the provider's", () => {
  const { set } = makeRuleSet(null);
  const ended = ["agent-ended", "rewarded", "reward-zero", "has-steps", "has-end"] as const;
  const listClasses = (text: string) => [
    classify(set, ["exception", "in-agent"], [signal("exception", `APIError: ${text}`)]).failureClass,
    classify(
      set,
      ["exception", "in-agent"],
      [signal("exception", "NonZeroAgentExitCodeError: x"), signal("provider-error", text)],
    ).failureClass,
    classify(set, ended, [signal("stop", `error: ${text}`)]).failureClass,
    classify(set, ended, [signal("stop", `error: API Error: ${text}`)]).failureClass,
  ];
  const spent = [
    "HTTP 402 Payment Required",
    "Error code: 402 - {'message': 'Insufficient Balance'}",
    "You've hit your usage limit. Upgrade to Pro or try again at 5:02 PM.",
    "You've hit your limit · resets 3pm (UTC)",
    "Claude AI usage limit reached|1760000000",
    "5-hour limit reached ∙ resets 8pm",
    "The usage limit has been reached",
    "You have reached your specified API usage limits. You will regain access on 2030-01-01.",
    "Your credit balance is too low to access the API.",
    "429 You exceeded your current quota, please check your plan and billing details.",
    "429 insufficient_quota",
    "Key limit exceeded (total limit)",
    "Insufficient credits. Add more to go on.",
    "Your team has used all available credits or reached its monthly spending limit.",
    "Rate limit reached for model on tokens per day (TPD): Limit 100000",
    "Rate limit exceeded: free-models-per-day.",
    "You have exhausted your daily quota on this model.",
    "429 RESOURCE_EXHAUSTED: Quota exceeded for this model",
    "Quota exceeded for metric: generate_content_requests, limit: 50",
    "Error code: quota_exceeded",
    "Budget has been exceeded! Current cost: 10.0, Max budget: 5.0",
    "Monthly budget exceeded",
  ];
  for (const text of spent)
    expect(listClasses(text), text).toEqual(Array.from({ length: 4 }, () => "out_of_budget"));
  const refused = [
    "429 Too Many Requests: rate limit exceeded",
    "429 Rate limit reached for model on tokens per min (TPM): Limit 30000",
    "429 This request would exceed your organization's rate limit of 40,000 input tokens per minute.",
    "429 rate limit: You exceeded your current quota. quotaId: GenerateRequestsPerMinutePerProject",
    "529 Overloaded",
    "503 Service Unavailable",
    "502 Bad Gateway",
    "Connection error.",
    "401 authentication_error: invalid x-api-key",
  ];
  for (const text of refused)
    expect(listClasses(text), text).toEqual(Array.from({ length: 4 }, () => "provider"));
  const others = [
    "memory quota exceeded",
    "EDQUOT: quota exceeded, write",
    "thinking budget exceeded",
    "key limit exceeded: maximum 5 keys",
  ];
  for (const text of others) expect(listClasses(text), text).not.toContain("out_of_budget");
  // The sandbox's account is no account of the model's service.
  const full = [signal("exception", "BadRequestError: quota exceeded: 3 devboxes")];
  expect(classify(set, ["exception", "in-environment"], full).failureClass).toBe("infrastructure");
  const disk = [signal("exception", "OSError: [Errno 122] Disk quota exceeded")];
  expect(classify(set, ["exception", "in-agent"], disk).failureClass).toBe("agent_crashed");
});

it("take a call that is the whole message or its end for a call, and words about calls for words", () => {
  const { set } = makeRuleSet(null);
  const facts = ["agent-ended", "rewarded", "reward-zero", "has-calls", "has-steps", "has-end"] as const;
  const say = (text: string) => classify(set, facts, [signal("end", text)]).failureClass;
  const calls = [
    "<tool_call>\n<function=editor>\n</function>\n</tool_call>",
    '<tool_call>{"name": "bash"',
    "Next I list them.\n<function=ls>\n</function>",
    'I look.\n<tool_call>{"name": "bash"}</tool_call>',
  ];
  for (const text of calls) expect(say(text), text).toBe("stopped_early");
  const words = [
    "The parser now handles <tool_call> tags.",
    "I documented `<invoke name=...>` in README.",
    "Let me summarize what was done:\n- x\n- y",
  ];
  for (const text of words) expect(say(text), text).toBe("wrong_answer");
});

it("separate trials whose only kept file is the result", () => {
  const { set } = makeRuleSet(null);
  const facts = ["agent-ended", "rewarded", "reward-zero"] as const;
  expect(classify(set, [...facts, "result-only"]).failureClass).toBe("no_evidence");
  expect(classify(set, facts).failureClass).toBe("unexplained");
});

it("know every class but that of what they do not explain", () => {
  const classes = new Set(makeRuleSet(null).set.rules.map(({ failureClass }) => failureClass));
  expect(FAILURE_CLASSES.filter((one) => !classes.has(one))).toEqual(["unexplained"]);
});

it("are not stopped on texts that make a pattern go back and forth", () => {
  const classifier = new Classifier(makeRuleSet(null).set);
  const parts = [
    "a",
    " ",
    "\n",
    '"',
    "error ",
    "please provide ",
    "let me ",
    "i cannot ",
    "/x.y",
    '  File "/anthropic/',
    ": ",
  ];
  for (const part of parts) {
    const text = part.repeat(Math.ceil(2_000 / part.length));
    const signals = SIGNAL_KINDS.map((kind) => signal(kind, text));
    // Every fact, and none, so that each rule comes to its patterns.
    for (const facts of [FACTS, []]) {
      const { stopped } = classifier.classify({ facts: new Set(facts), signals });
      expect(stopped, JSON.stringify(part)).toBeNull();
    }
  }
});
