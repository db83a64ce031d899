import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";

import { z } from "zod";

import { ConflictError, ValidationError } from "@/lib/core/domain/app-error";
import {
  type Category,
  CATEGORY_LIMITS,
  type CategoryText,
  type Codebook,
  foldLabel,
  listTypedContexts,
} from "@/lib/core/domain/codebook";
import { findNameProblem } from "@/lib/core/domain/name-problem";
import type { CategoryContext } from "@/lib/core/domain/review";

import { check, describeFormIssue } from "../issues";
import { addStatements, createReader, type Statement } from "../statements/statement";
import type { AnnotationStore } from "../store";
import type { AnnotationDb } from "../tables";
import {
  BARE_CATEGORY,
  changeSchema,
  type CodebookChange,
  listTouched,
  type CodebookHistory,
  findTyped,
  FIRST_CODEBOOK,
  foldCodebook,
  type StoredChange,
  refuseBrokenChange,
} from "./fold";

const KIND = "codebook";

/** The subject is the version: numbers of earlier releases have gaps on PostgreSQL. Later changes build on an unreadable one. */
export const { read: readCodebook, fold: foldChanges } = createReader(
  {
    name: KIND,
    body: changeSchema,
    describeProblem: ({ columns }) =>
      `Change ${String(columns["subject"])} of the codebook cannot be read, so categories are as before it. Update Assay if a newer version wrote it.`,
  },
  FIRST_CODEBOOK,
  (before, added, [wrong]) => {
    if (before.problem !== null) return before;
    const readable = added.filter(({ seq }) => wrong === undefined || seq < wrong.seq);
    return readable.length === 0 ? before : foldCodebook(readable.map(toChange), before);
  },
);

function toChange({ subject, author, at, body }: Statement<CodebookChange>): StoredChange {
  return { version: Number(subject), author, createdAt: at, change: body };
}

/** New categories never conflict, so a label that a reviewer types blocks no one. */
export async function changeCodebook(
  store: AnnotationStore,
  input: { readonly change: unknown; readonly author: string; readonly baseVersion: number },
  now: Date = new Date(),
): Promise<CodebookHistory> {
  const change = parse(changeSchema, input.change);
  const problem = findNameProblem(input.author);
  if (problem !== null) throw new ValidationError(problem, {});
  return store.write(async (db) => {
    const history = await foldChanges(db);
    if (history.problem !== null) throw new ValidationError(history.problem, {});
    const other = findConflict(history, change, input.baseVersion);
    if (other !== undefined)
      throw new ConflictError<Codebook>(
        `${other.author === "" ? "Another user" : other.author} changed this meanwhile (version ${String(other.version)}). Look at it again.`,
        history.codebook,
      );
    refuseBrokenChange(history, change);
    await insertChange(db, change, input.author, now);
    return foldChanges(db);
  });
}

function findConflict({ changes }: CodebookHistory, mine: CodebookChange, baseVersion: number) {
  const touched = new Set(listTouched(mine));
  return changes.findLast(({ version, change }) => {
    if (version <= baseVersion) return false;
    if (mine.kind === "import") return true;
    if (mine.kind === "open-coding") return change.kind === "open-coding";
    return listTouched(change).some((id) => touched.has(id));
  });
}

/**
 * Resolves typed labels to current names, since a form may be older than a rename or merge. Keeps split and retired labels as
 * typed. Leaves a codebook that is not fully readable unchanged.
 */
export async function ensureCategories(
  db: AnnotationDb,
  labels: readonly string[],
  {
    context,
    author,
    now,
  }: { readonly context: CategoryContext; readonly author: string; readonly now: Date },
): Promise<{ readonly labels: readonly string[]; readonly version: number }> {
  const history = await foldChanges(db);
  const { codebook, problem } = history;
  const found = labels.map((label) => ({ label, category: findTyped(history, label) }));
  const today = [
    ...new Set(found.map(({ label, category }) => (category?.state === "live" ? category.label : label))),
  ];
  const missing = found.filter(({ category }) => category === null);
  if (missing.length === 0 || problem !== null) return { labels: today, version: codebook.version };
  if (codebook.categories.length + missing.length > CATEGORY_LIMITS.categories) {
    const message = `A codebook has at most ${CATEGORY_LIMITS.categories.toLocaleString("en-US")} categories. Choose one that it has.`;
    throw new ValidationError(message, { categories: message });
  }
  const contexts = [...listTypedContexts(context)];
  const categories = missing.map(({ label }) => ({ ...BARE_CATEGORY, id: randomUUID(), label, contexts }));
  await insertChange(db, { kind: "add", categories }, author, now);
  return { labels: today, version: (await foldChanges(db)).codebook.version };
}

