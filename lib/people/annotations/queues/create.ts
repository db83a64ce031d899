import { randomUUID } from "node:crypto";

import { ValidationError } from "@/lib/core/domain/app-error";
import { findNameProblem } from "@/lib/core/domain/name-problem";

import { check, collectFieldMessages } from "../issues";
import type { AnnotationStore } from "../store";
import { settingsSchema } from "./settings";
import { insertQueue, type StoredItem } from "./stored-queue";

/** All of them are listed on the queue's page. */
export const MOST_ITEMS = 5_000;

const newSettingsSchema = settingsSchema.superRefine(({ name, reviewers }, context) => {
  const refuse = (field: string, message: string | undefined) => {
    if (message !== undefined) context.addIssue({ code: "custom", path: [field], message });
  };
  refuse("name", findNameProblem(name) ?? undefined);
  refuse("reviewers", reviewers.flatMap((reviewer) => findNameProblem(reviewer) ?? [])[0]);
});

export async function createQueue(
  store: AnnotationStore,
  input: {
    readonly settings: unknown;
    readonly items: readonly Omit<StoredItem, "position">[];
    readonly author: string;
  },
  now: Date = new Date(),
): Promise<string> {
  const parsed = check(newSettingsSchema, input.settings);
  if (!parsed.success)
    throw new ValidationError("The queue was not created.", collectFieldMessages(parsed.error, "name"));
  const authorProblem = findNameProblem(input.author);
  if (authorProblem !== null) throw new ValidationError(authorProblem, {});
  if (input.items.length === 0)
    throw new ValidationError("No trial matches, so there is nothing to review.", {});
  if (input.items.length > MOST_ITEMS)
    throw new ValidationError(`A queue has at most ${MOST_ITEMS.toLocaleString("en-US")} trials.`, {});
  const queueId = randomUUID();
  const head = { queueId, settings: parsed.data, createdAt: now.toISOString(), createdBy: input.author };
  await store.write((db) => insertQueue(db, head, input.items));
  return queueId;
}
