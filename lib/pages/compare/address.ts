import type { Route } from "next";

import {
  COMPARE_HEADINGS,
  COMPARE_SHOWS,
  COMPARE_SORTS,
  COMPARE_TABS,
  MARK_COLOURS,
  MAX_GROUPS,
  TASK_CHANGES,
} from "@/lib/core/domain/compare-filter";
import { SCORING_CHOICES } from "@/lib/core/domain/scoring-choice";
import { SPENDING_MEASURES } from "@/lib/core/domain/spending";

import { type AddressValues, createListAddress, readFileSearch, type SearchValues } from "../address/address";
import { direction, flag, name, names, number, oneOf, pageNumber, text, wholeFrom } from "../address/values";

export const compareAddress = createListAddress(
  {
    /**
     * References of the chosen groups, in order. One that begins with `+` is pooled with those before it: a run set (see {@link
     * listRunSets}). `set:` and an id is a saved run set. At most {@link MAX_GROUPS} groups and run sets are read.
     */
    refs: names,
    /** Baseline: the oldest run (`start`), or the first of `refs` (`chosen`). */
    order: oneOf(["start", "chosen"]),
    tab: oneOf(COMPARE_TABS),
    key: name,
    threshold: number.withDefault(1),
    missing: oneOf(["zero", "exclude"]),
    /** Trials that count: by the rule that wrote each job, or one rule for all. */
    rule: oneOf(SCORING_CHOICES),
    /** Curves over tasks that all groups share, or each over its own. */
    tasks: oneOf(["common", "own"]),
    k: wholeFrom(1),
    matrixPage: pageNumber,
    sort: oneOf(COMPARE_SORTS),
    descending: direction,
    show: oneOf(COMPARE_SHOWS),
    spent: oneOf(SPENDING_MEASURES),
    by: oneOf(COMPARE_HEADINGS),
    change: oneOf(TASK_CHANGES),
    /** Place of the other group, from 2; null, or beyond the last, for the one of the title. */
    versus: wholeFrom(2),
    colour: oneOf(MARK_COLOURS),
    hasVerdicts: flag("shown"),
    /** Also lists tasks on which no group differs from the baseline. */
    hasTies: flag("shown"),
    asTable: flag("table"),
    picking: flag("1"),
    text,
    pickerPage: pageNumber,
  },
  {
    refs: "g",
    matrixPage: "page",
    pickerPage: "pick_page",
    descending: "dir",
    asTable: "view",
    hasVerdicts: "verdicts",
    hasTies: "ties",
    picking: "pick",
    text: "q",
  },
  { task: { ascends: true } },
);

export type CompareParams = AddressValues<typeof compareAddress>;

export type CompareFilter = Omit<CompareParams, "asTable" | "picking" | "text" | "pickerPage">;

export function parseCompareParams(search: SearchValues): CompareParams {
  const params = compareAddress.read(search);
  return { ...params, refs: listRunSets(params.refs).slice(0, MAX_GROUPS).flatMap(writeRunSet) };
}

const MOST_RUNS = 50;

/**
 * Returns the references of each group's runs: one, or several of a run set. A run twice in a set counts once, and so does a
 * repeated set. A reference whose own job begins with `+` is indistinguishable from a joined one, and is read as that.
 */
export function listRunSets(refs: readonly string[]): readonly (readonly [string, ...string[]])[] {
  const sets: [string, ...string[]][] = [];
  for (const ref of refs) {
    const last = sets.at(-1);
    if (!ref.startsWith("+") || last === undefined) sets.push([ref]);
    else if (last.length < MOST_RUNS && !last.includes(ref.slice(1))) last.push(ref.slice(1));
  }
  return [...new Map(sets.map((set) => [JSON.stringify(set), set])).values()];
}

export function writeRunSet(runs: readonly string[]): readonly string[] {
  return runs.map((ref, at) => (at === 0 ? ref : `+${ref}`));
}

const SAVED_SET = /^set:(?<id>[0-9a-f]{8})$/u;

export function savedSetRef(id: string): string {
  return `set:${id}`;
}

export function readSavedSetRef(ref: string): string | null {
  return SAVED_SET.exec(ref)?.groups?.["id"] ?? null;
}

/**
 * Adds a run as a group of its own, or removes it; the rest of its set stays together.
 * @param runsOf - runs of each saved set among the references, which is spelled out once a run of it goes
 */
export function toggleRun(
  refs: readonly string[],
  ref: string,
  runsOf: ReadonlyMap<string, readonly string[]> = new Map(),
): readonly string[] {
  const sets = listRunSets(refs).map((set) => ({
    set,
    runs: [...new Set(set.flatMap((one) => runsOf.get(one) ?? one))],
  }));
  return sets.some(({ runs }) => runs.includes(ref))
    ? sets.flatMap(({ set, runs }) =>
        writeRunSet(runs.includes(ref) ? runs.filter((one) => one !== ref) : set),
      )
    : [...refs, ref];
}

export function countNamedGroups(search: SearchValues): number {
  return listRunSets(compareAddress.read(search).refs).length;
}

/** Changes that keep the matrix's rows and their order; `spent` does if no task is selected by it. */
const KEEPS_ROWS: ReadonlySet<string> = new Set(["tab", "k", "asTable", "spent", "colour", "hasVerdicts"]);

export function compareParamsHref(
  params: Partial<CompareParams>,
  change: Partial<CompareParams> = {},
): Route {
  const isChosen = params.change !== undefined && params.change !== "any";
  const keepsRows = Object.keys(change).every((one) => KEEPS_ROWS.has(one) && !(isChosen && one === "spent"));
  const matrixPage = keepsRows ? params.matrixPage : 1;
  const pickerPage = "text" in change ? 1 : params.pickerPage;
  return compareAddress.href("/compare", { ...params, matrixPage, pickerPage, ...change });
}

function pickCompared({ refs, order, key, threshold, missing, rule, tasks }: CompareParams) {
  return { refs, order, key, threshold, missing, rule, tasks };
}

export function curvesHref(params: CompareParams, format: "csv" | "svg"): Route {
  return compareAddress.href(`/compare/curves.${format}`, { ...pickCompared(params), k: params.k });
}

export function reportHref(params: CompareParams): Route {
  return compareAddress.href("/compare/report.html", pickCompared(params));
}

/** Reads an address of {@link curvesHref} or {@link reportHref}. @throws as {@link readFileSearch} */
export function readCompareRequest(url: string): CompareParams {
  return parseCompareParams(readFileSearch(url, compareAddress));
}
