import fc from "fast-check";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";

import {
  type DrawnElement,
  findByClass,
  parseMarkup,
  placeElements,
} from "@/components/charts/drawn-svg.fixture";
import { formatReward } from "@/lib/core/format/number";
import type { DifferenceBounds, PairedComparison } from "@/lib/core/stats";
import { parseCompareParams } from "@/lib/pages/compare/address";
import { formatComparisonCsv } from "@/lib/pages/compare/files";
import { findGroups, readChosenGroups, type ChosenGroup } from "@/lib/pages/compare/groups";
import { type ComparedPair, compareGroups, type Comparison } from "@/lib/pages/compare/page";
import { openIndex } from "@/lib/store/indexer";
import { jobFiles, makeFolder } from "@/lib/testing/folder.fixture";
import { planRuns } from "@/lib/testing/plan-runs";

// Menus follow links, which this test does not.
vi.mock("next/navigation", () => ({ useRouter: () => ({}) }));

import { Answer, Differences } from "./answer";
import { CurvesSection } from "./curves-section";

// Random comparisons, computed and rendered as on the page, then read back from the text.

const NUMBER = String.raw`[+−]?[\d.]+(?:e[+-]\d+)?`;
const RANGE = new RegExp(`(${NUMBER}) to (${NUMBER})`, "gu");

function toNumber(text: string): number {
  return Number(text.replace("−", "-"));
}

interface Range {
  readonly low: number;
  readonly high: number;
}

function readRanges(text: string): readonly Range[] {
  return [...text.matchAll(RANGE)].map(([, low = "", high = ""]) => ({
    low: toNumber(low),
    high: toNumber(high),
  }));
}

/** Text of the page, an element's on one line. */
function readText(html: string): string {
  return html.replace(/<[^>]+>/gu, "\n").replaceAll("&lt;", "<");
}

interface Case {
  /** Group, then task, then attempts; a missing reward is null, a task that was not run is empty. */
  readonly rewards: readonly (readonly (readonly (number | null)[])[])[];
  readonly missing: "zero" | "exclude";
  readonly threshold: number;
  /** Whether rewards are 0 and 1 alone, so that passing differs by as much as mean rewards do. */
  readonly isPassFail: boolean;
  /** The same, with as many attempts on every task. */
  readonly isEven: boolean;
}

/** Rewards of a group: unlucky or lucky on tasks of their own difficulty, so that many differences are near the line. */
function drawRewards(
  difficulties: readonly number[],
  { lead, nAttempts, kind, seed }: { lead: number; nAttempts: number; kind: string; seed: number },
): (number | null)[][] {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return difficulties.map((rate) => {
    if (kind === "sparse" && next() < 0.1) return [];
    return Array.from({ length: nAttempts }, () => {
      const chance = rate + lead;
      if (kind === "sparse" && next() < 0.1) return null;
      if (kind === "own unit") return Math.round(2 * (20 * chance + 4 * next())) / 2;
      if (kind === "fractional")
        return Math.min(1, Math.max(0, Math.round(10 * (chance + next() - 0.5)) / 10));
      return next() < chance ? 1 : 0;
    });
  });
}

const cases: fc.Arbitrary<Case> = fc
  .record({
    nTasks: fc.constantFrom(1, 2, 3, 5, 6, 7, 9, 12, 20, 30, 60),
    nGroups: fc.integer({ min: 2, max: 6 }),
    nAttempts: fc.constantFrom(1, 1, 2, 3, 5),
    kind: fc.constantFrom("pass or fail", "pass or fail", "fractional", "own unit", "sparse"),
    leads: fc.array(fc.constantFrom(0, 0, 0.1, 0.2, -0.2, 0.35, 1), { minLength: 6, maxLength: 6 }),
    spread: fc.constantFrom(0, 0.3, 1),
    seed: fc.nat(),
    missing: fc.constantFrom("zero" as const, "exclude" as const),
    threshold: fc.constantFrom(1, 1, 0.5),
  })
  .map(({ nTasks, nGroups, nAttempts, kind, leads, spread, seed, missing, threshold }) => {
    const difficulties = Array.from(
      { length: nTasks },
      (_, i) => 0.4 + spread * (((i * 7) % 10) / 10 - 0.45),
    );
    const rewards = Array.from({ length: nGroups }, (_, group) =>
      drawRewards(difficulties, { lead: leads[group] ?? 0, nAttempts, kind, seed: seed + 7919 * group }),
    );
    return {
      rewards,
      missing,
      threshold,
      isPassFail: kind === "pass or fail" || kind === "sparse",
      isEven: kind === "pass or fail",
    };
  });

let nDrawn = 0;

