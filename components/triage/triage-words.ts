import { formatCount, formatPlural, formatPoints } from "@/lib/core/format/number";
import { capitalise, formatTask } from "@/lib/core/format/words";
import type { ExpectedWin, Unavailable } from "@/lib/core/stats";
import { CLASSES } from "@/lib/core/triage/classes";
import type { Signal } from "@/lib/core/triage/signals";
import type { TriageParams } from "@/lib/pages/triage/address";
import type { FindingRow } from "@/lib/pages/triage/page";
import { logLink, type TrialParams } from "@/lib/pages/trial/address";
import type { FailureExample } from "@/lib/store/tables";

export const HEADINGS = { agent: "Agent", job: "Job", task: "Task", family: "Task family" } as const;

export function describeWin(win: ExpectedWin | Unavailable): string {
  if (win.kind === "unavailable") return "unknown";
  return `${formatPoints(win.expected)} points, 95 % ${formatPoints(win.low)} to ${formatPoints(win.high)}; ${formatPoints(win.most)} if every trial had passed`;
}

export function nameFinding(row: FindingRow): string {
  const { failureClass, name, tasks, nTasks, oracle, strict } = row;
  if (oracle !== null) return `${formatTask(oracle)}: ${describeBroken(oracle)}`;
  if (strict !== null)
    return `${tasks[0] ?? ""}: reviewers call the verifier too strict in ${formatCount(strict.nSaid)} of ${formatCount(strict.nJudged)} judged trials`;
  if (failureClass === "unexplained") return "No rule explains these trials";
  if (failureClass === "no_evidence") return "Failed, no evidence recorded";
  const said = name ?? CLASSES[failureClass].words;
  return nTasks === 1
    ? `${tasks[0] ?? ""}: ${said}`
    : `${capitalise(said)} in ${formatPlural(nTasks, "task")}`;
}

function describeBroken({ nOracle, nOracleFailed, nPassed }: NonNullable<FindingRow["oracle"]>): string {
  const isNever = nOracleFailed === nOracle;
  if (nPassed > 0)
    return `oracle failed ${formatCount(nOracleFailed)} of ${formatCount(nOracle)}, but agents passed ${formatCount(nPassed)}`;
  return isNever
    ? "fails for everyone, including oracle: the task is broken"
    : `no agent passed, and oracle failed ${formatCount(nOracleFailed)} of ${formatCount(nOracle)}`;
}

/** Removes the benchmark from names of tasks that begin with it, because the page shows it already. */
export function dropBenchmark(text: string, { datasets: [id = ""] }: Pick<TriageParams, "datasets">): string {
  return id !== "" && text.startsWith(`${id}/`) ? text.slice(id.length + 1) : text;
}

const MOST_CHARS = 600;

export function quoteEvidence({ evidence }: Pick<FailureExample, "evidence">): string | null {
  const [first] = evidence;
  const lines = (first?.text ?? "").split("\n").filter((one) => one.trim() !== "");
  const own = first?.kind === "traceback" ? lines.slice(-1) : lines.slice(0, MOST_LINES);
  return own.length === 0 ? null : own.join("\n").slice(0, MOST_CHARS).toWellFormed();
}

const MOST_LINES = 4;

interface TextPart {
  readonly text: string;
  readonly isOwn: boolean;
}

/** Divides texts into parts that all of them have and words of their own. Texts with little in common have no shared parts. */
export function markDifferences(texts: readonly string[]): readonly (readonly TextPart[])[] {
  const words = texts.map((text) => text.split(/(\s+)/));
  const sets = words.map((own) => new Set(own));
  const isShared = (word: string) => sets.every((set) => set.has(word));
  return words.map((own) => {
    const said = own.filter((word) => word.trim() !== "");
    const isAlike = texts.length > 1 && said.filter(isShared).length * 2 > said.length;
    return own.map((text) => ({ text, isOwn: isAlike && text.trim() !== "" && !isShared(text) }));
  });
}

export function describeOracle({
  nOracle,
  nOracleFailed,
  nTried,
  nPassed,
}: NonNullable<FindingRow["oracle"]>): string {
  return `The first example is of the oracle, which runs the task’s own solution. It failed ${formatCount(nOracleFailed)} of ${formatPlural(nOracle, "attempt")}. Agents passed ${formatCount(nPassed)} of ${formatCount(nTried)} at this version of the task, in all jobs.`;
}

export function describeReviews({
  reviews: { nPassed, nFailed, nOpen },
  nTrials,
}: Pick<FindingRow, "reviews" | "nTrials">): string {
  const nJudged = nPassed + nFailed;
  const open = nOpen === 0 ? "" : ` ${formatCount(nOpen)} deferred or disputed.`;
  if (nJudged === 0) return `None of these trials is judged yet.${open}`;
  return `Reviewers passed ${formatCount(nPassed)} of ${formatCount(nJudged)} judged trials, of ${formatCount(nTrials)}.${open}`;
}

export function describeBases({ bases }: Pick<FindingRow, "bases">): string {
  const parts = [
    [bases.nSame, "by other attempts of the same agent at the task"],
    [bases.nOthers, "by other agents at the task"],
    [bases.nElsewhere, "by the agent’s other trials"],
    [bases.nReviewed, "by what reviewers passed of those they judged"],
  ] as const;
  const said = parts.filter(([n]) => n > 0).map(([n, words]) => `${formatCount(n)} ${words}`);
  return said.length === 0 ? "" : `Expected for ${said.join(", ")}.`;
}

/** A place in a trajectory is found by search, so that other matches show too. */
export function linkSignal({ kind, text, place: { file, line, step } }: Signal): Partial<TrialParams> {
  if (step !== null) return { tab: "trajectory", step, find: chooseWords(text) };
  if (kind === "failed-test") return { tab: "tests" };
  return line === null ? { tab: "files", file } : logLink({ file, line });
}

/** Characters of a line that tell it from others. */
const MOST_FOUND = 80;

/** Returns the beginning of the first line, because long texts are shown cut. */
function chooseWords(text: string): string {
  const line = text.split("\n").find((one) => one.trim() !== "") ?? "";
  return line.trim().slice(0, MOST_FOUND).trim();
}

export function describeSignalPlace({ place: { file, line, step } }: Signal): string {
  if (step !== null) return `step ${step}`;
  return line === null ? file : `${file} line ${formatCount(line)}`;
}
