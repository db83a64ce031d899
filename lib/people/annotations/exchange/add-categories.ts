import { randomUUID } from "node:crypto";

import { ValidationError } from "@/lib/core/domain/app-error";
import { CATEGORY_LIMITS, foldLabel, listTypedContexts } from "@/lib/core/domain/codebook";
import { type CategoryContext, findContext } from "@/lib/core/domain/review";

import { type CodebookHistory, resolveLabel } from "../codebook/fold";
import { insertChange } from "../codebook/verbs";
import type { AnnotationDb } from "../record";
import type { ImportPlan } from "./plan-import";

interface NamedCategory {
  readonly label: string;
  /** As in the line: undefined if absent, null if no codebook knew the label. */
  readonly id: string | null | undefined;
  /** Version of the exporting store's codebook. */
  readonly version: number;
  readonly contexts: readonly CategoryContext[];
}

type NewCategory = {
  readonly id: string;
  readonly label: string;
  readonly contexts: CategoryContext[];
};

export interface MissingCategories {
  readonly added: readonly NewCategory[];
  readonly renamed: readonly NewCategory[];
}

/** Returns none if the codebook is not fully readable. @throws ValidationError when it would grow too large */
export function findMissingCategories(
  history: CodebookHistory,
  plan: Pick<ImportPlan, "added" | "addedDecisions">,
): MissingCategories {
  if (history.problem !== null) return { added: [], renamed: [] };
  const missing = chooseMissing(history, listNamed(plan));
  const nAdded = missing.added.length;
  const most = CATEGORY_LIMITS.categories.toLocaleString("en-US");
  if (nAdded > 0 && history.codebook.categories.length + nAdded > CATEGORY_LIMITS.categories)
    throw new ValidationError(
      `The judgments name ${nAdded.toLocaleString("en-US")} new categories. A codebook has at most ${most}.`,
      {},
    );
  return missing;
}

/** Adds categories under their original ids. One with several names gets the last and keeps the others. */
export async function addCategories(
  db: AnnotationDb,
  { added, renamed }: MissingCategories,
  { author, now }: { readonly author: string; readonly now: Date },
): Promise<void> {
  if (added.length === 0) return;
  const prepare = ({ label, contexts }: Omit<NewCategory, "id">) => ({
    label,
    definition: "",
    example: "",
    counterExample: "",
    colour: null,
    parentId: null,
    contexts,
  });
  const categories = added.map((one) => ({ id: one.id, ...prepare(one) }));
  await insertChange(db, { kind: "add", categories }, author, now);
  for (const one of renamed)
    await insertChange(db, { kind: "edit", id: one.id, text: prepare(one) }, author, now);
}

function chooseMissing(history: CodebookHistory, named: readonly NamedCategory[]): MissingCategories {
  const ids = new Set(history.codebook.categories.map(({ id }) => id));
  const added = new Map<string, NewCategory>();
  const renamed: NewCategory[] = [];
  const seen = new Set<string>();
  for (const { label, id = randomUUID(), version, contexts } of named.toSorted(
    (a, b) => a.version - b.version,
  )) {
    const folded = foldLabel(label);
    if (id === null || folded === "" || seen.has(folded)) continue;
    seen.add(folded);
    if (resolveLabel(history, label, version) !== null || ids.has(id)) continue;
    const category = { id, label, contexts: [...contexts] };
    if (added.has(id)) renamed.push(category);
    else added.set(id, category);
  }
  return { added: [...added.values()], renamed };
}

function listNamed({ added, addedDecisions }: Pick<ImportPlan, "added" | "addedDecisions">): NamedCategory[] {
  const judged = added.flatMap(({ line: { fields }, event }) =>
    event.judgment === null
      ? []
      : nameCategories(fields, findContext(event.judgment, event.subject.outcomeSeen)),
  );
  const decided = addedDecisions.flatMap(({ fields }) =>
    nameCategories(fields, findContext(fields.final_judgment ?? "defer", fields.outcome_seen)),
  );
  return [...judged, ...decided];
}

function nameCategories(
  fields: {
    readonly categories: readonly string[];
    readonly category_ids?: readonly (string | null)[] | null | undefined;
    readonly codebook_version: number | null;
  },
  context: CategoryContext,
): readonly NamedCategory[] {
  const ids = fields.category_ids;
  return fields.categories.map((label, index) => ({
    label,
    id: ids === null || ids === undefined ? undefined : (ids[index] ?? null),
    version: fields.codebook_version ?? 0,
    contexts: listTypedContexts(context),
  }));
}