function compareCase(template: ChosenGroup, { rewards, missing, threshold }: Case): Comparison {
  const [trial] = template.trials;
  if (trial === undefined) throw new Error("no trial to copy");
  nDrawn++;
  const chosen = rewards.map((tasks, group): ChosenGroup => ({
    ...template,
    id: `case-${String(nDrawn)}-${String(group)}`,
    label: `group ${String.fromCharCode(97 + group)}`,
    trials: tasks.flatMap((attempts, task) =>
      attempts.map((reward, attempt) => ({
        ...trial,
        key: `${String(task)}-${String(attempt)}`,
        taskName: `task-${String(task)}`,
        attempt: attempt + 1,
        rewards: new Map(reward === null ? [] : [["reward", reward]]),
      })),
    ),
  }));
  return compareGroups(chosen, { ...PARAMS, missing, threshold, tasks: "own" });
}

const PARAMS = parseCompareParams({});

function drawVerdicts(comparison: Comparison): string {
  return renderToStaticMarkup(
    <>
      <Answer comparison={comparison} params={PARAMS} />
      <Differences comparison={comparison} />
    </>,
  );
}

/** The heading has the words, size and interval of its pair, with the winner first and its size positive. */
function checkAnswer({ lead }: Comparison, page: string) {
  if (lead === null) throw new Error("no pair");
  const [heading] = listAll(parseMarkup(page), "h1");
  const text = heading?.text ?? "";
  const { verdict, difference, interval } = lead.words;
  const names = [lead.first.label, lead.second.label];
  if (verdict === "worse") names.reverse();
  const isClear = verdict === "better" || verdict === "worse";
  expect(text.indexOf(names[0] ?? "")).toBeLessThan(text.indexOf(names[1] ?? ""));
  expect(text.includes("is better than")).toBe(isClear);
  expect(text.includes("No clear difference")).toBe(verdict === "no clear difference");
  if (isClear) expect(text).toContain(`by ${(difference ?? "").slice(1)}`);
  const [range] = readRanges(text.slice(text.indexOf("(95 %") + 5));
  const [own] = readRanges(interval ?? "");
  if (own === undefined) expect(text).not.toContain("95 %");
  else expect(range).toEqual(verdict === "worse" ? { low: -own.high, high: -own.low } : own);
}

/** The words of a pair, the page that prints them, and the numbers that they are of. */
function checkPair(pair: ComparedPair, page: string, nPairs: number) {
  const { comparison: paired, words } = pair;
  if (paired.kind === "unavailable") {
    expect(words).toMatchObject({ verdict: "not compared", interval: null, pValue: null });
    return;
  }
  expect(page).toContain(words.sentence);
  if (paired.bounds.kind === "unavailable") {
    expect(words).toMatchObject({ verdict: "no interval", interval: null, pValue: null });
    expect(words.sentence).toContain("no interval");
    return;
  }
  checkNumbers(paired, paired.bounds, nPairs);
  checkWords(pair);
  checkDetail(pair);
  expect(readText(page)).toContain(words.pValue);
}

function checkNumbers({ difference, verdict }: PairedComparison, bounds: DifferenceBounds, nPairs: number) {
  const better = bounds.low > 0 ? "first-better" : "second-better";
  expect(bounds.nAdjusted).toBeLessThanOrEqual(nPairs);
  expect(verdict).toBe(bounds.p < 0.05 ? better : "no-clear-difference");
  // Adjusting with others makes a p-value larger, and leaves its interval as it is.
  if (bounds.p < 0.05 || nPairs === 1) expect(bounds.p < 0.05).toBe(bounds.low > 0 || bounds.high < 0);
  expect(bounds.low).toBeLessThanOrEqual(difference);
  expect(bounds.high).toBeGreaterThanOrEqual(difference);
}

/** The words must match the printed numbers. */
function checkWords({ words, first, second }: ComparedPair) {
  const [printed, ...more] = readRanges(words.interval ?? "");
  if (printed === undefined || more.length > 0) throw new Error(`one interval: ${words.interval ?? ""}`);
  const leaning = printed.low > 0 ? "better" : printed.high < 0 ? "worse" : "no clear difference";
  // Where an interval says more than the adjusted p-value, it is said that it does.
  const said = words.caution === null ? leaning : "no clear difference";
  if (words.caution !== null) expect(leaning).not.toBe("no clear difference");
  expect(words.verdict).toBe(said);
  expect(words.sentence.includes("is better than")).toBe(said !== "no clear difference");
  expect(words.sentence.startsWith(`${(said === "worse" ? second : first).label} `)).toBe(true);
  const size = toNumber(words.difference ?? "");
  expect(printed.low <= size && size <= printed.high).toBe(true);
  const p = words.pValue ?? "";
  const isBelow = p.startsWith("<") ? toNumber(p.slice(2)) <= 0.05 : toNumber(p) < 0.05;
  expect(isBelow).toBe(said !== "no clear difference");
}