export async function areSameCategories(
  db: AnnotationDb,
  [some, others]: readonly [readonly string[], readonly string[]],
): Promise<boolean> {
  const history = await foldChanges(db);
  const nameAll = (labels: readonly string[]) => [
    ...new Set(labels.map((label) => findTyped(history, label)?.id ?? `label ${foldLabel(label)}`)),
  ];
  return isDeepStrictEqual(nameAll(some), nameAll(others));
}

export async function insertChange(db: AnnotationDb, change: CodebookChange, author: string, now: Date) {
  const { codebook } = await foldChanges(db);
  const subject = String(codebook.version + 1);
  const at = now.toISOString();
  await addStatements(db, [
    { kind: KIND, subject, author, actor: null, at, body: parse(changeSchema, change) },
  ]);
}

function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = check(schema, value);
  if (parsed.success) return parsed.data;
  throw new ValidationError(describeFormIssue(parsed.error), {});
}

export type CategoryForm = Omit<CategoryText, "parentId"> & { readonly parent: string };

export type SplitPart = Pick<CategoryText, "label" | "definition">;

export type CodebookForm =
  | { readonly kind: "add"; readonly text: CategoryForm }
  | { readonly kind: "edit"; readonly id: string; readonly text: CategoryForm }
  | { readonly kind: "merge"; readonly id: string; readonly into: string }
  | { readonly kind: "split"; readonly id: string; readonly parts: readonly SplitPart[] }
  | { readonly kind: "retire" | "restore"; readonly id: string }
  | { readonly kind: "open-coding"; readonly isOn: boolean };

const typed = z.string().max(10_000);
const texts = z.object({ parent: typed }).loose();
const formSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("add"), text: texts }),
  z.object({ kind: z.literal("edit"), id: typed, text: texts }),
  z.object({ kind: z.literal("merge"), id: typed, into: typed }),
  z.object({
    kind: z.literal("split"),
    id: typed,
    parts: z.array(z.object({ label: typed, definition: typed })).max(20, "At most 20 new categories."),
  }),
  z.object({ kind: z.enum(["retire", "restore"]), id: typed }),
  z.object({ kind: z.literal("open-coding"), isOn: z.boolean() }),
]);

export function readCodebookForm({ codebook, byId }: CodebookHistory, form: CodebookForm): object {
  const data = parse(formSchema, form);
  const findId = (label: string) => findLive(codebook, label);
  const toText = ({ parent, ...text }: z.output<typeof texts>) => ({
    ...text,
    parentId: parent.trim() === "" ? null : findId(parent),
  });
  if (data.kind === "add") return { kind: "add", categories: [{ ...toText(data.text), id: randomUUID() }] };
  if (data.kind === "edit") return { ...data, text: toText(data.text) };
  if (data.kind === "merge") return { kind: "merge", ids: [data.id], into: findId(data.into) };
  if (data.kind !== "split") return data;
  return { kind: "split", id: data.id, into: makeParts(data.parts, byId.get(data.id)) };
}

function findLive({ categories }: Codebook, label: string): string {
  const folded = foldLabel(label);
  if (folded === "") throw new ValidationError("Name the category to merge into.", {});
  const found = categories.find((one) => one.state === "live" && foldLabel(one.label) === folded);
  if (found !== undefined) return found.id;
  throw new ValidationError(`No available category is called “${label.trim()}”.`, {});
}

function makeParts(parts: readonly SplitPart[], before: Category | undefined) {
  const named = parts.filter(({ label, definition }) => `${label}${definition}`.trim() !== "");
  if (named.length < 2) throw new ValidationError("Name at least 2 categories to split it into.", {});
  const { contexts = [], parentId = null, colour = null } = before ?? {};
  return named.map((part) => ({ ...part, id: randomUUID(), contexts, parentId, colour }));
}
