import type { StepCall, Trajectory, TrajectoryStep } from "@/lib/domain/trajectory";
import type { TrialRecord } from "@/lib/domain/trial";
import type { TestReport } from "@/lib/domain/trial-file";
import { selectFailure } from "@/lib/domain/trial-failure";
import { type Fact, type FailureFacts, listResultFacts } from "@/lib/triage/facts";
import type { Signal, SignalKind, SignalPlace } from "@/lib/triage/signals";

import { listVerifierFolders } from "../detail/details-file";
import { chooseStepFolders } from "../detail/step-folders";
import { stripTerminal } from "../detail/terminal-text";
import { readTestReports } from "../detail/test-reports/read-test-reports";
import { joinFolder, type LoadRoot, resolveFolder } from "../discover/load-root";
import { findLock, statGuarded } from "../file-stamp";
import { enterTrial } from "../large-files";
import { readTrajectory } from "../trace/read-trajectory";
import { isStrongMark } from "../trace/step-marks";
import { OUTPUT_FILES } from "./read-output";
import { listLogs, type LogTail, useLogTail } from "./log-tail";
import { saysAllIsAbsent } from "./missing-answer";
import { readLogEnd } from "./verifier-crash";

/** Characters of one signal; of messages and logs the end says most, of exceptions the beginning. */
const MAX_TEXT = 2000;
const MAX_LINE = 400;
const MAX_END = 1000;
/** Of the arguments of a call so much is looked through. */
const MAX_SEARCHED = 10_000;
/** Signals of one kind. */
const MAX_SIGNALS = 24;
/** Frames of a traceback that are kept, from its end. */
const TRACEBACK_LINES = 40;
/** Lines at the end of a log of the agent in which an error may be what ended it. */
const LAST_LINES = 60;
/** Steps at the end of a trajectory whose errors may be what ended it. */
const LAST_STEPS = 5;

const ERROR_LINE =
  /\b(?:errors?|exception|failed|failure|failing|fatal|traceback|cannot|could not|couldn't|unable|not found|no such|refused|timed out|timeout|killed|denied|missing|conflict|already exists|not ok|FAIL)\b|\w(?:Error|Exception)\b|[✗✘×]/iu;
/** Records that say of themselves that they are errors, as agents write them line by line. */
const ERROR_RECORD = /^\{"type":"(?:error|turn\.failed)"|^\{"type":"result",.{0,80}"is_error":true/u;
const RECORD_MESSAGE = /"(?:message|result)":"((?:[^"\\]|\\.){1,400})/u;
/** What clients of model services say, in a line or message that is theirs. */
const PROVIDER =
  /\bapi error\b|\brate.?limit|\b(?:usage|spending) limit\b|\bquota\b|insufficient.{0,3}(?:credit|fund|balance)|credit balance|requires more credits|\boverloaded\b|too many requests|service unavailable|bad gateway|stream idle timeout|\bapi.?key\b|authentication.?error|context.?(?:length|window|size)|maximum context|prompt is too long|output token maximum|\blitellm\.|provider returned error/iu;

/**
 * Reads what a trial's files say of why it did not pass: its exception, the tests and logs of its verifier, the end of its
 * trajectory and of its agent's logs. Bounded in number and length; a file that cannot be read says nothing here, its own
 * page says why. For a trial without a folder, and one of a ledger, the result alone.
 */
export async function readFailureSignals(root: LoadRoot, trial: TrialRecord): Promise<FailureFacts> {
  const signals = new Signals();
  const facts = new Set<Fact>(listResultFacts(trial));
  const { folder, ledger } = trial;
  const isOpen = folder !== "" && ledger === null && findLock(root, folder) === null;
  const path = isOpen ? resolveFolder(root.path, folder) : null;
  const isRead = path !== null && enterTrial(path, "failures") === null;
  addException(signals, facts, { root, trial, isRead });
  if (!isRead) return { facts, signals: signals.list() };
  const stepNames = trial.steps?.map(({ stepName }) => stepName) ?? null;
  const steps = await chooseStepFolders(path, stepNames);
  addTests(signals, facts, (await readTestReports(path, stepNames)).value);
  for (const { folder: verifier } of listVerifierFolders(steps))
    addVerifierLogs(signals, facts, root, folder, verifier);
  const hasOutput = signals.has("verifier-output") || signals.has("failed-test");
  if (!hasOutput && !facts.has("log-summary") && !facts.has("tests-passed") && !facts.has("tests-failed"))
    facts.add("no-verifier-log");
  const agents = ["agent", ...steps.map((step) => `steps/${step}/agent`)];
  for (const agent of agents) {
    for (const name of listLogs(root, joinFolder(folder, agent)))
      addAgentLog(signals, root, folder, `${agent}/${name}`);
  }
  addAgentLog(signals, root, folder, "trial.log");
  if (agents.some((agent) => isOutputEmpty(root, joinFolder(folder, agent)))) facts.add("output-empty");
  addTrajectory(signals, facts, await readTrajectory(path, stepNames));
  return { facts, signals: signals.list() };
}

