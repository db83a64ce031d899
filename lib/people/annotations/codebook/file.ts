import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";

import { z } from "zod";

import { ValidationError } from "@/lib/core/domain/app-error";
import { type Category, type Codebook, foldLabel } from "@/lib/core/domain/codebook";

import { check, describeFirstIssue } from "../issues";
import type { AnnotationStore } from "../store";
import {
  type ImportedCategory,
  importedCategorySchema,
  type CodebookHistory,
  foldCodebook,
  findBrokenRules,
} from "./fold";
import { changeCodebook, readCodebook } from "./verbs";

const FILE_SCHEMA = "assay.codebook/1";

const MOST_CHARACTERS = 64_000_000;

/** Writes one category per line, so that a diff of two files shows what changed. */
export function formatCodebookFile({ version, isOpenCoding, categories }: Codebook): string {
  const lines = categories.map((category) => `    ${JSON.stringify(toEntry(category))}`);
  return `{
  "schema": ${JSON.stringify(FILE_SCHEMA)},
  "version": ${String(version)},
  "open_coding": ${String(isOpenCoding)},
  "categories": [
${lines.join(",\n")}
  ]
}
`;
}

function toEntry({ counterExample, parentId, contexts, key, state, successors, ...rest }: Category) {
  const { id, label, definition, example, colour } = rest;
  return {
    ...{ id, label, definition, example, counter_example: counterExample },
    ...{ colour, parent: parentId, contexts, key, state, successors },
  };
}

const fileSchema = z.object({
  schema: z.literal(FILE_SCHEMA),
  version: z.int().min(0).nullable().default(null),
  categories: z.array(z.unknown()),
});

const { counterExample: counter_example, parentId: parent, ...shape } = importedCategorySchema.shape;

/** Without an id, an entry matches the category of the same name. */
const entrySchema = z
  .object({ ...shape, id: shape.id.optional(), counter_example, parent })
  .transform(({ id = null, counter_example: counterExample, parent: parentId, ...rest }) => ({
    ...rest,
    id,
    counterExample,
    parentId,
  }));

/** `entry` is null for problems of the whole file. */
interface Problem {
  readonly entry: number | null;
  readonly label: string | null;
  readonly message: string;
}

export interface FileProblem extends Problem {
  readonly line: number | null;
}

/** Ignores entries unchanged since the file's base version, if it names one. Entries changed on both sides are conflicts. */
export function planImport(history: CodebookHistory, text: string, makeId: () => string) {
  const file = readFile(text);
  const problems: Problem[] = [];
  const entries = readEntries(file.categories, history, makeId, problems);
  const sorted = Map.groupBy(entries, createSorter(history, file.version));
  const [added = [], changed = [], conflicts = []] = (["added", "changed", "conflict"] as const).map((fate) =>
    sorted.get(fate),
  );
  const isPut = new Set([...added, ...changed]);
  const put = entries.filter((entry) => isPut.has(entry));
  const errors = problems.length > 0 ? problems : findErrors(history, put);
  const lines = errors.length + conflicts.length === 0 ? [] : findEntryLines(text);
  const place = (problem: Problem): FileProblem => ({
    ...problem,
    line: problem.entry === null ? null : (lines[problem.entry - 1] ?? null),
  });
  const listLabels = (some: readonly Entry[]) => some.map(({ category }) => category.label);
  return {
    categories: put.map(({ category }) => category),
    added: listLabels(added),
    changed: listLabels(changed),
    nUnchanged: sorted.get("unchanged")?.length ?? 0,
    conflicts: conflicts.map(({ entry, category: { id, label } }) =>
      place({ entry, label, message: describeOther(history.byId.get(id)) }),
    ),
    errors: errors.map(place),
  };
}

export type ImportResult = Awaited<ReturnType<typeof importCodebook>>;

/** Imports all categories or none. @param isTrial - dry run */
export async function importCodebook(
  store: AnnotationStore,
  { text, author, isTrial }: { readonly text: string; readonly author: string; readonly isTrial: boolean },
) {
  const history = await readCodebook(store);
  const { version } = history.codebook;
  const plan = planImport(history, text, randomUUID);
  const { categories, errors, conflicts } = plan;
  if (isTrial || errors.length + conflicts.length > 0 || categories.length === 0)
    return { ...plan, isDone: false, version };
  const change = { kind: "import", categories };
  const after = await changeCodebook(store, { change, author, baseVersion: version });
  return { ...plan, isDone: true, version: after.codebook.version };
}

type Fate = "added" | "changed" | "unchanged" | "conflict";

