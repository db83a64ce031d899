import { formatCount, formatPlural, formatPoints } from "@/lib/core/format/number";
import { capitalise, formatTask } from "@/lib/core/format/words";
import type { ExpectedWin, Unavailable } from "@/lib/core/stats";
import { CLASSES } from "@/lib/core/triage/classes";
import type { FindingRow } from "@/lib/pages/triage/page";

export function describeWin(win: ExpectedWin | Unavailable): string {
  if (win.kind === "unavailable") return "unknown";
  return `${formatPoints(win.expected)} points, 95 % ${formatPoints(win.low)} to ${formatPoints(win.high)}; ${formatPoints(win.most)} if every trial had passed`;
}

export function nameFinding(row: FindingRow): string {
  const { failureClass, name, tasks, nTasks, only, oracle, strict } = row;
  if (oracle !== null) return `${formatTask(oracle)}: ${describeBroken(oracle)}`;
  if (strict !== null)
    return `${tasks[0] ?? ""}: reviewers call the verifier too strict in ${formatCount(strict.nSaid)} of ${formatCount(strict.nJudged)} judged trials`;
  if (failureClass === "unexplained") return "No rule explains these trials";
  if (failureClass === "no_evidence") return "Failed, no evidence recorded";
  const said = name ?? CLASSES[failureClass].words;
  const where =
    nTasks === 1 ? `${tasks[0] ?? ""}: ${said}` : `${capitalise(said)} in ${formatPlural(nTasks, "task")}`;
  return only === null ? where : `${where}, only ${only}`;
}

function describeBroken({ nOracle, nOracleFailed, nPassed }: NonNullable<FindingRow["oracle"]>): string {
  const isNever = nOracleFailed === nOracle;
  if (nPassed > 0)
    return `oracle failed ${formatCount(nOracleFailed)} of ${formatCount(nOracle)}, but agents passed ${formatCount(nPassed)}`;
  return isNever
    ? "fails for everyone, including oracle: the task is broken"
    : `no agent passed, and oracle failed ${formatCount(nOracleFailed)} of ${formatCount(nOracle)}`;
}

export function quoteEvidence({ example }: Pick<FindingRow, "example">): string | null {
  const [first] = example?.evidence ?? [];
  const lines = (first?.text ?? "").split("\n").filter((one) => one.trim() !== "");
  const line = first?.kind === "traceback" ? lines.at(-1) : lines[0];
  return line === undefined ? null : line.trim();
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