/** Gathers signals, so many of a kind and each once. */
class Signals {
  private readonly kinds = new Map<SignalKind, Map<string, Signal>>();

  /** @param cut - which part of a text that is too long is kept */
  add(kind: SignalKind, text: string, place: SignalPlace, cut: "start" | "end" = "start"): void {
    const whole = text.trim();
    const most =
      kind === "end" ? MAX_END : kind === "exception" || kind === "traceback" ? MAX_TEXT : MAX_LINE;
    const part = cut === "start" ? whole.slice(0, most) : whole.slice(-most);
    const kept = stripTerminal(part).toWellFormed().trim();
    if (kept === "") return;
    const known = this.kinds.get(kind) ?? new Map<string, Signal>();
    this.kinds.set(kind, known);
    if (known.size < MAX_SIGNALS && !known.has(kept)) known.set(kept, { kind, text: kept, place });
  }

  has(kind: SignalKind): boolean {
    return this.kinds.has(kind);
  }

  list(): readonly Signal[] {
    return [...this.kinds.values()].flatMap((known) => [...known.values()]);
  }
}

interface ExceptionSource {
  readonly root: LoadRoot;
  readonly trial: TrialRecord;
  readonly isRead: boolean;
}

/** The exception of the result, and of a trial that ended before its result was written that of `exception.txt`. */
function addException(signals: Signals, facts: Set<Fact>, { root, trial, isRead }: ExceptionSource): void {
  const { exception = null, stepName = null } = selectFailure(trial) ?? {};
  const name = stepName === null ? "exception.txt" : `steps/${stepName}/exception.txt`;
  const lines = isRead ? (useLogTail(root, joinFolder(trial.folder, name), readLines) ?? []) : [];
  if (exception !== null) {
    const line = lines.findLast(({ text }) => text.includes(exception.type))?.line ?? null;
    const place = { file: lines.length > 0 ? name : "result.json", line, step: null };
    signals.add("exception", `${exception.type}: ${exception.message}`, place);
    const frames = (exception.traceback ?? "").split("\n").slice(-TRACEBACK_LINES).join("\n");
    signals.add("traceback", frames, place, "end");
  } else if (trial.state === "missing" && lines.length > 0) {
    const last = lines.findLast(({ text }) => /^[\w.]+(?:: |$)/u.test(text));
    if (last === undefined) return;
    facts.add("exception");
    const place = { file: name, line: last.line, step: null };
    signals.add("exception", last.text, place);
    signals.add(
      "traceback",
      lines
        .slice(-TRACEBACK_LINES)
        .map(({ text }) => text)
        .join("\n"),
      place,
      "end",
    );
  }
}

interface LogLine {
  readonly text: string;
  readonly line: number | null;
}

function readLines({ lines, countBefore }: LogTail): readonly LogLine[] {
  const before = countBefore();
  return lines.flatMap((text, at) =>
    text.trim() === "" ? [] : { text, line: before === null ? null : before + at + 1 },
  );
}

function addTests(signals: Signals, facts: Set<Fact>, reports: readonly TestReport[]): void {
  for (const { file, tests, nFailed, nPassed, isCounted } of reports) {
    if (!isCounted) continue;
    const failed = tests.filter(({ status }) => status === "failed");
    if (failed.length > 0 || (nFailed ?? 0) > 0) facts.add("tests-failed");
    if ((nPassed ?? 0) > 0 || tests.some(({ status }) => status === "passed")) facts.add("tests-passed");
    for (const { name, message } of failed.slice(0, MAX_SIGNALS)) {
      const [first = ""] = (message ?? "").trim().split("\n", 1);
      signals.add("failed-test", first === "" ? name : `${name}: ${first}`, { file, line: null, step: null });
    }
  }
}

