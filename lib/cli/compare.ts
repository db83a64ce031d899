import {
  type ComparedGroups,
  prepareCompareJson,
  type CertaintyCell,
  type CompareFigures,
  describeStand,
  listPairs,
  type NamedRuns,
  type PairReading,
  checkRuns,
  describeAdjustment,
  describeCounting,
} from "@/lib/core/comparison";
import { MISSING, formatCount } from "@/lib/core/format/number";
import { SUMMATION } from "@/lib/server/view-options";

import { defineCommand, flag, option, UsageError, parseSummation } from "./command";
import {
  COMPARE_OPTIONS,
  compareFolders,
  parseCompareChoice,
  poolFolders,
  prepareSensitivityText,
} from "./compare-folders";
import { readRules } from "./known-failures";
import { openFolders } from "./open-folders";
import { type Terminal, writeAll, writeJson } from "./terminal";
import { formatRows, type Column } from "./text-table";

export const compare = defineCommand({
  listed: { "compare JOB ...": "Compare groups of trials; optionally fail if one is worse" },
  usage: ["assay compare JOB ... [OPTIONS]"],
  about: `Compares every evals group of the jobs in or below each JOB with a baseline, on the tasks they share. Prints means with
intervals, paired differences adjusted for multiple comparisons, and warnings about comparability.`,
  options: {
    ...COMPARE_OPTIONS,
    "fail-if": option(
      "WHEN",
      `Exit with 1 if the condition holds for an agent against its own oldest run, or against the baseline: worse,
not-better, or difference, low, high or p with < or > and a number, such as "low<-0.02" (0.02 is 2 points).`,
    ),
    json: flag("Print JSON (assay.compare/2)."),
    summation: SUMMATION,
  },
  examples: ["assay compare jobs/before jobs/after --fail-if worse", "assay compare jobs --pool numbers"],
  async run({ values, positionals }, terminal) {
    if (positionals.length === 0) throw new UsageError("Pass at least one job folder.");
    const condition = values["fail-if"] === undefined ? null : parseCondition(values["fail-if"]);
    const choice = parseCompareChoice(values);
    const snapshot = openFolders(terminal, positionals, parseSummation(values.summation, terminal.env));
    const named = await poolFolders(snapshot, choice, terminal, readRules(terminal, values.data));
    const comparison = compareFolders(named, positionals, choice, condition !== null);
    if (values.json) await writeJson(terminal.stdout, prepareCompareJson(comparison));
    else await writeAll(terminal.stdout, [prepareCompareText(comparison)]);
    return reportFailures(comparison, condition, terminal);
  },
});

function reportFailures(
  { groups, figures }: ComparedGroups,
  condition: Condition | null,
  { stderr }: Terminal,
): number {
  if (condition === null) return 0;
  const failures = findFailures(groups, figures, condition);
  for (const sentence of failures) stderr.write(`FAIL: ${sentence}\n`);
  return failures.length > 0 ? 1 : 0;
}

type Condition =
  | { readonly kind: "worse" }
  | { readonly kind: "not-better" }
  | {
      readonly kind: "figure";
      readonly figure: FigureName;
      readonly isBelow: boolean;
      readonly limit: number;
    };

/** Figures of a group against the baseline: difference of means, both ends of its interval, p. */
const FIGURES = ["difference", "low", "high", "p"] as const;
type FigureName = (typeof FIGURES)[number];

function parseCondition(text: string): Condition {
  if (text === "worse" || text === "not-better") return { kind: text };
  const [, name = "", sign, number = ""] = /^\s*([a-z]+)\s*([<>])\s*(-?\d+(?:\.\d+)?)\s*$/u.exec(text) ?? [];
  const figure = FIGURES.find((one) => one === name);
  if (figure === undefined)
    throw new UsageError(
      `--fail-if takes worse, not-better, or one of ${FIGURES.join(", ")} with < or > and a number, such as "low<-0.02"; not "${text}".`,
    );
  return { kind: "figure", figure, isBelow: sign === "<", limit: Number(number) };
}

/** Returns a sentence for every pair that meets the condition. A value that cannot be computed never passes a condition on it. */
function findFailures(
  groups: readonly NamedRuns[],
  figures: CompareFigures,
  condition: Condition,
): readonly string[] {
  return listPairs(groups, figures).flatMap((pair) => {
    const found = findFailure(pair, condition);
    return found === null ? [] : `${describeStand(pair, pair.comparison)}${found}`;
  });
}

function findFailure(
  { comparison, words }: CompareFigures["pairs"][number],
  condition: Condition,
): string | null {
  // A pair that was not compared may be worse.
  if (words.verdict === "not compared") return "";
  if (condition.kind === "worse") return words.verdict === "worse" ? "" : null;
  if (condition.kind === "not-better") return words.verdict === "better" ? null : "";
  const { figure, isBelow, limit } = condition;
  const value = readFigure(comparison, figure);
  if (value === null) return `; no ${figure} to check`;
  const isFailure = isBelow ? value < limit : value > limit;
  return isFailure ? `; ${figure} is ${value}, ${isBelow ? "below" : "above"} ${limit}` : null;
}

