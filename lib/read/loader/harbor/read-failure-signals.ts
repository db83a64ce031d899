import { tellReason } from "@/lib/core/domain/tally-tests";
import type { StepCall, Trajectory, TrajectoryStep } from "@/lib/core/domain/trajectory";
import { listStepNames, type Trial } from "@/lib/core/domain/trial";
import { selectFailure } from "@/lib/core/domain/trial-failure";
import type { TestReport, TrialAnalysis } from "@/lib/core/domain/trial-file";
import { ACCOUNT_LIMIT } from "@/lib/core/triage/account-limit";
import { type Fact, type FailureFacts, listResultFacts } from "@/lib/core/triage/facts";
import { findStderr, shortenException } from "@/lib/core/triage/quoted-command";
import type { SignalPlace, Signal, SignalKind } from "@/lib/core/triage/signals";

import { listVerifierFolders, tagsFromAnalysis } from "../detail/details-file";
import { listTrialFiles, chooseStepFolders } from "../detail/list-trial-files";
import { readAnalysis } from "../detail/read-evidence";
import { stripTerminal } from "../detail/terminal-text";
import { readTestReports } from "../detail/test-reports/read-test-reports";
import { joinFolder, type LoadRoot, resolveFolder } from "../discover/load-root";
import { statGuarded, findLock } from "../file-stamp";
import { enterTrial } from "../large-files";
import { joinText } from "../trace/raw-trajectory";
import { readTrajectory } from "../trace/read-trajectory";
import { isStrongMark } from "../trace/step-marks";
import { isAgentStream } from "../trace/trace-readers";
import { OUTPUT_FILES } from "./read-output";
import { readTraceback, type Traceback } from "./traceback";
import { listLogs, type LogTail, useLogTail, findCancelledVerifier, markCommands } from "./trial-log";
import { readLogEnd } from "./verifier-crash";

const MAX_SIGNALS = 24;
const MAX_LINE = 400;
const MAX_TEXT = 2000;
const LONGER: Partial<Record<SignalKind, number>> = { exception: MAX_TEXT, traceback: MAX_TEXT, end: 1000 };