function addVerifierLogs(
  signals: Signals,
  facts: Set<Fact>,
  root: LoadRoot,
  folder: string,
  verifier: string,
): void {
  for (const name of listLogs(root, joinFolder(folder, verifier))) {
    const file = `${verifier}/${name}`;
    useLogTail(root, joinFolder(folder, file), (tail) => {
      const lines = readLines(tail);
      if (lines.length === 0) return;
      const end = readLogEnd(tail.lines);
      if (end.saysSummary) facts.add("log-summary");
      if (end.saysFailure) facts.add("log-failure");
      if (saysAllIsAbsent(tail.lines)) facts.add("answer-absent");
      const said = lines.filter(({ text }) => ERROR_LINE.test(text));
      // What went wrong first, and what it ended with.
      const chosen = new Set([...said.slice(0, 4), ...said.slice(-10), ...lines.slice(-2)]);
      if (end.traceback !== null) {
        facts.add("verifier-died");
        const died = tail.lines.findIndex((text, at) => at > (end.traceback ?? 0) && /^\S/u.test(text));
        const line = tail.countBefore();
        const place = { file, line: line === null ? null : line + end.traceback + 1, step: null };
        signals.add("verifier-output", tail.lines[died] ?? "Traceback", place);
      }
      for (const { text, line } of chosen) signals.add("verifier-output", text, { file, line, step: null });
    });
  }
}

function addAgentLog(signals: Signals, root: LoadRoot, folder: string, file: string): void {
  useLogTail(root, joinFolder(folder, file), (tail) => {
    for (const { text, line } of readLines(tail).slice(-LAST_LINES)) {
      const place = { file, line, step: null };
      // A record holds what tools gave back, which is full of words that mean nothing here.
      if (text.startsWith("{")) {
        if (!ERROR_RECORD.test(text)) continue;
        const said = RECORD_MESSAGE.exec(text)?.[1] ?? text;
        signals.add("agent-log", said, place);
        if (PROVIDER.test(said)) signals.add("provider-error", said, place);
      } else if (ERROR_LINE.test(text)) {
        signals.add("agent-log", text, place);
        if (file === "trial.log" && PROVIDER.test(text)) signals.add("provider-error", text, place);
      }
    }
  });
}

/** Whether there is a file for the output, and none of them holds anything. */
function isOutputEmpty(root: LoadRoot, agent: string): boolean {
  const sizes = OUTPUT_FILES.flatMap((name) => {
    const stat = statGuarded(root, joinFolder(agent, name));
    return stat.kind === "there" && stat.stats.isFile() ? Number(stat.stats.size) : [];
  });
  return sizes.length > 0 && sizes.every((size) => size === 0);
}

function addTrajectory(signals: Signals, facts: Set<Fact>, { steps }: Trajectory): void {
  const own = steps.filter(({ source, copied, depth }) => source === "agent" && !copied && depth === 0);
  if (steps.length > 0) facts.add(own.length > 0 ? "has-steps" : "no-agent-steps");
  if (own.some(({ calls }) => calls.length > 0)) facts.add("has-calls");
  const writing = own.findLast(({ calls }) => calls.some(namesOutput));
  if (writing !== undefined) facts.add("output-named");
  const last = own.at(-1);
  if (last === undefined) return;
  if (last.calls.length > 0) facts.add("ends-in-call");
  const said = findMessage(last);
  const place = { file: last.file, line: null, step: last.key };
  if (said !== "") {
    facts.add("has-end");
    signals.add("end", said, place, "end");
    if (said.length <= MAX_LINE && PROVIDER.test(said) && last.calls.length === 0)
      signals.add("provider-error", said, place);
  }
  // Without a last word the answer is all there is to look at.
  if (said === "" && writing !== undefined) {
    const call = writing.calls.find(namesOutput)?.headline ?? "";
    signals.add("end", call, { file: writing.file, line: null, step: writing.key });
  }
  for (const step of own.filter(({ marks }) => marks.some(isStrongMark)).slice(-LAST_STEPS)) {
    const label = step.marks.find(isStrongMark)?.label ?? "";
    const line = findErrorLine(step);
    const text = line === "" ? label : `${label}: ${line}`;
    signals.add("step-error", text, { file: step.file, line: null, step: step.key });
  }
}

function namesOutput({ argumentsText }: StepCall): boolean {
  return OUTPUT_FILES.some((name) => argumentsText.slice(0, MAX_SEARCHED).includes(name));
}

function findMessage({ message }: TrajectoryStep): string {
  return message
    .map((part) => (part.kind === "text" ? part.text : ""))
    .join("\n")
    .trim();
}

/** The last line of what came back that tells of an error, else the last of all; empty without any. */
function findErrorLine({ calls, results }: TrajectoryStep): string {
  const all = [...calls.flatMap((call) => call.results), ...results];
  const lines = all
    .flatMap(({ parts }) => parts.map((part) => (part.kind === "text" ? part.text.slice(-4 * MAX_TEXT) : "")))
    .flatMap((text) => text.split("\n"))
    .filter((line) => line.trim() !== "");
  return lines.findLast((line) => ERROR_LINE.test(line)) ?? lines.at(-1) ?? "";
}
