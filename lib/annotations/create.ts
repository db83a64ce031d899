import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";

import { type Annotation, type AnnotationSubject, computeReviewerKey } from "@/lib/domain/annotation";
import { ConflictError, StoreError, ValidationError } from "@/lib/domain/app-error";

import { computeChains, type ReviewerChain } from "./chain";
import { annotationDraftSchema, collectFieldMessages, type ValidDraft } from "./draft-schema";
import { type Actor, claimChain, NO_ACTOR } from "./owner";
import { insertEvent, isIdTaken, selectTrialEvents } from "./record";
import type { AnnotationStore } from "./store";

/** One save as it comes from a form. */
export interface AnnotationInput {
  readonly subject: AnnotationSubject;
  /** Checked here; see `annotationDraftSchema`. */
  readonly draft: unknown;
  /** Head of the reviewer's chain that the form was filled on; null when the reviewer had none. */
  readonly baseVersionId: string | null;
  /** UUID made by the form for this save. Sending the same save again stores it once; with anything else it is refused. */
  readonly saveId?: string;
  /** {@link NO_ACTOR} when absent. */
  readonly actor?: Actor;
}

/** What a save ran into: the reviewer's chain as stored now, and what was about to be saved. */
export interface AnnotationConflict {
  readonly theirs: ReviewerChain | null;
  readonly mine: ValidDraft;
}

/**
 * Adds a version to the reviewer's chain for this trial and gives it back once it is on disk.
 *
 * @throws ValidationError with a sentence per field, or when another judgment has the id of this save
 * @throws ForbiddenError when the reviewer's chain belongs to another browser
 * @throws ConflictError of {@link AnnotationConflict} when the same reviewer saved or withdrew since `baseVersionId`
 * @throws StoreError when the store cannot be written; nothing was stored
 */
export async function createAnnotation(
  store: AnnotationStore,
  input: AnnotationInput,
  now: Date = new Date(),
): Promise<Annotation> {
  const parsed = annotationDraftSchema.safeParse(input.draft);
  if (!parsed.success)
    throw new ValidationError("The annotation was not saved.", collectFieldMessages(parsed.error));
  const draft = parsed.data;
  const reviewerKey = computeReviewerKey(draft.reviewerId);
  const versionId = input.saveId ?? randomUUID();

  return store.write(async (db) => {
    const readEvents = async () =>
      (await selectTrialEvents(db, input.subject)).filter((event) => event.reviewerKey === reviewerKey);
    const events = await readEvents();
    const [before] = computeChains(events);
    const stored = before?.versions.find((version) => version.versionId === versionId);
    if (stored !== undefined && isSameDraft(stored, draft)) return stored;
    if (await isIdTaken(db, versionId)) throw new ValidationError(ID_TAKEN, {});
    const claim = await claimChain(db, events, input.actor ?? NO_ACTOR);
    if ((before?.headVersionId ?? null) !== input.baseVersionId) throw conflict(before ?? null, draft);
    const event = {
      versionId,
      withdraws: null,
      subject: input.subject,
      reviewerKey,
      reviewerId: draft.reviewerId,
      reviewerDiscipline: draft.reviewerDiscipline,
      timestamp: now.toISOString(),
      judgment: draft.judgment,
      categories: draft.categories,
      notes: draft.notes,
    };
    await insertEvent(db, event, claim);
    const saved = computeChains(await readEvents())[0]?.current;
    if (saved?.versionId === versionId) return saved;
    throw new StoreError(
      "store_corrupt",
      `The annotation store ${store.place} did not store what was saved.`,
    );
  });
}

const ID_TAKEN =
  "The id of this save already belongs to another judgment, which is unchanged. This one was not saved: send it with a new id.";

function isSameDraft(stored: Annotation, draft: ValidDraft): boolean {
  return (
    stored.reviewerId === draft.reviewerId &&
    stored.reviewerDiscipline === draft.reviewerDiscipline &&
    stored.judgment === draft.judgment &&
    stored.notes === draft.notes &&
    isDeepStrictEqual(stored.categories, draft.categories)
  );
}

function conflict(theirs: ReviewerChain | null, mine: ValidDraft): ConflictError<AnnotationConflict> {
  return new ConflictError(
    `${mine.reviewerId} changed the judgment of this trial in another window. Choose which one to keep.`,
    { theirs, mine },
  );
}