/** Exactly the intervals that contain 0 have a caveat. */
function checkDetail({ words }: ComparedPair) {
  for (const sentence of (words.detail ?? "").split(". ")) {
    const [range] = readRanges(sentence);
    if (range === undefined) continue;
    expect(sentence.includes("could be no difference"), sentence).toBe(range.low <= 0 && range.high >= 0);
  }
}

function listAll(element: DrawnElement, name: string): DrawnElement[] {
  return [
    ...(element.name === name ? [element] : []),
    ...element.children.flatMap((child) => listAll(child, name)),
  ];
}

/** Where the parts of a drawing 200 pixels wide are, across. */
function placeAcross(drawing: DrawnElement) {
  const marks = placeElements({ ...drawing, children: [drawing] }, { width: 200, height: 32 });
  const [shape] = findByClass(drawing, "agent-shape");
  return {
    of: (element: DrawnElement) => (marks.get(element)?.places ?? []).map(({ x }) => x),
    dot: (shape && marks.get(shape)?.toPixels({ x: 6, y: 6 }).x) ?? Number.NaN,
  };
}

/** Values drawn in the rows of the plot, read on the scale below it; null without one. */
function readForest(page: string) {
  const root = parseMarkup(page);
  const scale = findByClass(root, "strip-numbered").at(-1);
  const rows = listAll(root, "tbody").flatMap((body) => listAll(body, "tr"));
  if (scale === undefined) return null;
  const { of } = placeAcross(scale);
  const ticks = listAll(scale, "text").map(
    (tick) => [toNumber(tick.text), of(tick)[0] ?? Number.NaN] as const,
  );
  const [low, high] = [ticks[0], ticks.at(-1)];
  if (low === undefined || high === undefined) throw new Error("no scale");
  const unit = (high[0] - low[0]) / (high[1] - low[1]);
  const readAt = (pixel: number) => low[0] + (pixel - low[1]) * unit;
  return {
    // Written numbers are rounded, and places to a tenth of a pixel.
    tolerance: 0.051 + 0.11 * unit,
    rows: rows.map((row) => {
      const drawing = findByClass(row, "strip")[0];
      const drawn = drawing === undefined ? null : placeAcross(drawing);
      const lines = drawing === undefined ? [] : findByClass(drawing, "strip-interval");
      return {
        name: findByClass(row, "agent-name")[0]?.text ?? "",
        cells: row.children.map(({ text }) => text),
        value: readAt(drawn?.dot ?? Number.NaN),
        ends: lines.flatMap((line) => drawn?.of(line) ?? []).map(readAt),
      };
    }),
  };
}

/** Visible rows of the plot are sorted by their numbers, and drawn at these on the column's scale. */
function checkForest({ groups, pairs }: Comparison, page: string) {
  const forest = readForest(page);
  if (forest === null) return;
  const { rows, tolerance } = forest;
  const candidates = groups.slice(1).map(({ label }) => label);
  expect(rows.map(({ name }) => name).toSorted()).toEqual(candidates.toSorted());
  const expectClose = (drawn: number | undefined, written: number) =>
    expect(Math.abs((drawn ?? Number.NaN) - written)).toBeLessThanOrEqual(tolerance);
  const compared = rows.flatMap((row) => {
    const pair = pairs.find(({ first }) => first.label === row.name);
    if (pair?.comparison.kind === "unavailable") return [];
    return [{ ...row, pair, written: pair === undefined ? 0 : toNumber(pair.words.difference ?? "") }];
  });
  expect(compared.map(({ written }) => written)).toEqual(
    compared.map(({ written }) => written).toSorted((a, b) => b - a),
  );
  for (const { pair, written, value, ends, cells } of compared) {
    expectClose(value, written);
    if (pair === undefined) continue;
    expect(cells).toContain(pair.words.difference);
    const [range] = readRanges(pair.words.interval ?? "");
    expect(ends).toHaveLength(range === undefined ? 0 : 2);
    if (range === undefined) continue;
    expectClose(ends[0], range.low);
    expectClose(ends[1], range.high);
  }
}

const COLUMNS = { minus: 2, measure: 3, k: 4, low: 6, high: 7, level: 15, comparisons: 16 };

/** Intervals of the file at k = 1, in the order of the pairs that have a curve. */
function checkFile(comparison: Comparison, isPassFail: boolean) {
  const rows = formatComparisonCsv(comparison, PARAMS)
    .split("\r\n")
    .slice(1)
    .map((line) => line.split(","))
    .filter(
      (row) => row[COLUMNS.minus] !== "" && row[COLUMNS.measure] === "pass@k" && row[COLUMNS.k] === "1",
    );
  const drawn = comparison.pairs.filter(({ difference }) => difference.kind === "computed");
  expect(rows).toHaveLength(drawn.length);
  drawn.forEach(({ comparison: paired }, index) => {
    const row = rows[index] ?? [];
    expect(Number(row[COLUMNS.comparisons])).toBe(1);
    if (paired.kind === "unavailable" || paired.bounds.kind === "unavailable") return;
    const { low, high, level } = paired.bounds;
    expect(Number(row[COLUMNS.level])).toBe(level);
    if (isPassFail) expect([row[COLUMNS.low], row[COLUMNS.high]].map(Number)).toEqual([low, high]);
  });
}

