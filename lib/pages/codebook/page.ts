import "server-only";
import { prepareSaturation } from "@/lib/core/charts/saturation-chart";
import type { Annotation } from "@/lib/core/domain/annotation";
import { type Category, foldLabel } from "@/lib/core/domain/codebook";
import { type ListPage, rangeOfPage, takePage } from "@/lib/core/domain/list-page";
import { oncePer } from "@/lib/core/domain/once-per";
import { listNames } from "@/lib/core/format/list-names";
import { formatPlural } from "@/lib/core/format/number";
import { formatTask } from "@/lib/core/format/words";
import { computeSaturation } from "@/lib/core/stats";
import { trialHref } from "@/lib/pages/address/href";
import { type CodebookParams } from "@/lib/pages/codebook/address";
import {
  type AnnotationStore,
  type CodebookChange,
  type CodebookHistory,
  getAnnotationStore,
  listAll,
  listTouched,
  mapForward,
  readCodebook,
  STARTERS,
  type StoredChange,
  type TrialAnnotations,
} from "@/lib/people/annotations";
import { findTrialPlace } from "@/lib/people/labels/draws";
import type { IndexStore } from "@/lib/store/tables";

import { getJudged } from "../annotations/judged";

export type CategoriesPage = Awaited<ReturnType<typeof getCategoriesPage>>;
export type CategoryRow = CategoriesPage["list"]["rows"][number];
export type OpenCategory = NonNullable<CategoriesPage["opened"]>;
export type CodebookHead = Awaited<ReturnType<typeof getCodebookHead>>;

const CATEGORIES_PER_PAGE = 100;
const LINES_PER_PAGE = 50;
const MOST_LABELS = 500;
const MOST_UNLISTED = 20;
const NOTE_LENGTH = 2_000;

export async function getCodebookHead(store: AnnotationStore = getAnnotationStore()) {
  const { codebook } = await readCodebook(store);
  const live = codebook.categories.filter(({ state }) => state === "live");
  return {
    version: codebook.version,
    isOpenCoding: codebook.isOpenCoding,
    nLive: live.length,
    nCategories: codebook.categories.length,
    labels: live.slice(0, MOST_LABELS).map(({ label }) => label),
  };
}

export async function getCategoriesPage(
  params: CodebookParams,
  store: AnnotationStore = getAnnotationStore(),
) {
  const [history, stored] = await Promise.all([readCodebook(store), listAll(store)]);
  const uses = findUses(stored, history);
  const listed = history.codebook.categories.filter(({ state }) => params.show === "all" || state === "live");
  const lastChanges = findLastChanges(history);
  const toRow = ({ category, depth }: Placed) => ({
    category,
    depth,
    parent: category.parentId === null ? null : (history.byId.get(category.parentId)?.label ?? null),
    nTrials: uses.byId.get(category.id)?.length ?? 0,
    lastChange: lastChanges.get(category.id) ?? null,
  });
  const placed = params.text === "" ? placeInTree(listed) : findText(listed, params.text);
  const { rows, ...place } = takePage(placed, rangeOfPage(params.page, CATEGORIES_PER_PAGE));
  const opened = params.open === null ? undefined : history.byId.get(params.open);
  return {
    list: { rows: rows.map(toRow), ...place },
    opened:
      opened === undefined
        ? null
        : {
            ...toRow({ category: opened, depth: 0 }),
            successors: opened.successors.map((id) => history.byId.get(id)?.label ?? id),
            changes: listChanges(history)
              .filter(({ touched }) => touched.includes(opened.id))
              .slice(0, LINES_PER_PAGE),
          },
    // Split categories that current judgments still use.
    waiting: history.codebook.categories.flatMap(({ id, label, state }) => {
      const nTrials = uses.byId.get(id)?.length ?? 0;
      return state === "split" && nTrials > 0 ? [{ id, label, nTrials }] : [];
    }),
    unlisted: uses.unlisted.slice(0, MOST_UNLISTED),
  };
}

function findLastChanges(history: CodebookHistory): ReadonlyMap<string, ChangeLine> {
  const last = new Map<string, ChangeLine>();
  for (const line of listChanges(history))
    for (const id of line.touched) if (!last.has(id)) last.set(id, line);
  return last;
}

interface Placed {
  readonly category: Category;
  /** From 0; always 0 in search results. */
  readonly depth: number;
}

/** Orders categories depth first, siblings by age. A category whose parent is not listed moves to the top. */
function placeInTree(categories: readonly Category[]): readonly Placed[] {
  const listed = new Set(categories.map(({ id }) => id));
  const below = Map.groupBy(categories, ({ parentId }) =>
    parentId !== null && listed.has(parentId) ? parentId : null,
  );
  const placed: Placed[] = [];
  // A stack instead of recursion: a chain may be as deep as the codebook is long.
  const left = (below.get(null) ?? []).toReversed().map((category): Placed => ({ category, depth: 0 }));
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    placed.push(next);
    const depth = next.depth + 1;
    for (const category of (below.get(next.category.id) ?? []).toReversed()) left.push({ category, depth });
  }
  return placed;
}

function findText(categories: readonly Category[], text: string): readonly Placed[] {
  const wanted = foldLabel(text);
  return categories
    .filter(({ label, definition, example, counterExample }) =>
      [label, definition, example, counterExample].some((part) => foldLabel(part).includes(wanted)),
    )
    .map((category) => ({ category, depth: 0 }));
}

export async function getCodebookChanges(
  { page }: CodebookParams,
  store: AnnotationStore = getAnnotationStore(),
): Promise<ListPage<ChangeLine>> {
  return takePage(listChanges(await readCodebook(store)), rangeOfPage(page, LINES_PER_PAGE));
}

