"use server";

import { z } from "zod";

import { DRAFT_LIMITS } from "@/lib/core/domain/annotation";
import { NotFoundError, ValidationError } from "@/lib/core/domain/app-error";
import { queueHref } from "@/lib/pages/annotations/review-address";
import { requireOwnName } from "@/lib/pages/annotations/reviewer";
import { findCategoryTrials } from "@/lib/pages/codebook/page";
import { act, save, showSave } from "@/lib/pages/shell/act";
import { getStore } from "@/lib/pages/shell/catalog";
import {
  changeCodebook,
  type CodebookForm,
  createQueue,
  getAnnotationStore,
  importCodebook,
  MOST_ITEMS,
  readCodebook,
  readCodebookForm,
} from "@/lib/people/annotations";

const author = z
  .string()
  .trim()
  .min(1, "Enter your name (shown with the change).")
  .max(DRAFT_LIMITS.reviewerId, `At most ${String(DRAFT_LIMITS.reviewerId)} characters.`);
const changeRequest = z.object({ baseVersion: z.int().min(0), author });
const queueRequest = z.object({ id: z.string().max(100), author });
const importRequest = z.object({ text: z.string(), author, isTrial: z.boolean() });

export async function changeCodebookAction(request: {
  readonly form: CodebookForm;
  readonly baseVersion: number;
  readonly author: string;
}) {
  const store = getAnnotationStore();
  const result = await save(async () => {
    const checked = check(changeRequest, request);
    await requireOwnName(checked.author);
    const change = readCodebookForm(await readCodebook(store), request.form);
    const { codebook } = await changeCodebook(store, { ...checked, change });
    return { status: "done" as const, version: codebook.version };
  });
  if (result.status !== "conflict") return result;
  // A retry can use it as its base.
  return { ...result, version: (await readCodebook(store)).codebook.version };
}

/** `nLost` trials are not in any open folder; `nCut` exceed the size of a queue. */
export async function queueSplitAction(request: { readonly id: string; readonly author: string }) {
  return save(async () => {
    const { id, author: createdBy } = check(queueRequest, request);
    await requireOwnName(createdBy);
    const store = getAnnotationStore();
    const { byId } = await readCodebook(store);
    const category = byId.get(id);
    if (category?.state !== "split") throw new NotFoundError("This category was not split.");
    const { subjects, nLost } = await findCategoryTrials(await getStore(), id);
    const parts = category.successors.map((one) => byId.get(one)?.label ?? one);
    const queueId = await createQueue(store, {
      settings: {
        name: shorten(`Relabel: ${category.label} split into ${parts.join(", ")}`, 120),
        source: `Trials with the category “${category.label}”, which was split`,
        ...{ goal: "failure-causes", method: "selection", seed: null, order: "list", sourceHref: null },
        ...{ reviewers: [], doubleShare: 0, hides: [], isOpenCoding: false, strata: [] },
      },
      items: subjects.slice(0, MOST_ITEMS).map((subject) => ({ subject, nReviewers: 1 })),
      author: createdBy,
    });
    return { href: queueHref(queueId), nLost, nCut: Math.max(0, subjects.length - MOST_ITEMS) };
  });
}

const MOST_LISTED = 200;

export async function importCodebookAction(request: {
  readonly text: string;
  readonly author: string;
  readonly isTrial: boolean;
}) {
  return act(async () => {
    const checked = check(importRequest, request);
    await requireOwnName(checked.author);
    const { categories: _, ...result } = await importCodebook(getAnnotationStore(), checked);
    if (result.isDone) showSave();
    const cut = <T>(list: readonly T[]) => list.slice(0, MOST_LISTED);
    const { added, changed, conflicts, errors } = result;
    return {
      ...{ ...result, status: "compared" as const, added: cut(added), changed: cut(changed) },
      ...{ conflicts: cut(conflicts), errors: cut(errors) },
    };
  });
}

function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}

function check<T>(schema: z.ZodType<T>, request: unknown): T {
  const parsed = schema.safeParse(request);
  if (parsed.success) return parsed.data;
  throw new ValidationError(parsed.error.issues[0]?.message ?? "This request cannot be read.", {});
}