/** With as many attempts on every task a group's mean is its curve at k = 1: one value, one interval. */
function checkMeans({ groups }: Comparison) {
  for (const { curve, certainty, cells } of groups) {
    const point = curve.kind === "computed" ? curve.points[0] : undefined;
    const band = point?.passAtK.band;
    if (band?.kind !== "computed" || certainty.mean.kind === "unavailable" || certainty.mean.nTasks < 2)
      continue;
    expect(cells.mean.range).toBe(`${formatReward(band.low)} to ${formatReward(band.high)}`);
  }
}

/** Intervals of the difference at k = 1 on a page of one pair. */
function checkPlaces(comparison: Comparison) {
  const [pair] = comparison.pairs;
  if (pair === undefined || comparison.pairs.length > 1) return;
  const { comparison: paired, words, axis } = pair;
  if (paired.kind !== "computed" || words.interval === null) return;
  expect(axis?.summary).toContain(words.interval);
  const reading = { ...comparison, k: 1 };
  const charts = readText(renderToStaticMarkup(<CurvesSection comparison={reading} params={PARAMS} />));
  expect(charts.split(words.interval)).toHaveLength(1 + comparison.charts.length);
  const table = readText(
    renderToStaticMarkup(<CurvesSection comparison={reading} params={{ ...PARAMS, asTable: true }} />),
  );
  expect(table.split(words.interval).length).toBeGreaterThanOrEqual(3);
}

/** A note below the curves names those that cover fewer tasks at larger k. */
function checkTaskCounts(comparison: Comparison, { rewards, missing }: Case): number {
  if (comparison.k === null) return 0;
  const page = readText(renderToStaticMarkup(<CurvesSection comparison={comparison} params={PARAMS} />));
  const notes = rewards.flatMap((tasks, at) => {
    const counts = tasks
      .map((attempts) => attempts.filter((reward) => missing === "zero" || reward !== null).length)
      .filter((n) => n > 0);
    const most = Math.max(...counts);
    const nWithMost = counts.filter((n) => n === most).length;
    if (nWithMost === counts.length) return [];
    const tasksOfAll = counts.length === 1 ? "1 task" : `${String(counts.length)} tasks`;
    const label = comparison.groups[at]?.label ?? "";
    return `${label}: ${tasksOfAll} at k = 1, ${String(nWithMost)} at k = ${String(most)}`;
  });
  expect(notes.filter((note) => page.includes(note))).toHaveLength(Math.min(notes.length, 3));
  expect(page.includes("a curve covers fewer tasks")).toBe(notes.length > 0);
  return notes.length;
}

test("verdict, interval, p-value and words of random comparisons say the same, wherever they are printed", async () => {
  const folder = makeFolder(jobFiles("run", { drop__aaaaaaa: 1 }));
  const index = await openIndex({ roots: [folder], environment: { ASSAY_DATA: makeFolder({}, "data") } });
  await index.refresh();
  const { chosen } = await findGroups(index.store, ["run:orca__m1__bench"], () => 1);
  const [template] = await readChosenGroups(index.store, chosen);
  await index.close();
  if (template === undefined) throw new Error("no group to copy");
  const verdicts = new Map<string, number>();
  let nFewer = 0;
  fc.assert(
    fc.property(cases, (drawn) => {
      const comparison = compareCase(template, drawn);
      const page = drawVerdicts(comparison);
      // An adjustment is named once.
      expect(readText(page).split("(Holm)")).toHaveLength(comparison.pairs.length > 1 ? 2 : 1);
      checkAnswer(comparison, page);
      if (comparison.pairs.length > 1) checkForest(comparison, page);
      for (const pair of comparison.pairs) {
        verdicts.set(pair.words.verdict, (verdicts.get(pair.words.verdict) ?? 0) + 1);
        checkPair(pair, page, comparison.pairs.length);
      }
      checkFile(comparison, drawn.isPassFail);
      if (drawn.isPassFail) checkPlaces(comparison);
      if (drawn.isEven) checkMeans(comparison);
      nFewer += checkTaskCounts(comparison, drawn);
    }),
    planRuns({ short: 20, long: 6000 }),
  );
  for (const verdict of ["better", "worse", "no clear difference", "no interval"])
    expect(verdicts.get(verdict) ?? 0, verdict).toBeGreaterThan(0);
  expect(nFewer).toBeGreaterThan(0);
});