function createSorter(history: CodebookHistory, version: number | null): (entry: Entry) => Fate {
  const isOlder = version !== null && version < history.codebook.version;
  const before = isOlder ? foldCodebook(history.changes.filter((one) => one.version <= version)).byId : null;
  return ({ category }) => {
    const now = history.byId.get(category.id);
    if (now === undefined) return "added";
    if (isSame(category, now)) return "unchanged";
    const then = before?.get(category.id);
    if (then === undefined || isSame(then, now)) return "changed";
    return isSame(category, then) ? "unchanged" : "conflict";
  };
}

function findErrors(history: CodebookHistory, put: readonly Entry[]): readonly Problem[] {
  const categories = put.map(({ category }) => category);
  const places = new Map(put.map((entry) => [entry.category.id, entry]));
  if (categories.length === 0) return [];
  return findBrokenRules(history, { kind: "import", categories }).map(({ id, message }) => {
    const place = id === null ? undefined : places.get(id);
    return { entry: place?.entry ?? null, label: place?.category.label ?? null, message };
  });
}

function describeOther(now: Category | undefined): string {
  const { label, state } = now ?? { label: "", state: "live" };
  return `It was also changed here since the file was written: it is now “${label}” and ${state}. Export the codebook again and repeat the change in the new file.`;
}

interface Entry {
  readonly entry: number;
  readonly category: ImportedCategory;
}

function readFile(text: string): z.output<typeof fileSchema> {
  if (text.length > MOST_CHARACTERS)
    throw new ValidationError(
      `A file has at most ${MOST_CHARACTERS.toLocaleString("en-US")} characters.`,
      {},
    );
  const parsed = check(fileSchema, parse(text));
  if (parsed.success) return parsed.data;
  throw new ValidationError(
    `This is not a codebook: a file has "schema": "${FILE_SCHEMA}" and a list of "categories". ${describeFirstIssue(parsed.error)}`,
    {},
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const at = /position (\d+)/.exec(error.message)?.[1];
    const line = at === undefined ? null : text.slice(0, Number(at)).split("\n").length;
    const where = line === null ? "at its end" : `in line ${String(line)}`;
    throw new ValidationError(`This file is not JSON: it cannot be read ${where}.`, {});
  }
}

function readEntries(
  list: readonly unknown[],
  { codebook, byId }: CodebookHistory,
  makeId: () => string,
  errors: Problem[],
): readonly Entry[] {
  const live = codebook.categories.filter(({ state }) => state === "live");
  const idOf = new Map(live.map(({ id, label }) => [foldLabel(label), id]));
  const seen = new Map<string, number>();
  return list.flatMap((value, at): readonly Entry[] => {
    const entry = at + 1;
    const parsed = check(entrySchema, value);
    if (!parsed.success) {
      errors.push({ entry, label: readLabel(value), message: describeFirstIssue(parsed.error) });
      return [];
    }
    const { label } = parsed.data;
    const id = parsed.data.id ?? idOf.get(foldLabel(label)) ?? makeId();
    const other = seen.get(id);
    const message = `id: Entry ${String(other)} has the same id. Change one of them.`;
    if (other !== undefined) errors.push({ entry, label, message });
    seen.set(id, entry);
    const key = parsed.data.key ?? byId.get(id)?.key ?? null;
    return [{ entry, category: { ...parsed.data, id, key } }];
  });
}

function readLabel(value: unknown): string | null {
  return typeof value === "object" && value !== null && "label" in value && typeof value.label === "string"
    ? value.label.slice(0, 80)
    : null;
}

/** Compares everything but the digit, which each codebook assigns itself. */
function isSame(a: ImportedCategory | Category, b: ImportedCategory | Category): boolean {
  const [left, right] = [a, b].map(({ contexts, successors, ...said }) => ({
    ...{ ...said, key: null, since: null },
    contexts: contexts.toSorted(),
    successors: successors.toSorted(),
  }));
  return isDeepStrictEqual(left, right);
}

/** Returns the line, from 1, of each entry in `categories`. @param text - a JSON object with that list */
function findEntryLines(text: string): readonly number[] {
  let lines: number[] = [];
  let [line, depth, name] = [1, 0, ""];
  let [isInList, isDue] = [false, false];
  const open = (token: string) => {
    depth += 1;
    if (depth !== 2) return;
    isInList = token === "[" && name === LIST;
    isDue = true;
    // As in JSON, the last of two lists with the same name counts.
    if (isInList) lines = [];
  };
  const takeValue = (token: string) => {
    if (depth === 2 && isInList && isDue) {
      lines.push(line);
      isDue = false;
    }
    if (token === "[" || token === "{") open(token);
    else if (depth === 1) name = token;
  };
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === "\n") line += 1;
    else if (token === "]" || token === "}") depth -= 1;
    else if (token === ",") isDue = depth === 2;
    else if (token !== ":") takeValue(token);
  }
  return lines;
}

const LIST = '"categories"';

/** JSON tokens and newlines. A JSON string contains no raw newline. */
const TOKENS = /\n|"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;