export type CodingPage = Awaited<ReturnType<typeof getCodingPage>>;
export type CodingNote = CodingPage["notes"]["rows"][number];

export async function getCodingPage(store: IndexStore, { page }: CodebookParams) {
  const [history, { stored, places }] = await Promise.all([
    readCodebook(getAnnotationStore()),
    getJudged(store),
  ]);
  const standing = listStanding(stored);
  const saturation = computeSaturation(
    standing.map((one) => mapForward(history, one).map(({ id, label }) => id ?? foldLabel(label))),
  );
  const open = standing
    .filter(({ categories, notes }) => categories.length === 0 && notes !== null)
    .toReversed();
  const { rows, ...place } = takePage(open, rangeOfPage(page, LINES_PER_PAGE));
  const toNote = ({ subject, notes, versionId, judgment, reviewerId, timestamp }: (typeof open)[number]) => {
    const found = findTrialPlace(places, subject);
    const note = notes ?? "";
    return {
      ...{ versionId, judgment, reviewerId, timestamp },
      note: note.slice(0, NOTE_LENGTH),
      isCut: note.length > NOTE_LENGTH,
      taskName: formatTask(subject),
      trialName: subject.trialName,
      href: found === null ? null : trialHref(found.jobKey, found.key),
    };
  };
  return { saturation: prepareSaturation(saturation), notes: { rows: rows.map(toNote), ...place } };
}

/** Returns the trials with their current outcome and reward. `nLost` counts those in no open folder. */
export async function findCategoryTrials(store: IndexStore, categoryId: string) {
  const [history, { stored, places }] = await Promise.all([
    readCodebook(getAnnotationStore()),
    getJudged(store),
  ]);
  const trials = findUses(stored, history).byId.get(categoryId) ?? [];
  const subjects = trials.flatMap(({ subject }) => {
    const place = findTrialPlace(places, subject);
    return place === null ? [] : [{ ...subject, outcomeSeen: place.outcome, rewardSeen: place.reward }];
  });
  return { subjects, nLost: trials.length - subjects.length };
}

/** Keyed by the list of judgments, which is a new array after every save. */
const usesOf = oncePer((stored: readonly TrialAnnotations[]) =>
  oncePer((history: CodebookHistory) => computeUses(stored, history)),
);

export function findUses(stored: readonly TrialAnnotations[], history: CodebookHistory) {
  return usesOf(stored)(history);
}

/** `unlisted` are labels of older judgments that no codebook had, most used first. */
function computeUses(stored: readonly TrialAnnotations[], history: CodebookHistory) {
  const uses = stored.flatMap((trial) => {
    const current = trial.chains.flatMap((chain) => chain.current ?? []);
    const categories = current.flatMap((one) => mapForward(history, one));
    const names = new Map(categories.map(({ id, label }) => [id ?? `label ${label}`, { id, label }]));
    return [...names.values()].map((category) => ({ ...category, trial }));
  });
  const byId = Map.groupBy(uses, ({ id }) => id);
  const byLabel = Map.groupBy(byId.get(null) ?? [], ({ label }) => label);
  const unlisted = Array.from(byLabel, ([label, own]) => ({ label, nTrials: own.length }));
  return {
    byId: new Map(Array.from(byId, ([id, own]) => [id ?? "", own.map(({ trial }) => trial)])),
    unlisted: unlisted.toSorted((a, b) => b.nTrials - a.nTrials),
  };
}

function listStanding(stored: readonly TrialAnnotations[]): readonly Annotation[] {
  const standing = stored.flatMap(({ chains }) => chains.flatMap(({ current }) => current ?? []));
  return standing.toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : Number(a.timestamp > b.timestamp)));
}

export type ChangeLine = ReturnType<typeof describeOne>;

/** Returns all changes, newest first; the same array while the codebook is unchanged. */
const listChanges = oncePer(({ changes }: CodebookHistory): readonly ChangeLine[] => {
  const labels = new Map(STARTERS.map(({ id, label }) => [id, label]));
  return changes.map((stored) => describeOne(stored, labels)).toReversed();
});

/** Returns a sentence with the names of that time. @param labels - these names; updated in place */
function describeOne({ change, ...rest }: StoredChange, labels: Map<string, string>) {
  const text = describeChange(change, (id) => `“${labels.get(id) ?? id}”`);
  if (change.kind === "edit") labels.set(change.id, change.text.label);
  for (const { id, label } of listNamed(change)) labels.set(id, label);
  return { ...rest, text, touched: listTouched(change) };
}

function listNamed(change: CodebookChange) {
  if (change.kind === "add" || change.kind === "import") return change.categories;
  return change.kind === "split" ? change.into : [];
}

function describeChange(change: CodebookChange, nameOf: (id: string) => string): string {
  switch (change.kind) {
    case "add":
      return `Added ${listNames(change.categories.map(({ label }) => `“${label}”`))}.`;
    case "edit": {
      const [before, after] = [nameOf(change.id), `“${change.text.label}”`];
      return before.toLowerCase() === after.toLowerCase()
        ? `Edited ${after}.`
        : `Renamed ${before} to ${after}.`;
    }
    case "merge":
      return `Merged ${listNames(change.ids.map(nameOf))} into ${nameOf(change.into)}.`;
    case "split":
      return `Split ${nameOf(change.id)} into ${listNames(change.into.map(({ label }) => `“${label}”`))}.`;
    case "retire":
      return `Retired ${nameOf(change.id)}.`;
    case "restore":
      return `Restored ${nameOf(change.id)}.`;
    case "open-coding":
      return change.isOn ? "Started open coding." : "Ended open coding.";
    case "import":
      return `Imported ${formatPlural(change.categories.length, "category", "categories")} from a file.`;
  }
}