const ERROR_LINE =
  /\b(?:errors?|exception|failed|failure|failing|fatal|traceback|cannot|could not|couldn't|unable|not found|no such|refused|timed out|timeout|killed|denied|missing|conflict|already exists|not ok|FAIL)\b|\w(?:Error|Exception)\b|[✗✘×]/iu;
/** Matches errors of model service clients, in lines known to come from them. */
const PROVIDER = new RegExp(
  String.raw`\bapi error\b|\brate.?limit|\b(?:usage|spending) limit\b|\bquota\b|credit balance|\boverloaded\b|too many requests|stream disconnected|unable to connect to (?:the )?(?:api|anthropic|openai)|service unavailable|bad gateway|stream idle timeout|\bapi.?key\b|authentication.?error|context.?(?:length|window|size)|maximum context|prompt is too long|output token maximum|\blitellm\.|provider returned error|${ACCOUNT_LIMIT}`,
  "iu",
);

class SignalList {
  private readonly kinds = new Map<SignalKind, Map<string, Signal>>();

  add(kind: SignalKind, text: string, place: SignalPlace, cut: "start" | "end" = "start"): void {
    const whole = text.trim();
    const most = LONGER[kind] ?? MAX_LINE;
    const part = cut === "start" ? whole.slice(0, most) : whole.slice(-most);
    const kept = stripTerminal(part).toWellFormed().trim();
    if (kept === "") return;
    const known = this.kinds.get(kind) ?? new Map<string, Signal>();
    this.kinds.set(kind, known);
    if (known.size < MAX_SIGNALS && !known.has(kept)) known.set(kept, { kind, text: kept, place });
  }

  list(): readonly Signal[] {
    return [...this.kinds.values()].flatMap((known) => [...known.values()]);
  }
}

const MAX_ERROR = 2000;
const CLIENT =
  /^(?:(?:terminal )?(?:api|provider|llm) error(?::| \()|stream_error:|error code: \d{3}(?: - |$)|litellm\.\w+Error:)/iu;
const SENTENCE =
  /^(?:you(?:'|’| ha)ve (?:hit|reached) your (?:[\w-]+ ){0,4}limits?|claude (?:ai|code) usage limit reached|[\w-]+ limit reached(?= [∙·] resets)|(?:your )?credit balance is too low(?: to access the (?:\w+ )?api)?|the usage limit has been reached|prompt is too long|quota exceeded|unexpected status \d{3} [^:]{1,40}|exceeded retry limit, last status|stream disconnected before completion)(?=\s*(?:[.,:;|∙·]|$))/iu;
const REPORT = new RegExp(
  String.raw`^(?:sorry, )?(?:i (?:encountered|ran into|got|hit) )?(?:an )?(?:\w+ )?(?:error(?: occurred)?|\w+Error):[^\n]{0,100}?(?:${ACCOUNT_LIMIT}|api (?:attempts?|calls?|requests?) failed|(?:service|server|model|api) (?:is |was )?(?:temporarily |currently )?(?:unavailable|overloaded)|too many requests|rate limit|bad gateway|gateway time-?out|internal server error)(?=[.,:;!(){}"'|]|$)[^\n]{0,200}$`,
  "iu",
);
const PROSE =
  /\b(?:now|done|added|fixed|handl(?:ed|er|ers|ing)|implement(?:ed|s|ation)|written|saved|tests?|the answer)\b|\bI(?:'ve)? /iu;

export function isServiceError(message: string): boolean {
  const text = message.trim();
  if (text.length > MAX_ERROR) return false;
  const head = CLIENT.exec(text) ?? SENTENCE.exec(text);
  const said = head === null ? text.slice(text.indexOf(":")) : text.slice(head[0].length);
  return (head !== null || REPORT.test(text)) && !PROSE.test(said);
}

const LAST_LINES = 60;

const ERROR_RECORD = /^\{"type":"(?:error|turn\.failed)"|^\{"type":"result",.{0,80}"is_error":true/u;
/** Harbor's note on a failed command, whose pattern may have matched tool output. */
const GUESS = /^Classified failed command as /u;
const FAILED_TRIAL = /^Trial \S+ failed: (?!Command failed \(exit )/u;
const RECORD_MESSAGE = /"(?:message|result)":"((?:[^"\\]|\\.){1,400})/u;

interface Search {
  readonly root: LoadRoot;
  readonly folder: string;
  readonly signals: SignalList;
  readonly facts: Set<Fact>;
}

/** Skips unreadable files, which their own page reports. A ledger's trial, or one without a folder, has only its result. */
export async function readFailureSignals(root: LoadRoot, trial: Trial): Promise<FailureFacts> {
  const { folder } = trial;
  const search = { root, folder, signals: new SignalList(), facts: new Set(listResultFacts(trial)) };
  const path = openTrial(root, trial, "failures");
  addException(search, trial, path !== null);
  if (path !== null) await addFiles(search, path, listStepNames(trial));
  return { facts: search.facts, signals: search.signals.list() };
}

async function addFiles(search: Search, path: string, stepNames: readonly string[] | null): Promise<void> {
  const { root, folder, signals, facts } = search;
  const steps = await chooseStepFolders(path, stepNames);
  addTests(search, (await readTestReports(path, stepNames)).value);
  for (const { folder: verifier } of listVerifierFolders(steps)) {
    for (const name of listLogs(root, joinFolder(folder, verifier)))
      addVerifierLog(search, `${verifier}/${name}`);
  }
  for (const agent of ["agent", ...steps.map((step) => `steps/${step}/agent`)]) {
    for (const name of listLogs(root, joinFolder(folder, agent))) {
      const file = `${agent}/${name}`;
      addAgentLog(search, file, await isAgentStream(path, file));
    }
    if (isOutputEmpty(root, joinFolder(folder, agent))) facts.add("output-empty");
  }
  addAgentLog(search, "trial.log", false);
  const cancelled = findCancelledVerifier(root, folder);
  if (cancelled !== null) {
    facts.add("verifier-cancelled");
    signals.add("traceback", cancelled.text, { ...cancelled.place, step: null });
  }
  addTrajectory(signals, facts, await readTrajectory(path, stepNames));
  addAnalysis(signals, (await readAnalysis(path)).value);
  if (!facts.has("has-steps") && signals.list().length === 0 && (await isResultOnly(path)))
    facts.add("result-only");
}

const RECORDS = /^(?:config|lock|result|manifest)\.json$|(?:^|\/)verifier\/reward\.(?:txt|json)$/u;

async function isResultOnly(path: string): Promise<boolean> {
  const { entries, issues, cutNote } = await listTrialFiles(path, "", "searched");
  const others = entries.filter((entry) => entry.kind !== "folder" && !RECORDS.test(entry.path));
  return others.length === 0 && issues.length === 0 && cutNote === null;
}

/** Adds failed checks of a recorded analysis. These are its claims, not findings of the rules. */
function addAnalysis(signals: SignalList, analysis: TrialAnalysis | null): void {
  for (const { category, description } of tagsFromAnalysis(analysis)) {
    const text = description === null ? category : `${category}: ${description}`;
    signals.add("judge", text, { file: "analysis.json", line: null, step: null });
  }
}

function addException(search: Search, trial: Trial, isRead: boolean): void {
  const { root, folder } = search;
  const failure = selectFailure(trial);
  const stepName = failure?.stepName ?? null;
  const file = stepName === null ? "exception.txt" : `steps/${stepName}/exception.txt`;
  const record = trial.ledger === null ? "result.json" : folder;
  if (failure !== null) {
    const { type, message, traceback } = failure.exception;
    const lines = isRead ? (useLogTail(root, joinFolder(folder, file), readLines) ?? []) : [];
    const line = lines.findLast(({ text }) => text.includes(type))?.line ?? null;
    const place = { file: lines.length > 0 ? file : record, line, step: null };
    addRaised(search.signals, `${type}: ${message}`, readTraceback(traceback ?? "", message), place);
  } else if (trial.state === "missing" && isRead) addUnrecorded(search, file);
}

function addUnrecorded({ root, folder, signals, facts }: Search, file: string): void {
  useLogTail(root, joinFolder(folder, file), ({ texts, lineOf }) => {
    const read = readTraceback(texts.join("\n"), null);
    if (read === null) return;
    facts.add("exception");
    const at = texts.join("\n").trimEnd().split("\n").length - read.raised.trimEnd().split("\n").length;
    addRaised(signals, read.raised, read, { file, line: lineOf(at) ?? at + 1, step: null });
  });
}

function addRaised(signals: SignalList, text: string, read: Traceback | null, place: SignalPlace): void {
  signals.add("exception", shortenException(text, MAX_TEXT), place);
  for (const line of findStderr(text).slice("\nstderr: ".length).split("\n"))
    if (PROVIDER.test(line)) signals.add("provider-error", line, place);
  signals.add("traceback", read?.frames ?? "", place, "end");
}

function readLines({ lines, lineOf }: LogTail) {
  return lines.flatMap((text, at) => (text.trim() === "" ? [] : { text, line: lineOf(at), at }));
}

function addTests({ signals, facts }: Search, reports: readonly TestReport[]): void {
  for (const { file, tests, nFailed, nPassed, isCounted } of reports) {
    if (!isCounted) continue;
    const failed = tests.filter(({ status }) => status === "failed");
    if (failed.length > 0 || (nFailed ?? 0) > 0) facts.add("tests-failed");
    if ((nPassed ?? 0) > 0 || tests.some(({ status }) => status === "passed")) facts.add("tests-passed");
    for (const test of failed.slice(0, MAX_SIGNALS)) {
      const { name } = test;
      const [first = ""] = (tellReason(test) ?? "").trim().split("\n", 1);
      signals.add("failed-test", first === "" ? name : `${name}: ${first}`, { file, line: null, step: null });
    }
  }
}

function addVerifierLog({ root, folder, signals, facts }: Search, file: string): void {
  useLogTail(root, joinFolder(folder, file), (tail) => {
    const lines = readLines(tail);
    const { saysSummary, saysFailure, traceback, death } = readLogEnd(tail.lines);
    if (saysSummary) facts.add("log-summary");
    if (saysFailure) facts.add("log-failure");
    if (saysAllIsAbsent(tail.lines)) facts.add("answer-absent");
    if (death !== null) facts.add(death);
    if (traceback !== null) {
      const raised = tail.lines.find((text, at) => at > traceback && /^\S/u.test(text)) ?? "";
      signals.add("verifier-output", raised, { file, line: tail.lineOf(traceback), step: null });
    }
    const said = lines.filter(({ text }) => ERROR_LINE.test(text));
    for (const { text, line } of new Set([...said.slice(0, 4), ...said.slice(-10), ...lines.slice(-2)]))
      signals.add("verifier-output", text, { file, line, step: null });
  });
}

function addAgentLog({ root, folder, signals }: Search, file: string, isStream: boolean): void {
  useLogTail(root, joinFolder(folder, file), (tail) => {
    const commands = file === "trial.log" ? markCommands(tail) : [];
    const last = readLines(tail).slice(-LAST_LINES);
    for (const [index, { text, line, at }] of last.entries()) {
      // Text of a command quotes the task's instruction, not an error.
      if (commands[at] === true || GUESS.test(text)) continue;
      const place = { file, line, step: null };
      const isRecord = text.startsWith("{");
      // Records contain tool output, which matches error words by accident.
      if (!(isRecord ? ERROR_RECORD : ERROR_LINE).test(text)) continue;
      const said = isRecord ? (RECORD_MESSAGE.exec(text)?.[1] ?? text) : text;
      signals.add("agent-log", said, place);
      const isProof = isRecord ? isStream && hasRecordBeside(last, index) : isOfHarbor(file, text);
      if (isProof && PROVIDER.test(said)) signals.add("provider-error", said, place);
    }
  });
}

/** Other lines are the agent's own words and actions, or a command that failed, which may mention service errors. */
function isOfHarbor(file: string, text: string): boolean {
  return file === "trial.log" && FAILED_TRIAL.test(text);
}

function hasRecordBeside(lines: ReturnType<typeof readLines>, index: number): boolean {
  return [lines[index - 1], lines[index + 1]].some((line) => line?.text.startsWith("{"));
}

function isOutputEmpty(root: LoadRoot, agent: string): boolean {
  const sizes = OUTPUT_FILES.flatMap((name) => {
    const stat = statGuarded(root, joinFolder(agent, name));
    return stat.kind === "there" && stat.stats.isFile() ? Number(stat.stats.size) : [];
  });
  return sizes.length > 0 && sizes.every((size) => size === 0);
}

const START = /^=+ FAILURES =+$/u;
const END = /^=+ (?:PASSES|short test summary info|warnings summary|\d+ (?:failed|passed)\b)/u;
const BLOCK = /^_{3,} .* _{3,}$/u;
const SAID = /^E\s/u;
/** Leading lines of a block state the failure; later ones show compared values. */
const SAID_LINES = 4;
const SAID_CHARS = 160;
const NO_FILE = /\bno such file\b|\bFileNotFoundError\b|\bwhere False = (?:exists|is_file|is_dir)\(/iu;
const NOT_THERE = /\b(?:missing|(?:does not|doesn't|should|must) exist|not found|not created)\b/iu;
/** Match paths, folders, files and words for them. Others may concern a part of an existing answer. */
const NAMES_PLACE =
  /(?<![^\s"'`([{=:,])(?:(?:~|\.{1,2})?\/[\w.-]|[\w-][\w.-]*\/(?![^\s"'`)\]},:;]))|\b(?:files?|directory|folder|script|binary|executable|PATH)\b/iu;
const NAMES_FILE =
  /[\w-]\.(?:v\d+|7z|bak|bin|bmp|bz2|caffemodel|cc|cfg|comp|conf|cpp|crt|css|csv|c|dat|db|diz|docx?|elf|fasta|gif|go|gz|h5|hpp|html?|h|ini|ipynb|jar|java|jpe?g|jsonl?|jsx?|lock|log|md|mp[34]|npy|npz|onnx|out|parquet|patch|pb|pdf|pem|pkl|png|ppm|pptx?|pth?|py|rb|rs|rst|safetensors|sh|so|sqlite3?|sql|stan|svg|tar|tex|tgz|tiff?|toml|tsv|tsx?|txt|vcf|wasm|wav|webp|xlsx?|xml|xz|ya?ml|zip)\b/iu;
const IS_INSIDE =
  /\b(?:missing|exist|found|created)\b.{0,120}?\s(?:in|from|inside)\s(?!(?:\w+ ){0,2}(?:PATH|directory|folder)\b|["'`]?[.~]?(?:\/[\w-]+)*\/?["'`]?[.,;:]?(?:\s|$))/iu;
const OWN = /\/(?:tests?|logs)\//u;

/** True if tests failed in a pytest log and each reports something missing. Setup errors count as failures. */
function saysAllIsAbsent(lines: readonly string[]): boolean {
  const start = lines.findIndex((line) => START.test(line));
  if (start === -1) return false;
  const length = lines.slice(start + 1).findIndex((line) => END.test(line));
  const body = lines.slice(start + 1, length === -1 ? undefined : start + 1 + length);
  const blocks: string[][] = [];
  for (const line of body) {
    if (BLOCK.test(line)) blocks.push([]);
    else if (SAID.test(line)) blocks.at(-1)?.push(line.slice(0, SAID_CHARS));
  }
  return blocks.length > 0 && blocks.every((said) => said.slice(0, SAID_LINES).some(isAbsence));
}

function isAbsence(line: string): boolean {
  const isNamed = NAMES_PLACE.test(line) || NAMES_FILE.test(line);
  const isAbsent = NOT_THERE.test(line) && isNamed && !IS_INSIDE.test(line);
  return (isAbsent || NO_FILE.test(line)) && !OWN.test(line);
}

const LAST_STEPS = 5;
const MAX_SEARCHED = 10_000;

function addTrajectory(signals: SignalList, facts: Set<Fact>, { steps, stop }: Trajectory): void {
  const own = steps.filter(({ source, copied, depth }) => source === "agent" && !copied && depth === 0);
  if (steps.length > 0) facts.add(own.length > 0 ? "has-steps" : "no-agent-steps");
  if (own.some(({ calls }) => calls.length > 0)) facts.add("has-calls");
  const writing = own.findLast(({ calls }) => calls.some(namesOutput)) ?? null;
  if (writing !== null) facts.add("output-named");
  const last = own.at(-1);
  if (last === undefined) return;
  addEnd(signals, facts, last, writing);
  if (stop !== null) signals.add("stop", `${stop.reason}: ${stop.text}`, placeStep(last));
  const end = steps.findLast(({ depth }) => depth === 0);
  for (const step of end?.source === "system" ? [last, end] : [last]) addError(signals, step);
  for (const step of own.filter(({ marks }) => marks.some(isStrongMark)).slice(-LAST_STEPS))
    signals.add("step-error", describeError(step), placeStep(step));
}

function addEnd(
  signals: SignalList,
  facts: Set<Fact>,
  last: TrajectoryStep,
  writing: TrajectoryStep | null,
): void {
  const isCall = last.calls.length > 0;
  if (isCall) facts.add("ends-in-call");
  const said = joinText(last.message).trim();
  if (said === "") {
    const call = writing?.calls.find(namesOutput);
    if (writing !== null && call !== undefined) signals.add("end", call.headline, placeStep(writing));
    return;
  }
  facts.add("has-end");
  signals.add("end", said, placeStep(last), "end");
}

function addError(signals: SignalList, step: TrajectoryStep): void {
  const said = step.calls.length === 0 ? joinText(step.message).trim() : "";
  if (!isServiceError(said)) return;
  signals.add("stop", `error: ${said}`, placeStep(step));
  signals.add("provider-error", said, placeStep(step));
}

function placeStep({ file, key }: TrajectoryStep): SignalPlace {
  return { file, line: null, step: key };
}

function namesOutput({ argumentsText }: StepCall): boolean {
  return OUTPUT_FILES.some((name) => argumentsText.slice(0, MAX_SEARCHED).includes(name));
}

function describeError({ marks, calls, results }: TrajectoryStep): string {
  const label = marks.find(isStrongMark)?.label ?? "";
  const lines = [...calls.flatMap((call) => call.results), ...results]
    .flatMap(({ parts }) => parts.map((part) => (part.kind === "text" ? part.text.slice(-MAX_SEARCHED) : "")))
    .flatMap((text) => text.split("\n"))
    .filter((line) => line.trim() !== "");
  const line = lines.findLast((one) => ERROR_LINE.test(one)) ?? lines.at(-1);
  return line === undefined ? label : `${label}: ${line}`;
}

/**
 * Returns the folder of a trial for a reading after the results. Null if its files cannot be read, for a trial known only from the
 * job's plan or statistics, and for a ledger's trial, which has no steps.
 */
export function openTrial(
  root: LoadRoot,
  { folder, ledger }: Pick<Trial, "folder" | "ledger">,
  reading: "failures" | "scans" | "texts",
): string | null {
  const isOpen = folder !== "" && ledger === null && findLock(root, folder) === null;
  const path = isOpen ? resolveFolder(root.path, folder) : null;
  return path === null || enterTrial(path, reading) !== null ? null : path;
}