function readFigure(
  comparison: CompareFigures["pairs"][number]["comparison"],
  figure: FigureName,
): number | null {
  if (comparison.kind === "unavailable") return null;
  if (figure === "difference") return comparison.difference;
  const { bounds } = comparison;
  return bounds.kind === "unavailable" ? null : bounds[figure];
}

function prepareCompareText(printed: ComparedGroups): string {
  const { groups, figures, key, threshold, missing, checks } = printed;
  const nCommon = figures.commonTasks.length;
  const counted = describeCounting(printed, groups);
  const heading = `${nCommon} of ${figures.allTasks.length} tasks in every group; reward key ${key}, passed at ${threshold}, ${counted}\n`;
  const all = [
    { of: "", checks },
    ...groups.map((one) => ({ of: `${one.label}: `, checks: checkRuns(one) })),
  ];
  const notes = all.flatMap((part) =>
    part.checks
      .filter(({ state }) => state !== "same")
      .map(({ name, state, detail }) => `${state}: ${part.of}${name}. ${detail}\n`),
  );
  const sensitivity = prepareSensitivityText(
    groups.flatMap(({ label }, at) => {
      const own = figures.groups[at];
      return own === undefined ? [] : [{ label, sensitivity: own.certainty.sensitivity }];
    }),
    missing,
  );
  const readings = prepareReadingsText(figures.pairs.length === 1 ? (figures.pairs[0]?.readings ?? []) : []);
  return [
    heading,
    "\n",
    prepareGroups(printed),
    "\n",
    preparePairs(printed),
    ...(sensitivity === "" ? [] : ["\n", sensitivity]),
    ...(readings === "" ? [] : ["\n", readings]),
    ...notes.map((note, at) => (at === 0 ? `\n${note}` : note)),
  ].join("");
}

function prepareGroups({ groups, figures }: ComparedGroups): string {
  const rows = groups.map((group, at) => ({ ...group, cells: figures.groups[at]?.cells }));
  const hasCosts = figures.groups.some(({ certainty }) => certainty.costPerSolve.kind === "computed");
  const columns: Column<(typeof rows)[number]>[] = [
    ["group", ({ label }) => label],
    [{ right: "runs" }, ({ runs }) => String(runs.length)],
    [{ right: "trials" }, ({ trials }) => String(trials.length)],
    [{ right: "mean" }, ({ cells }) => cells?.mean.value ?? MISSING],
    ["95 % interval", ({ cells }) => cells?.mean.range ?? MISSING],
  ];
  if (groups.some(({ runs }) => runs.length > 1))
    columns.push(["run to run", ({ cells }) => writeRunToRun(cells?.runToRun)]);
  if (hasCosts)
    columns.push(
      [{ right: "$ per solve" }, ({ cells }) => cells?.costPerSolve.value ?? MISSING],
      ["95 % interval", ({ cells }) => cells?.costPerSolve.range ?? MISSING],
    );
  return formatRows(rows, columns);
}

function writeRunToRun(cell: CertaintyCell | undefined): string {
  return cell === undefined || cell.value === null ? MISSING : `${cell.value}, ${cell.range ?? ""}`;
}

function preparePairs({ groups, figures }: ComparedGroups): string {
  const pairs = listPairs(groups, figures);
  const columns: Column<(typeof pairs)[number]>[] = [
    ["group", ({ first }) => first],
    ["against", ({ second }) => second],
    ["verdict", ({ words }) => words.verdict],
    [{ right: "difference" }, ({ words }) => words.difference ?? MISSING],
    ["95 % interval", ({ words }) => words.interval ?? MISSING],
  ];
  if (pairs.some(({ words }) => words.runInterval !== null))
    columns.push(["with run to run", ({ words }) => words.runInterval?.value ?? MISSING]);
  columns.push([{ right: "p" }, ({ words }) => words.pValue ?? MISSING]);
  const adjustment = describeAdjustment(pairs.length);
  return [
    `${formatRows(pairs, columns)}\n`,
    ...pairs.map(({ words: { sentence, caution } }) => `${[sentence, caution ?? []].flat().join(" ")}\n`),
    ...(adjustment === null ? [] : [`${adjustment}\n`]),
  ].join("");
}

function prepareReadingsText(readings: readonly PairReading[]): string {
  if (readings.length === 0) return "";
  return formatRows(readings, [
    ["reading", ({ label }) => label.toLowerCase()],
    [{ right: "trials left out" }, ({ nMoved }) => formatCount(nMoved)],
    [{ right: "difference" }, ({ words }) => words.difference ?? MISSING],
    ["95 % interval", ({ words }) => words.interval ?? MISSING],
    [{ right: "p" }, ({ words }) => words.pValue ?? MISSING],
    ["verdict", ({ words }) => words.verdict],
  ]);
}
