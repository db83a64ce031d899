import { SCORING_CHOICES } from "@/lib/domain/scoring-choice";
import type { Route } from "next";

import {
  COMPARE_HEADINGS,
  COMPARE_SHOWS,
  COMPARE_SORTS,
  MARK_COLOURS,
  MAX_GROUPS,
  TASK_CHANGES,
} from "@/lib/domain/compare-filter";
import { SPENDING_MEASURES } from "@/lib/domain/spending";
import {
  type AddressValues,
  createAddress,
  listSearchValues,
  refuseUnknown,
  type SearchValues,
} from "./address";
import { direction, flag, name, names, number, oneOf, pageNumber, text, wholeFrom } from "./values";

export const compareAddress = createAddress(
  {
    /**
     * References of the chosen groups, first to last. One that begins with `+` is counted together with those before it: a run
     * set (see {@link listRunSets}). `set:` and an id is a saved run set. At most {@link MAX_GROUPS} groups and run sets are read.
     */
    refs: names,
    /** The baseline: the oldest run (`start`), or the first of `refs` (`chosen`). */
    order: oneOf(["start", "chosen"]),
    /** Reward key; null for the one that most trials carry. */
    key: name,
    /** An attempt passes when its reward is at least this. */
    threshold: number.withDefault(1),
    /** What a missing reward counts as: 0, or it is left out. */
    missing: oneOf(["zero", "exclude"]),
    /** Which trials count: by the rule that wrote each job, or one rule for all. */
    rule: oneOf(SCORING_CHOICES),
    /** Whether curves are over the tasks that all groups share, or each over its own. */
    tasks: oneOf(["common", "own"]),
    /** The k to read values at; null for the largest. */
    k: wholeFrom(1),
    /** Page of the matrix; beyond the last it is the last. */
    matrixPage: pageNumber,
    sort: oneOf(COMPARE_SORTS),
    descending: direction,
    show: oneOf(COMPARE_SHOWS),
    /** What scores are set against. */
    spent: oneOf(SPENDING_MEASURES),
    by: oneOf(COMPARE_HEADINGS),
    /** Which tasks the matrix shows by how the first group stands to another at them. */
    change: oneOf(TASK_CHANGES),
    /** That other group by its place from 2; null for the one of the title. Beyond the last it is that one too. */
    versus: wholeFrom(2),
    colour: oneOf(MARK_COLOURS),
    /** Whether the marks of the matrix say what reviewers say. */
    hasVerdicts: flag("shown"),
    /** Whether the curves are shown as a table. */
    asTable: flag("table"),
    /** Whether the picker is open although enough groups are chosen. */
    picking: flag("1"),
    /** Text that the picker is filtered by. */
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
    picking: "pick",
    text: "q",
  },
);

export interface CompareParams extends AddressValues<typeof compareAddress> {
  readonly descending: boolean;
}

export type CompareFilter = Omit<CompareParams, "asTable" | "picking" | "text" | "pickerPage">;

/** Names ascend, amounts descend. */
function descends(sort: CompareParams["sort"] | undefined): boolean {
  return sort !== "task";
}

/** Reads the address; whatever it says wrongly falls back to the default. */
export function parseCompareParams(search: SearchValues): CompareParams {
  const params = compareAddress.read(search);
  return {
    ...params,
    refs: listRunSets(params.refs).slice(0, MAX_GROUPS).flatMap(writeRunSet),
    descending: params.descending ?? descends(params.sort),
  };
}

const MOST_RUNS = 50;

/**
 * The groups of the address, each as the references of its runs: one, or several of a run set. The same run twice in a set
 * counts once, and so does a set that is there twice. A reference whose own job begins with `+` cannot be told from one that is joined,
 * and is read as that.
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

/** The references of runs as the address counts them together. */
export function writeRunSet(runs: readonly string[]): readonly string[] {
  return runs.map((ref, at) => (at === 0 ? ref : `+${ref}`));
}

const SAVED_SET = /^set:(?<id>[0-9a-f]{8})$/u;

export function savedSetRef(id: string): string {
  return `set:${id}`;
}

/** The id of the saved run set that a reference names; null for any other reference. */
export function readSavedSetRef(ref: string): string | null {
  return SAVED_SET.exec(ref)?.groups?.["id"] ?? null;
}

/**
 * The references with one run more, as a group of its own, or without it; the rest of its set stays together.
 *
 * @param runsOf - the runs of each saved run set among the references, which is spelled out once a run of it goes
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

/** How many groups the address names, of which {@link parseCompareParams} reads the first {@link MAX_GROUPS}. */
export function countNamedGroups(search: SearchValues): number {
  return listRunSets(compareAddress.read(search).refs).length;
}

/** Changes that leave the matrix's rows and their order alone; what scores are set against does where no task is chosen by it. */
const KEEPS_ROWS: ReadonlySet<string> = new Set(["k", "asTable", "spent", "colour", "hasVerdicts"]);

/** The address of the compare page with some values changed; another text or other rows start at their first page. */
export function compareParamsHref(
  params: Partial<CompareParams>,
  change: Partial<CompareParams> = {},
): Route {
  const isChosen = params.change !== undefined && params.change !== "any";
  const keepsRows = Object.keys(change).every((one) => KEEPS_ROWS.has(one) && !(isChosen && one === "spent"));
  const matrixPage = keepsRows ? params.matrixPage : 1;
  const pickerPage = "text" in change ? 1 : params.pickerPage;
  const next = { ...params, matrixPage, pickerPage, ...change };
  const descending = next.descending === descends(next.sort) ? null : next.descending;
  return compareAddress.href("/compare", { ...next, descending });
}

/** The address of the curves as a file, with the values that decide what curves are. */
export function curvesHref(params: CompareParams, format: "csv" | "svg"): Route {
  const { refs, order, key, threshold, missing, rule, tasks, k } = params;
  return compareAddress.href(`/compare/curves.${format}`, {
    refs,
    order,
    key,
    threshold,
    missing,
    rule,
    tasks,
    k,
  });
}

export function reportHref({ refs, order, key, threshold, missing, rule, tasks }: CompareParams): Route {
  return compareAddress.href("/compare/report.html", { refs, order, key, threshold, missing, rule, tasks });
}

/** What an address of {@link curvesHref} or {@link reportHref} asks for. @throws ValidationError for a value that nobody knows */
export function readCompareRequest(url: string): CompareParams {
  const search = listSearchValues(url);
  refuseUnknown(compareAddress.listUnknown(search));
  return parseCompareParams(search);
}
