import { symlinkSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { makeRuleSet } from "@/lib/core/triage/rule-set";
import { Classifier } from "@/lib/core/triage/rules";
import { prepareRoots, readCatalog } from "@/lib/read/catalog";
import { type FolderFiles, jobResult, makeFolder, trialResult } from "@/lib/testing/folder.fixture";

import { readFailureSignals } from "./read-failure-signals";

const NAME = "alpha__aaaaaaa";

/** A job of one trial that got no point, with these files in the trial's folder. */
function makeJob(files: FolderFiles, over: FolderFiles = {}): string {
  const own = Object.entries(files).map(([path, content]) => [`run/${NAME}/${path}`, content] as const);
  return makeFolder({
    "run/result.json": jobResult({ [NAME]: 0 }),
    [`run/${NAME}/result.json`]: trialResult(NAME, 0, over),
    ...Object.fromEntries(own),
  });
}

async function read(folder: string) {
  const [root] = prepareRoots([folder]);
  const [trial] = readCatalog({ roots: [folder] }).jobs.flatMap(({ trials }) => trials);
  if (root === undefined || trial === undefined) throw new Error("there is no trial");
  const { facts, signals } = await readFailureSignals(root, trial);
  return {
    facts,
    signals,
    say: (kind: string) => signals.flatMap((one) => (one.kind === kind ? [one.text] : [])),
  };
}

const step = (step_id: number, source: string, message: string, more: FolderFiles = {}) => ({
  step_id,
  source,
  message,
  ...more,
});
const trajectory = (...steps: readonly FolderFiles[]) => ({
  schema_version: "ATIF-v1.6",
  session_id: "s",
  agent: { name: "orca", version: "1", model_name: "lab/m1" },
  steps: [step(1, "user", "Do it"), ...steps],
});
const call = (id: string, command: string, content: string) => ({
  tool_calls: [{ tool_call_id: id, function_name: "bash", arguments: { command } }],
  observation: { results: [{ source_call_id: id, content }] },
});

it("finds how the agent ended, and the last step that went wrong, each with its step", async () => {
  const { facts, signals, say } = await read(
    makeJob({
      "agent/trajectory.json": trajectory(
        step(2, "agent", "I build.", call("a", "make", "cc: fatal error: no input\nexit code: 2")),
        step(3, "agent", "It does not build. Please provide the sources."),
      ),
    }),
  );
  expect(say("end")).toEqual(["It does not build. Please provide the sources."]);
  expect(signals.find(({ kind }) => kind === "end")?.place).toMatchObject({
    file: "agent/trajectory.json",
    step: "3",
  });
  expect(signals.find(({ kind }) => kind === "step-error")).toMatchObject({ place: { step: "2" } });
  expect([...facts]).toEqual(expect.arrayContaining(["agent-ended", "has-calls", "has-end", "reward-zero"]));
  expect(facts.has("ends-in-call")).toBe(false);
});

it("takes errors of the model's service from records that say they are errors, never from what a tool gave back", async () => {
  const { say } = await read(
    makeJob({
      "agent/codex.txt": [
        '{"type":"item.completed","item":{"output":"error 429: rate limit, quota exceeded"}}',
        '{"type":"error","message":"You\'ve hit your usage limit."}',
      ].join("\n"),
    }),
  );
  expect(say("provider-error")).toEqual(["You've hit your usage limit."]);
});

it("tells an answer that is absent from one that is wrong", async () => {
  const log = (...said: readonly string[]) =>
    [
      "=================================== FAILURES ===================================",
      ...said.flatMap((line, at) => [`__________ test_${at} __________`, "", ">   assert x", `E   ${line}`]),
      "=========================== short test summary info ============================",
      "============================== 2 failed in 0.10s ===============================",
    ].join("\n");
  const absent = await read(
    makeJob({
      "verifier/test-stdout.txt": log(
        "AssertionError: report.csv missing",
        "FileNotFoundError: [Errno 2] No such file or directory: '/app/report.csv'",
      ),
    }),
  );
  expect(absent.facts.has("answer-absent")).toBe(true);
  const wrong = await read(
    makeJob({
      "verifier/test-stdout.txt": log("AssertionError: report.csv missing", "assert 1 == 2"),
    }),
  );
  expect(wrong.facts.has("answer-absent")).toBe(false);
  // A part of an answer is not there, unlike the answer.
  const parts = [
    "AssertionError: BsaI site ggtctc not found in primer",
    "AssertionError: column 'id' missing from /app/report.csv",
    "TypeError: draw() missing 1 required positional argument: 'n'",
    "AssertionError: the header must exist in report.csv",
    "AssertionError: expected 'N/A' not found",
    "AssertionError: Required column price/usd missing",
    "AssertionError: function foo.bar not found",
  ];
  for (const part of parts) {
    const { facts } = await read(makeJob({ "verifier/test-stdout.txt": log(part) }));
    expect(facts.has("answer-absent"), part).toBe(false);
  }
  const absences = [
    "sqlite3 not found in PATH",
    "No source directory found in `/app`, file must exist",
    "/app/ccomp does not exist",
    "Missing: './build'",
    "out/ not found",
    "rules.v2 is missing",
  ];
  for (const gone of absences) {
    const { facts } = await read(makeJob({ "verifier/test-stdout.txt": log(`AssertionError: ${gone}`) }));
    expect(facts.has("answer-absent"), gone).toBe(true);
  }
  // Files of the verifier itself.
  const own = await read(
    makeJob({ "verifier/test-stdout.txt": log("FileNotFoundError: no such file: '/tests/expected.json'") }),
  );
  expect(own.facts.has("answer-absent")).toBe(false);
});

it("reads the exception of a trial that ended before its result was written", async () => {
  const folder = makeFolder({
    "run/result.json": jobResult({ [NAME]: 0 }),
    [`run/${NAME}/config.json`]: { trial_name: NAME, task: { path: "tasks/alpha" } },
    [`run/${NAME}/exception.txt`]:
      'Traceback (most recent call last):\n  File "x"\nlib.BadRequestError: too long\n',
  });
  const { facts, signals } = await read(folder);
  expect(facts.has("missing")).toBe(true);
  expect(signals).toContainEqual({
    kind: "exception",
    text: "lib.BadRequestError: too long",
    place: { file: "exception.txt", line: 3, step: null },
  });
});

it("gives a failed test's trace if its report says the same for all", async () => {
  const message = "The test failed in the call phase due to an assertion error";
  const trace = ">   assert gain >= 3\nE   AssertionError: gain 1.2 < 3\nE   assert 1.2 >= 3\n";
  const tests = [{ name: "test_gain", status: "failed", duration: 1, message, trace }];
  const { say } = await read(makeJob({ "verifier/ctrf.json": { results: { tests } } }));
  expect(say("failed-test")).toEqual(["test_gain: AssertionError: gain 1.2 < 3"]);
});

it("shows a recorded analysis next to the rule's class, without letting it decide", async () => {
  const explanation = "Nobody could know the port.";
  const analysis = {
    summary: "s",
    checks: {
      task_specification: { outcome: "fail", explanation },
      reward_hacking: { outcome: "pass", explanation: "None." },
    },
  };
  const files = { "agent/trajectory.json": trajectory(step(2, "agent", "I am done.")) };
  const classifier = new Classifier(makeRuleSet(null).set);
  const without = classifier.classify(await read(makeJob(files)));
  const { failureClass, evidence } = classifier.classify(
    await read(makeJob({ ...files, "analysis.json": analysis })),
  );
  expect(failureClass).toBe(without.failureClass);
  expect(evidence.slice(0, -1)).toEqual(without.evidence);
  expect(evidence.at(-1)).toEqual({
    kind: "judge",
    text: `task_specification: ${explanation}`,
    place: { file: "analysis.json", line: null, step: null },
  });
});

it("takes text of a command in trial.log as no error, and Harbor's own lines as errors", async () => {
  const { say } = await read(
    makeJob({
      "trial.log": [
        "Running command: orca -- 'Mend the server.",
        "It fails with a fatal error: context window exceeded.",
        "' </dev/null",
        "Command failed",
        "Failed to download logs: timed out",
      ].join("\n"),
    }),
  );
  expect(say("agent-log")).toEqual(["Command failed", "Failed to download logs: timed out"]);
  expect(say("provider-error")).toEqual([]);
});

it("finds that the verifier was cancelled, which is why there is no verdict even after an agent's timeout", async () => {
  const log = [
    "Trial alpha__aaaaaaa cancelled",
    "Skipping exception record because trial already has exception_info",
    "Traceback (most recent call last):",
    '  File "/lib/harbor/verifier/verifier.py", line 199, in verify',
    "asyncio.exceptions.CancelledError",
  ].join("\n");
  const timeout = {
    exception_type: "AgentTimeoutError",
    exception_message: "after 5 s",
    exception_traceback: "",
  };
  const { facts, signals } = await read(makeJob({ "trial.log": log }, { exception_info: timeout }));
  expect(facts.has("verifier-cancelled")).toBe(true);
  const classifier = new Classifier(makeRuleSet(null).set);
  const verdict = classifier.classify({ facts, signals });
  expect(verdict).toMatchObject({ failureClass: "cancelled", rule: "verifier-cancelled" });
  expect(verdict.evidence[0]).toMatchObject({ place: { file: "trial.log", line: 1 } });
  expect(verdict.evidence.map(({ text }) => text).join("\n")).toContain("AgentTimeoutError");
  const plain = await read(
    makeJob({ "trial.log": "Trial alpha__aaaaaaa failed" }, { exception_info: timeout }),
  );
  expect(classifier.classify(plain).failureClass).toBe("out_of_time");
});

const FAILED = "Command failed (exit 1): orca --print";
const classify = async (files: FolderFiles, over: FolderFiles = {}) =>
  new Classifier(makeRuleSet(null).set).classify(await read(makeJob(files, over)));
/** As Harbor records it: the traceback ends with the message. */
const raise = (exception_type: string, exception_message: string) => ({
  exception_info: {
    exception_type,
    exception_message,
    exception_traceback: `Traceback (most recent call last):\n  File "/x/harbor/agents/base.py", line 1, in _exec\n    raise error\nharbor.${exception_type}: ${exception_message}\n`,
  },
});

it("takes the service's errors of a failed command from stderr, never from what a tool returned", async () => {
  const message = [
    FAILED,
    "stdout: curl says: error 429: rate limit exceeded",
    '{"type":"error","message":"402 payment required"}',
    "stderr: usage limit reached",
    "stderr: fetch: too many requests",
  ].join("\n");
  const log = "Classified failed command as ApiRateLimitError (pattern: 'rate limit')";
  const { say } = await read(makeJob({ "trial.log": log }, raise("ApiRateLimitError", message)));
  expect(say("provider-error")).toEqual(["fetch: too many requests"]);
});

it("finds frames of a traceback before its message alone, which ends with what a tool returned", async () => {
  for (const path of ["/app/modal/train.py", "/app/openai/client.py"]) {
    const message = `${FAILED}\nstdout: run\n  File "${path}", line 12, in run\nstderr: None`;
    const verdict = await classify({}, raise("NonZeroAgentExitCodeError", message));
    expect(verdict.failureClass, path).toBe("agent_crashed");
  }
});

it("finds stderr of a failed command in the whole text, after any length", async () => {
  const long = `${FAILED} '${"Do it. ".repeat(250)}'\nstdout: a\nstderr: 402 payment required\n${"x".repeat(900)}`;
  const crashed = await classify(
    {},
    raise("NonZeroAgentExitCodeError", `${long}\nstderr: Segmentation fault`),
  );
  expect(crashed.failureClass).toBe("agent_crashed");
  const spent = await classify(
    {},
    raise("NonZeroAgentExitCodeError", `${long}\nstderr: You've hit your usage limit.`),
  );
  expect(spent.failureClass).toBe("out_of_budget");
  // Its end is not known, and the last heading may be the tool's.
  const cut = `${long}… (99,999 characters; the file has them all)`;
  expect((await classify({}, raise("NonZeroAgentExitCodeError", cut))).failureClass).toBe("agent_crashed");
});

it("takes the exception of a trial without a result from its traceback, not from what its message quotes", async () => {
  const message = `${FAILED}\nstdout: run\nDaytonaError: sandbox not found\nstderr: None`;
  const text = `Traceback (most recent call last):\n  File "x", line 1, in f\nharbor.NonZeroAgentExitCodeError: ${message}\n`;
  const { say, signals } = await read(
    makeFolder({
      "run/result.json": jobResult({ [NAME]: 0 }),
      [`run/${NAME}/config.json`]: { trial_name: NAME, task: { path: "tasks/alpha" } },
      [`run/${NAME}/exception.txt`]: text,
    }),
  );
  expect(say("exception")).toEqual([`harbor.NonZeroAgentExitCodeError: ${message}`]);
  expect(signals.find(({ kind }) => kind === "exception")?.place.line).toBe(3);
});

it("finds the phase of an exception by the step that raised it, and by its time", async () => {
  const at = (second: number) => `2026-01-01T00:00:0${second}Z`;
  const phase = (from: number, to: number) => ({ started_at: at(from), finished_at: at(to) });
  const step = (occurredAt: number) => ({
    step_name: "plan",
    verifier_result: null,
    agent_execution: phase(2, 3),
    verifier: phase(4, 5),
    exception_info: {
      exception_type: "RuntimeError",
      exception_message: "x",
      exception_traceback: "",
      occurred_at: at(occurredAt),
    },
  });
  const locate = async (occurredAt: number) => {
    const over = { agent_setup: phase(0, 1), agent_execution: null, verifier: null, verifier_result: null };
    const { facts } = await read(makeJob({}, { ...over, step_results: [step(occurredAt)] }));
    return [...facts].filter((fact) => fact.startsWith("in-"));
  };
  expect(await locate(3)).toEqual(["in-agent"]);
  expect(await locate(5)).toEqual(["in-verifier"]);
});

it("takes an error record for the service's where the log is its own program's stream, never where a tool may have printed it", async () => {
  const error = '{"type":"error","message":"429 rate limit exceeded"}';
  const start = '{"type":"thread.started","thread_id":"a"}';
  const item = '{"type":"item.completed","item":{"id":"1","type":"reasoning","text":"x"}}';
  const say = async (file: string, ...lines: readonly string[]) =>
    (await read(makeJob({ [file]: lines.join("\n") }))).say("provider-error");
  expect(await say("agent/codex.txt", "Reading from stdin", start, item, error)).toHaveLength(1);
  expect(await say("agent/aider.txt", "> cat errors.jsonl", error, "I see.")).toEqual([]);
  expect(await say("agent/aider.txt", start, error, item)).toEqual([]);
  expect(await say("agent/codex.txt", ...Array.from({ length: 9 }, () => "text"), start, error)).toEqual([]);
  expect(await say("agent/codex.txt", start, item, "plain", error, "plain")).toEqual([]);
  expect(await say("agent/codex.txt", "> cat errors.jsonl", error, "I see.")).toEqual([]);
});

it("takes no line of a failed command in trial.log for the service's error", async () => {
  const name = `Trial ${NAME} failed: `;
  const quoted = await read(
    makeJob({
      "trial.log": `${name}${FAILED} 'retry on rate limit'\nstdout: error 429: rate limit exceeded`,
    }),
  );
  expect(quoted.say("provider-error")).toEqual([]);
  const own = await read(makeJob({ "trial.log": `${name}Error code: 402 - payment required` }));
  expect(own.say("provider-error")).toHaveLength(1);
});

it("calls no failure the service's for the agent's words about one", async () => {
  const end = (source: string, message: string) =>
    classify({
      "agent/trajectory.json": trajectory(step(2, "agent", "I am done."), step(3, source, message)),
    });
  for (const [source, message] of [
    ["agent", "Done.\nAPI Error handling: the client retries on 429."],
    ["agent", "Credit balance is too low errors now return HTTP 402. Done."],
    ["system", "Context window usage: 12%"],
    ["system", "disk quota 10GB"],
  ] as const)
    expect((await end(source, message)).failureClass, message).toBe("wrong_answer");
  expect((await end("agent", "API Error: 529 Overloaded")).failureClass).toBe("provider");
  expect((await end("system", "You've hit your usage limit.")).failureClass).toBe("out_of_budget");
  expect((await end("agent", "Prompt is too long")).failureClass).toBe("out_of_context");
});

it("calls no verifier broken for what the agent's files did to it", async () => {
  const log = (frame: string, error: string) => ({
    "verifier/test-stdout.txt": `Traceback (most recent call last):\n  File "/tests/test_outputs.py", line 6, in main\n    run()\n${frame}${error}\n`,
  });
  const raised = log(
    '  File "/app/solution.py", line 5, in <module>\n',
    "NameError: name 'x' is not defined",
  );
  expect((await classify(raised)).failureClass).toBe("wrong_answer");
  const missing = "FileNotFoundError: [Errno 2] No such file or directory";
  expect((await classify(log("", `${missing}: '/app/out.txt'`))).failureClass).toBe("no_answer");
  expect((await classify(log("", `${missing}: '/tests/a.json'`))).failureClass).toBe("verifier");
});

it("knows a trial with only its result kept", async () => {
  const records = { "config.json": { trial_name: NAME }, "verifier/reward.txt": "0" };
  expect((await read(makeJob(records))).facts.has("result-only")).toBe(true);
  const kept = await read(makeJob({ ...records, "agent/orca.txt": "I looked." }));
  expect(kept.facts.has("result-only")).toBe(false);
});

it("says with which reason and which error a trace ends", async () => {
  const cut = step(2, "agent", "It is", { extra: { stop_reason: "max_tokens" } });
  const { say, signals } = await read(makeJob({ "agent/trajectory.json": trajectory(cut) }));
  expect(say("stop")).toEqual(["output limit: max_tokens"]);
  expect(signals.find(({ kind }) => kind === "stop")?.place).toMatchObject({ step: "2" });
  const failed = await read(
    makeJob({
      "agent/trajectory.json": trajectory(
        step(2, "agent", "I look."),
        step(3, "system", "API Error: 529 Overloaded"),
      ),
    }),
  );
  expect(failed.say("stop")).toEqual(["error: API Error: 529 Overloaded"]);
});

it("says little of files that say very much, and nothing of those that lie elsewhere", async () => {
  const long = "error ".repeat(1 << 19);
  const lines = Array.from({ length: 50_000 }, (_, at) => `\u001b[31merror ${at}\u001b[0m \u0007`).join("\n");
  const folder = makeJob({
    "verifier/test-stdout.txt": lines,
    "verifier/long.log": long,
    "verifier/nested.txt": `${"[".repeat(100_000)}\n${"E   ".repeat(100_000)}`,
    "verifier/zeros.log": Buffer.alloc(1 << 20),
    "agent/agent.txt": `{"type":"error","message":"${'\\"'.repeat(200_000)}`,
    "agent/trajectory.json": trajectory(step(2, "agent", "please provide ".repeat(20_000))),
    "trial.log/": "",
  });
  const secret = makeFolder({ "secret.txt": "error: password is 1234\n" });
  symlinkSync(join(secret, "secret.txt"), join(folder, `run/${NAME}/verifier/a-link.txt`));
  symlinkSync(secret, join(folder, `run/${NAME}/steps`));
  const { signals } = await read(folder);
  expect(signals.length).toBeGreaterThan(5);
  expect(signals.length).toBeLessThan(200);
  for (const { text } of signals) {
    expect(text.length).toBeLessThanOrEqual(4_000);
    expect(text).not.toMatch(/1234|\u001b|\u0007/);
  }
});
