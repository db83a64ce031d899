import { randomUUID } from "node:crypto";

import { z } from "zod";

import { ValidationError } from "@/lib/core/domain/app-error";
import { type Category, type Codebook, foldLabel } from "@/lib/core/domain/codebook";

import { check, describeFirstIssue } from "../issues";
import type { AnnotationStore } from "../store";
import { type ImportedCategory, importedCategorySchema } from "./changes";
import { type CodebookHistory, foldCodebook } from "./fold";
import { findBrokenRules } from "./rules";
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

function toEntry(category: Category) {
  return {
    id: category.id,
    label: category.label,
    definition: category.definition,
    example: category.example,
    counter_example: category.counterExample,
    colour: category.colour,
    parent: category.parentId,
    contexts: category.contexts,
    key: category.key,
    state: category.state,
    successors: category.successors,
  };
}

const fileSchema = z.object({
  schema: z.literal(FILE_SCHEMA),
  version: z.int().min(0).nullable().default(null),
  categories: z.array(z.unknown()),
});

const { shape } = importedCategorySchema;

/** Without an id, an entry matches the category of the same name. */
const entrySchema = z
  .object({
    id: shape.id.optional(),
    label: shape.label,
    definition: shape.definition,
    example: shape.example,
    counter_example: shape.counterExample,
    colour: shape.colour,
    parent: shape.parentId,
    contexts: shape.contexts,
    key: shape.key,
    state: shape.state,
    successors: shape.successors,
  })
  .transform(({ id = null, counter_example: counterExample, parent: parentId, ...rest }) => ({
    ...rest,
    id,
    counterExample,
    parentId,
  }));

export interface FileProblem {
  /** Line in the file, from 1. It and `entry` are null for problems of the whole file. */
  readonly line: number | null;
  readonly entry: number | null;
  readonly label: string | null;
  readonly message: string;
}

type Problem = Omit<FileProblem, "line">;

/**
 * Ignores entries unchanged since the file's base version, if it names one. Entries changed on both sides are conflicts.
 * @throws ValidationError if the text is not a codebook file
 */
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

export interface ImportResult extends ReturnType<typeof planImport> {
  readonly isDone: boolean;
  readonly version: number;
}

/** Imports all categories or none. @param isTrial - dry run @throws ValidationError; ConflictError if changed meanwhile */
export async function importCodebook(
  store: AnnotationStore,
  { text, author, isTrial }: { readonly text: string; readonly author: string; readonly isTrial: boolean },
): Promise<ImportResult> {
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
  const refuse = (message: string): never => {
    throw new ValidationError(message, {});
  };
  if (text.length > MOST_CHARACTERS)
    refuse(`A file has at most ${MOST_CHARACTERS.toLocaleString("en-US")} characters.`);
  const parsed = check(fileSchema, parse(text));
  return parsed.success
    ? parsed.data
    : refuse(
        `This is not a codebook: a file has "schema": "${FILE_SCHEMA}" and a list of "categories". ${describeFirstIssue(parsed.error)}`,
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
    if (other !== undefined)
      errors.push({
        entry,
        label,
        message: `id: Entry ${String(other)} has the same id. Change one of them.`,
      });
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
  return (
    a.label === b.label &&
    a.definition === b.definition &&
    a.example === b.example &&
    a.counterExample === b.counterExample &&
    a.colour === b.colour &&
    a.parentId === b.parentId &&
    a.state === b.state &&
    isSameList(a.contexts, b.contexts) &&
    isSameList(a.successors, b.successors)
  );
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one) => b.includes(one));
}

/** Returns the line, from 1, of each entry in `categories`. @param text - a JSON object with that list */
function findEntryLines(text: string): readonly number[] {
  const scan = new EntryScan();
  for (const [token] of text.matchAll(TOKENS)) scan.take(token);
  return scan.lines;
}

const LIST = '"categories"';

/** JSON tokens and newlines. A JSON string contains no raw newline. */
const TOKENS = /\n|"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;

class EntryScan {
  readonly lines: number[] = [];
  #line = 1;
  #depth = 0;
  #name = "";
  #isInList = false;
  #isDue = false;

  take(token: string): void {
    if (token === "\n") this.#line += 1;
    else if (token === "]" || token === "}") this.#depth -= 1;
    else if (token === ",") this.#isDue = this.#depth === 2;
    else if (token !== ":") this.#takeValue(token);
  }

  #takeValue(token: string): void {
    if (this.#depth === 2 && this.#isInList && this.#isDue) {
      this.lines.push(this.#line);
      this.#isDue = false;
    }
    if (token === "[" || token === "{") this.#open(token);
    else if (this.#depth === 1) this.#name = token;
  }

  #open(token: string): void {
    this.#depth += 1;
    if (this.#depth !== 2) return;
    this.#isInList = token === "[" && this.#name === LIST;
    this.#isDue = true;
    // As in JSON, the last of two lists with the same name counts.
    if (this.#isInList) this.lines.length = 0;
  }
}
