import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";

import { ConflictError, ValidationError } from "@/lib/core/domain/app-error";
import { CATEGORY_LIMITS, type Codebook, foldLabel, listTypedContexts } from "@/lib/core/domain/codebook";
import { findNameProblem } from "@/lib/core/domain/name-problem";
import type { CategoryContext } from "@/lib/core/domain/review";

import { isIntact } from "../checksum";
import { insertStatements } from "../insert";
import { check, describeFormIssue } from "../issues";
import { type AnnotationDb, parseJson } from "../record";
import type { AnnotationStore } from "../store";
import { changeSchema, type CodebookChange, listTouched } from "./changes";
import { type CodebookHistory, findTyped, FIRST_CODEBOOK, foldCodebook, type StoredChange } from "./fold";
import { refuseBrokenChange } from "./rules";

/** The last history of each open store. Changes are only added, so the version identifies it. */
const histories = new WeakMap<AnnotationDb, CodebookHistory>();

export function readCodebook(store: AnnotationStore): Promise<CodebookHistory> {
  return store.read(FIRST_CODEBOOK, async (db) => {
    const history = await selectCodebook(db, histories.get(db) ?? FIRST_CODEBOOK);
    histories.set(db, history);
    return history;
  });
}

export async function selectCodebook(db: AnnotationDb, known: CodebookHistory): Promise<CodebookHistory> {
  const rows = await db
    .selectFrom("codebook_change")
    .selectAll()
    .where("version", ">", known.codebook.version)
    .orderBy("version")
    .execute();
  const changes: StoredChange[] = [];
  let problem: string | null = null;
  for (const row of rows) {
    const { version, author, created_at: createdAt, change } = row;
    const parsed = changeSchema.safeParse(parseJson(change));
    if (!parsed.success || !isIntact("codebook_change", row)) {
      // Later changes build on the unreadable one.
      problem = `Change ${String(version)} of the codebook cannot be read, so that categories are as before it. Update Assay if a newer version wrote it.`;
      break;
    }
    changes.push({ version, author, createdAt, change: parsed.data });
  }
  if (changes.length === 0 && problem === known.problem) return known;
  return { ...(changes.length === 0 ? known : foldCodebook(changes, known)), problem };
}

/**
 * New categories never conflict, so a label that a reviewer types blocks no one.
 * @throws ValidationError for a broken rule or after an unreadable change (nothing was stored); ConflictError if the same
 * category changed since `baseVersion`, or for an import anything
 */
export async function changeCodebook(
  store: AnnotationStore,
  input: { readonly change: unknown; readonly author: string; readonly baseVersion: number },
  now: Date = new Date(),
): Promise<CodebookHistory> {
  const change = parseChange(input.change);
  const problem = findNameProblem(input.author);
  if (problem !== null) throw new ValidationError(problem, {});
  const known = await readCodebook(store);
  return store.write(async (db) => {
    const history = await selectCodebook(db, known);
    if (history.problem !== null) throw new ValidationError(history.problem, {});
    const other = findConflict(history, change, input.baseVersion);
    if (other !== undefined)
      throw new ConflictError<Codebook>(
        `${other.author === "" ? "Somebody" : other.author} changed this meanwhile (version ${String(other.version)}). Look at it again.`,
        history.codebook,
      );
    refuseBrokenChange(history, change);
    await insertChange(db, change, input.author, now);
    return selectCodebook(db, known);
  });
}

function findConflict(
  { changes }: CodebookHistory,
  mine: CodebookChange,
  baseVersion: number,
): StoredChange | undefined {
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
 * @throws ValidationError when the codebook would grow too large
 */
export async function ensureCategories(
  db: AnnotationDb,
  labels: readonly string[],
  {
    known,
    context,
    author,
    now,
  }: {
    readonly known: CodebookHistory;
    readonly context: CategoryContext;
    readonly author: string;
    readonly now: Date;
  },
): Promise<{ readonly labels: readonly string[]; readonly version: number }> {
  const history = await selectCodebook(db, known);
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
  const categories = missing.map(({ label }) => ({
    id: randomUUID(),
    label,
    definition: "",
    example: "",
    counterExample: "",
    colour: null,
    parentId: null,
    contexts: [...listTypedContexts(context)],
  }));
  await insertChange(db, { kind: "add", categories }, author, now);
  return { labels: today, version: (await selectCodebook(db, known)).codebook.version };
}

export async function areSameCategories(
  db: AnnotationDb,
  known: CodebookHistory,
  [some, others]: readonly [readonly string[], readonly string[]],
): Promise<boolean> {
  const history = await selectCodebook(db, known);
  const nameAll = (labels: readonly string[]) => [
    ...new Set(labels.map((label) => findTyped(history, label)?.id ?? `label ${foldLabel(label)}`)),
  ];
  return isDeepStrictEqual(nameAll(some), nameAll(others));
}

export async function insertChange(
  db: AnnotationDb,
  change: CodebookChange,
  author: string,
  now: Date,
): Promise<void> {
  const checked = JSON.stringify(parseChange(change));
  await insertStatements(db, "codebook_change", [{ created_at: now.toISOString(), author, change: checked }]);
}

function parseChange(change: unknown): CodebookChange {
  const parsed = check(changeSchema, change);
  if (parsed.success) return parsed.data;
  throw new ValidationError(describeFormIssue(parsed.error), {});
}
